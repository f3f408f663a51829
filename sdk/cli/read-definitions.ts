import { type Document, isAlias, isMap, isNode, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import { CliFailure } from './failure';
import { readInput } from './read-input';

/** A definition of a verifier as a file has it (docs/reference/cli.md). */
export interface Definition {
  readonly slug: string;
  readonly file: string;
  /** Its members, as sent. */
  readonly body: Readonly<Record<string, unknown>>;
  /** `judges.yaml, document 2`; the document only if the file has several. */
  readonly place: string;
  /** The line of a member such as `judge.prompt`, or of its nearest parent. */
  lineOf(path: string): number;
}

/** Nesting that the server accepts. */
const depthMax = 64;
/** Fully expanded aliases; a file that needs more grows exponentially. */
const aliasesMax = 1_000;
const slugPattern = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/;

/**
 * Reads the definitions of all files before any is sent.
 * @throws CliFailure with the file, the line, the problem and its fix
 */
export async function readDefinitions(files: readonly string[]): Promise<readonly Definition[]> {
  const read: Definition[] = [];
  for (const file of files) read.push(...parseDefinitions(file, await readInput(file)));
  const seen = new Map<string, Definition>();
  for (const definition of read) {
    const earlier = seen.get(definition.slug);
    if (earlier !== undefined)
      throw new CliFailure(
        `${placeWithLine(definition, 'slug')}: slug: "${definition.slug}" is defined in ${placeWithLine(earlier, 'slug')} too; remove one of them`,
      );
    seen.set(definition.slug, definition);
  }
  return read;
}

export const placeWithLine = (definition: Definition, path: string): string =>
  `${definition.place}, line ${definition.lineOf(path)}`;

/**
 * The definitions of one YAML or JSON text: one in each document, or a list of them.
 * @throws CliFailure
 */
export function parseDefinitions(file: string, text: string): readonly Definition[] {
  const lines = new LineCounter();
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    version: '1.2',
    schema: 'core',
  });
  const documents = [...parsed] as Document[];
  const name = file === '-' ? 'standard input' : file;
  const found = documents.flatMap((document, at) => {
    const place = documents.length > 1 ? `${name}, document ${at + 1}` : name;
    const fault = document.errors[0] ?? document.warnings[0];
    if (fault !== undefined)
      throw new CliFailure(
        `${place}, line ${lines.linePos(fault.pos[0]).line}: ${syntaxFault(fault.code, fault.message)}`,
      );
    return definitionsOf(document, { file, place, lines });
  });
  if (found.length === 0)
    throw new CliFailure(`${name} has no definition; write one with slug, kind and its members`);
  return found;
}

/** The messages of the parser in whole sentences, with the fix for frequent faults. */
function syntaxFault(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'A member occurs twice; remove one of them';
  if (code === 'TAB_AS_INDENT')
    return 'A tab is used as indentation, which YAML does not allow; use spaces';
  if (code === 'TAG_RESOLVE_FAILED') return `${message}, which is not supported; remove the tag`;
  return `${message}; correct the YAML`;
}

interface Source {
  readonly file: string;
  readonly place: string;
  readonly lines: LineCounter;
}

function definitionsOf(document: Document, { file, place, lines }: Source): Definition[] {
  const value = valueOf(document, place);
  if (value === null) return [];
  const all: readonly unknown[] = Array.isArray(value) ? value : [value];
  return all.map((body, at) => {
    const base = Array.isArray(value) ? [at] : [];
    const where = Array.isArray(value) ? `${place}, item ${at + 1}` : place;
    const lineOf = (path: string): number =>
      lineOfMember(document, lines, [...base, ...path.split('.')]);
    const failAt = (path: string, problem: string): never => {
      throw new CliFailure(`${where}, line ${lineOf(path)}: ${problem}`);
    };
    if (!isRecord(body))
      return failAt('', 'A definition must be a mapping with slug, kind and its members');
    const { slug } = body;
    if (slug === undefined)
      return failAt(
        'slug',
        'slug: is required; add the name of the verifier, such as refund-policy',
      );
    if (typeof slug !== 'string' || !slugPattern.test(slug))
      return failAt(
        'slug',
        'slug: must be lower-case letters, digits and single hyphens, beginning with a letter',
      );
    const number = findUnsafe(body, '');
    if (number !== null) return failAt(number.path, `${number.path}: ${number.problem}`);
    return { slug, file, body, place: where, lineOf };
  });
}

/** @throws CliFailure for an alias without an anchor, and for aliases that expand without bound */
function valueOf(document: Document, place: string): unknown {
  try {
    return document.toJS({ maxAliasCount: aliasesMax }) as unknown;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CliFailure(`${place}: ${message}; correct the aliases`);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value that JSON cannot represent: infinite nesting, or a number without exact digits. */
function findUnsafe(
  value: unknown,
  path: string,
  depth = 0,
): { readonly path: string; readonly problem: string } | null {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { path, problem: 'must be a finite number' };
    if (Number.isInteger(value) && !Number.isSafeInteger(value))
      return { path, problem: 'is too large to keep its digits; write it in quotes as a text' };
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  if (depth >= depthMax)
    return {
      path: path.split('.', 3).join('.'),
      problem: `is nested over ${depthMax} levels, or contains itself through an alias`,
    };
  for (const [name, member] of Object.entries(value)) {
    const found = findUnsafe(member, path === '' ? name : `${path}.${name}`, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

/** Follows the path as far as the document has it. */
function lineOfMember(
  document: Document,
  lines: LineCounter,
  path: readonly (string | number)[],
): number {
  let node: unknown = document.contents;
  let offset = isNode(node) ? (node.range?.[0] ?? 0) : 0;
  for (const name of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => String(key) === String(name));
      if (pair === undefined) break;
      if (isNode(pair.key)) offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node)) {
      node = node.items[Number(name)];
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    } else break;
  }
  return lines.linePos(offset).line;
}
