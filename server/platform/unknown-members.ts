import type { z } from 'zod';
import type { ErrorDetail } from './errors';
import { pathText } from './field-text';
import { nearestName, shownName, unknownName } from './nearest-name';

/** Maximum number of details in an error. */
const maxDetails = 20;

/**
 * Maximum number of nested names of one body that are compared with known ones, to bound its cost.
 */
const maxCompared = 2_000;

/** State of a walk through one value: its path, its findings, and the number of names compared. */
interface Finding {
  readonly path: (string | number)[];
  details: ErrorDetail[];
  compared: number;
}

/** Adds the unknown members inside `value` to `finding`. */
type Walk = (value: unknown, finding: Finding) => void;

/** The parts of a zod schema's definition that list its members. */
interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly catchall?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly innerType?: z.core.$ZodType;
  readonly in?: z.core.$ZodType;
  readonly left?: z.core.$ZodType;
  readonly right?: z.core.$ZodType;
  readonly options?: readonly z.core.$ZodType[];
  readonly getter?: () => z.core.$ZodType;
}

const definitionOf = (schema: z.core.$ZodType): Definition =>
  schema._zod.def as unknown as Definition;

const walks = new WeakMap<z.core.$ZodType, Walk | null>();

/** The compiled walk of a schema; null if it accepts any value. */
function walkOf(schema: z.core.$ZodType): Walk | null {
  const existing = walks.get(schema);
  if (existing !== undefined) return existing;
  // A schema may contain itself: until its walk is compiled, it is looked up at each use.
  walks.set(schema, (value, finding) => walks.get(schema)?.(value, finding));
  const walk = makeWalk(definitionOf(schema));
  walks.set(schema, walk);
  return walk;
}

function makeWalk(def: Definition): Walk | null {
  if (def.type === 'object') return walkObject(def);
  if (def.type === 'array' && def.element !== undefined) return walkItems(walkOf(def.element));
  if (def.type === 'union' && def.options !== undefined) return walkUnion(def.options);
  if (def.type === 'intersection')
    return walkObject({ ...def, shape: Object.fromEntries(membersOf([def])) });
  if (def.type === 'lazy' && def.getter !== undefined) return walkOf(def.getter());
  const inner = def.innerType ?? def.in;
  return inner === undefined ? null : walkOf(inner);
}

function walkItems(item: Walk | null): Walk | null {
  if (item === null) return null;
  return (value, finding) => {
    if (!Array.isArray(value)) return;
    for (let at = 0; at < value.length && finding.details.length < maxDetails; at++)
      enter(item, value[at], at, finding);
  };
}

function enter(walk: Walk, value: unknown, part: string | number, finding: Finding): void {
  finding.path.push(part);
  walk(value, finding);
  finding.path.pop();
}

/** Null if the object accepts any member. */
function walkObject({ shape = {}, catchall }: Definition): Walk | null {
  const catches = catchall === undefined ? null : definitionOf(catchall).type;
  if (catches !== null && catches !== 'never') return null;
  const known = new Set(Object.keys(shape));
  const inner = walksOf(Object.entries(shape));
  return (value, finding) => {
    if (!isObject(value)) return;
    const compares = catches === 'never' || finding.compared < maxCompared;
    for (const name of compares ? Object.keys(value) : []) {
      if (known.has(name) || finding.details.length >= maxDetails) continue;
      const message =
        catches === 'never' ? unknownName(name, known) : misspelling(name, value, known, finding);
      if (message !== null)
        finding.details.push({ path: pathText([...finding.path, name]), message });
    }
    for (const [name, walk] of inner)
      if (Object.hasOwn(value, name)) enter(walk, value[name], name, finding);
  };
}

/**
 * Below the top a member is refused only if it misspells a missing one: members that callers add
 * for their own use there (a message's `tool_calls`, an agent's `owner`) are allowed.
 */
function misspelling(
  name: string,
  value: object,
  known: ReadonlySet<string>,
  finding: Finding,
): string | null {
  if (finding.compared >= maxCompared) return null;
  finding.compared++;
  const absent = new Set([...known].filter((each) => !Object.hasOwn(value, each)));
  return nearestName(name, absent) === null ? null : unknownName(name, absent);
}

/**
 * Selects the option of a union that knows the most members of the value, and among those the one
 * with the fewest unknown. If none knows any, the option that they misspell.
 */
function walkUnion(options: readonly z.core.$ZodType[]): Walk | null {
  const all = options
    .flatMap(optionsOf)
    .filter((option) => !isScalar(option))
    .map((option) => ({ takes: takes(option), walk: walkOf(option), known: namesOf(option) }));
  if (all.every(({ walk }) => walk === null)) return null;
  return (value, finding) => {
    const before = finding.details;
    let best: { readonly known: number; readonly details: ErrorDetail[] } | null = null;
    for (const { walk, known } of all.filter((option) => option.takes(value))) {
      finding.details = [];
      walk?.(value, finding);
      const found = { known: knownOf(value, known), details: finding.details };
      if (best === null || isCloser(found, best)) best = found;
    }
    finding.details = [...before, ...(best?.details ?? [])];
  };
}

/** The options of a nested union count as options of the outer one. */
function optionsOf(option: z.core.$ZodType): readonly z.core.$ZodType[] {
  const { type, options = [] } = core(option);
  return type === 'union' ? options.flatMap(optionsOf) : [option];
}

interface Fit {
  /** The number of members of the value that the option knows. */
  readonly known: number;
  readonly details: readonly ErrorDetail[];
}

function isCloser(one: Fit, other: Fit): boolean {
  if (one.known !== other.known) return one.known > other.known;
  const isFewer = one.known > 0 && one.details.length !== other.details.length;
  return isFewer ? one.details.length < other.details.length : nearIn(one) > nearIn(other);
}

const nearIn = ({ details }: Fit): number =>
  details.filter(({ message }) => message.includes('did you mean')).length;

/** The names that an option knows; null if it accepts any member. */
function namesOf(option: z.core.$ZodType): ReadonlySet<string> | null {
  const def = core(option);
  if (def.type !== 'object' && def.type !== 'intersection') return null;
  const catches = def.catchall === undefined ? 'never' : definitionOf(def.catchall).type;
  return catches === 'never' ? new Set(membersOf([def]).keys()) : null;
}

function knownOf(value: unknown, known: ReadonlySet<string> | null): number {
  if (!isObject(value) || known === null) return Number.POSITIVE_INFINITY;
  let count = 0;
  for (const name of known) if (Object.hasOwn(value, name)) count++;
  return count;
}

/** Schemas of these types accept no object and no array. */
const scalars: ReadonlySet<string> = new Set([
  'string',
  'number',
  'int',
  'boolean',
  'null',
  'undefined',
  'literal',
  'enum',
  'date',
  'bigint',
]);

function core(schema: z.core.$ZodType): Definition {
  const def = definitionOf(schema);
  const inner = def.innerType ?? def.in;
  return inner === undefined ? def : core(inner);
}

const isScalar = (schema: z.core.$ZodType): boolean => scalars.has(core(schema).type);

function takes(schema: z.core.$ZodType): (value: unknown) => boolean {
  const { type } = core(schema);
  if (type === 'array' || type === 'tuple') return Array.isArray;
  if (type === 'object' || type === 'record' || type === 'intersection') return isObject;
  return () => true;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The members of these object schemas by name, including those of intersections and wrapped
 * schemas.
 */
function membersOf(defs: readonly Definition[]): Map<string, z.core.$ZodType> {
  const members = new Map<string, z.core.$ZodType>();
  for (const def of defs) {
    const parts = [def.left, def.right, def.innerType ?? def.in].filter(
      (part) => part !== undefined,
    );
    for (const [name, schema] of membersOf(parts.map(definitionOf))) members.set(name, schema);
    for (const [name, schema] of Object.entries(def.shape ?? {})) members.set(name, schema);
  }
  return members;
}

interface Top {
  readonly known: ReadonlySet<string>;
  readonly inner: readonly (readonly [string, Walk])[];
}

const tops = new WeakMap<z.core.$ZodType, Top | null>();

/** Null if the schema describes no object, or one that accepts any member. */
function topOf(schema: z.core.$ZodType): Top | null {
  const existing = tops.get(schema);
  if (existing !== undefined) return existing;
  const def = core(schema);
  const catches = def.catchall === undefined ? 'never' : definitionOf(def.catchall).type;
  const top =
    (def.type === 'object' || def.type === 'intersection') && catches === 'never'
      ? makeTop(def)
      : null;
  tops.set(schema, top);
  return top;
}

function makeTop(def: Definition): Top {
  const members = membersOf([def]);
  return { known: new Set(members.keys()), inner: walksOf(members) };
}

function walksOf(
  members: Iterable<readonly [string, z.core.$ZodType]>,
): readonly (readonly [string, Walk])[] {
  return [...members].flatMap(([name, schema]): [string, Walk][] => {
    const walk = walkOf(schema);
    return walk === null ? [] : [[name, walk]];
  });
}

/**
 * The members of a body, or of an item of a batch, that its schemas do not have (S-127), each with
 * the most similar known name; at most 20. Several schemas may read one body: the union of their
 * members is known. Below the top, only misspellings.
 */
export function unknownMembers(schemas: readonly z.core.$ZodType[], value: unknown): ErrorDetail[] {
  if (!isObject(value)) return [];
  const tops = schemas.map(topOf).filter((top) => top !== null);
  if (tops.length < schemas.length) return [];
  const finding: Finding = { path: [], details: [], compared: 0 };
  for (const name of Object.keys(value)) {
    if (tops.some((top) => top.known.has(name))) continue;
    const known = new Set(tops.flatMap((top) => [...top.known]));
    finding.details.push({ path: shownName(name), message: unknownName(name, known) });
    if (finding.details.length >= maxDetails) break;
  }
  for (const top of tops) {
    for (const [name, walk] of top.inner)
      if (Object.hasOwn(value, name)) enter(walk, value[name], name, finding);
  }
  return finding.details.slice(0, maxDetails);
}

/** The same for query parameters. */
export function unknownParameters(
  known: ReadonlySet<string>,
  sent: Iterable<string>,
): ErrorDetail[] {
  const unknown = [...new Set(sent)].filter((name) => !known.has(name)).slice(0, maxDetails);
  return unknown.map((name) => ({ path: shownName(name), message: unknownName(name, known) }));
}

/**
 * Misspelt members of one value according to its schema, by the rules for values below the top of a
 * body. Paths start at the value.
 */
export function misspeltMembers(schema: z.core.$ZodType, value: unknown): ErrorDetail[] {
  const finding: Finding = { path: [], details: [], compared: 0 };
  walkOf(schema)?.(value, finding);
  return finding.details;
}
