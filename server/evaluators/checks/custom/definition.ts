import { z } from 'zod';
import type { EvaluationSubject } from '../../../domain';
import { jsonAsText } from '../../../domain';
import { compileQuery, isProblem, type Query } from '../../query';
import type { CheckFinding } from '../check';

/**
 * A check of a custom verifier. Its members are flat in the entry: `{check: contains, value:
 * refund, must_pass: true}` (online.md 3). Adding one is one file and one line in registry.ts; the
 * reference page is generated from the same data.
 */
export interface CustomCheck {
  readonly name: string;
  /** For people: when the check is met. */
  readonly meaning: string;
  /** A requirement for the subject; without it the check is unscored. */
  readonly needs: string;
  /** The members of an entry, with those of every check. Each has a description. */
  readonly members: z.ZodObject;
  /** A complete entry. */
  readonly example: Readonly<Record<string, unknown>>;
  /** Further lines for the reference, such as the patterns of a check. */
  readonly notes: readonly string[];
  /** Faults that the schema cannot express, such as a pattern that cannot be compiled. */
  problems(members: unknown): readonly MemberProblem[];
  prepare(members: unknown): PreparedCustomCheck;
}

/** A fault of an entry: its path in the entry, and a predicate ("must be …"). */
export interface MemberProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The reason why a check has no result: the subject lacks the required data. */
export interface Unscored {
  readonly unscored: string;
}
export type CheckResult = CheckFinding | Unscored;

/** The subject, and its members together with the mapped variables, which queries read. */
export interface CheckInput {
  readonly subject: EvaluationSubject;
  readonly root: Readonly<Record<string, unknown>>;
}

export interface PreparedCustomCheck {
  /** The requirement, for people to read. */
  readonly title: string;
  /** The query of the text that is checked; null if the check reads the whole subject. */
  readonly field: string | null;
  /** @throws Error with a readable reason: the check broke, and has no result */
  readonly run: (input: CheckInput) => CheckResult | Promise<CheckResult>;
}

/** Members of every entry. */
const common = {
  weight: z
    .number()
    .min(0)
    .max(1_000)
    .default(1)
    .describe('Its weight in the score of the verifier.'),
  must_pass: z
    .boolean()
    .default(false)
    .describe('Whether the verdict fails if this check is not met.'),
};
export const commonMembers: readonly string[] = ['check', ...Object.keys(common)];

const QueryText = z.string().min(1);
const field = QueryText.default('$.output').describe(
  'JSONPath query (RFC 9535) of the value that is checked; mapped variables are members too.',
);
const reference = QueryText.optional().describe(
  'JSONPath query of the value to compare with; without it and `value`, `$.reference`.',
);

/** A value of the subject, and its text: JSON text unless it is a string. */
export interface FieldValue {
  readonly value: unknown;
  readonly text: string;
}

interface Described<Shape extends z.ZodRawShape> {
  readonly name: string;
  readonly meaning: string;
  readonly needs: string;
  readonly members: Shape;
  readonly example: Readonly<Record<string, unknown>>;
  readonly notes?: readonly string[];
  readonly problems?: (members: z.infer<z.ZodObject<Shape>>) => readonly MemberProblem[];
}

interface Parts<Shape extends z.ZodRawShape, Run> extends Described<Shape> {
  title(members: z.infer<z.ZodObject<Shape>>): string;
  /** Called once for any number of subjects. */
  prepare(members: z.infer<z.ZodObject<Shape>>): Run;
}

/** A check of one value: the member `field`, by default the output. */
export function defineFieldCheck<Shape extends z.ZodRawShape>(
  parts: Parts<Shape, (field: FieldValue) => CheckResult | Promise<CheckResult>>,
): CustomCheck {
  const own = schemaOf(parts, { field });
  return {
    ...own,
    prepare(members) {
      const read = membersOf<Shape>(own.members, members);
      const run = parts.prepare(read);
      const path = textOf(read, 'field') ?? '$.output';
      const query = compiledQuery(path);
      return {
        title: parts.title(read),
        field: path,
        run: ({ root }) => {
          const value = valueAt(query, root);
          return value === null ? missing(path) : run(value);
        },
      };
    },
  };
}

/** A check that compares a value with the reference, or with a constant `value`. */
export function defineComparison<Shape extends z.ZodRawShape>(
  parts: Parts<Shape, (field: FieldValue, reference: FieldValue) => CheckResult>,
): CustomCheck {
  const own = schemaOf(parts, {
    field,
    reference,
    value: z.unknown().optional().describe('A constant to compare with, instead of `reference`.'),
  });
  return {
    ...own,
    problems: (members) => [
      ...own.problems(members),
      ...(hasMember(members, 'value') && hasMember(members, 'reference')
        ? [{ path: ['value'], message: 'cannot be used with `reference`; leave one of them out' }]
        : []),
    ],
    prepare(members) {
      const read = membersOf<Shape>(own.members, members);
      const run = parts.prepare(read);
      const path = textOf(read, 'field') ?? '$.output';
      const from = textOf(read, 'reference') ?? '$.reference';
      const query = compiledQuery(path);
      const constant = 'value' in read && read.value !== undefined ? asField(read.value) : null;
      const compared = constant === null ? compiledQuery(from) : null;
      return {
        title: parts.title(read),
        field: path,
        run: ({ root }) => {
          const value = valueAt(query, root);
          if (value === null) return missing(path);
          const other = compared === null ? constant : valueAt(compared, root);
          return other === null ? missing(from) : run(value, other);
        },
      };
    },
  };
}

/** A check of the whole subject, such as its tools. */
export function defineSubjectCheck<Shape extends z.ZodRawShape>(
  parts: Parts<Shape, (subject: EvaluationSubject) => CheckResult>,
): CustomCheck {
  const own = schemaOf(parts, {});
  return {
    ...own,
    prepare(members) {
      const read = membersOf<Shape>(own.members, members);
      const run = parts.prepare(read);
      return { title: parts.title(read), field: null, run: ({ subject }) => run(subject) };
    },
  };
}

function schemaOf<Shape extends z.ZodRawShape>(
  { name, meaning, needs, members, example, notes = [], problems }: Described<Shape>,
  shared: z.ZodRawShape,
): Omit<CustomCheck, 'prepare'> {
  const schema = z.strictObject({
    check: z.literal(name),
    ...members,
    ...shared,
    ...common,
  });
  return {
    name,
    meaning,
    needs,
    members: schema,
    example: { check: name, ...example },
    notes,
    problems: (given) => [
      ...queryProblems(given),
      ...(problems?.(membersOf<Shape>(schema, given)) ?? []),
    ],
  };
}

/** The cast is safe: the schema has the shape and further members. */
const membersOf = <Shape extends z.ZodRawShape>(
  schema: z.ZodObject,
  members: unknown,
): z.infer<z.ZodObject<Shape>> => schema.parse(members) as z.infer<z.ZodObject<Shape>>;

const hasMember = (members: unknown, name: string): boolean =>
  typeof members === 'object' && members !== null && Object.hasOwn(members, name);

function textOf(members: object, name: string): string | null {
  const value: unknown = Object.entries(members).find(([key]) => key === name)?.[1];
  return typeof value === 'string' ? value : null;
}

/** The members that are queries over the subject, by name. */
export function subjectQueries(
  members: object,
): readonly { readonly name: string; readonly query: string }[] {
  return ['field', 'reference'].flatMap((name) => {
    const query = textOf(members, name);
    return query === null ? [] : [{ name, query }];
  });
}

function queryProblems(members: unknown): MemberProblem[] {
  if (typeof members !== 'object' || members === null) return [];
  return subjectQueries(members).flatMap(({ name, query }) => queryProblem([name], query));
}

/** The fault of a query, with its position and fix. */
export function queryProblem(path: readonly (string | number)[], query: string): MemberProblem[] {
  const compiled = compileQuery(query);
  if (!isProblem(compiled)) return [];
  const { position, problem, fix } = compiled;
  return [{ path, message: `is not a usable query, at position ${position}: ${problem}; ${fix}` }];
}

/** @throws Error for a query that was not checked when the definition was saved */
export function compiledQuery(text: string): Query {
  const compiled = compileQuery(text);
  if (isProblem(compiled)) throw new Error(`the query ${text} cannot be used: ${compiled.problem}`);
  return compiled;
}

const asField = (value: unknown): FieldValue => ({ value, text: jsonAsText(value) });

/** One node returns its value, several return a list. Null if there is none, or only null. */
function valueAt(query: Query, root: CheckInput['root']): FieldValue | null {
  const found = query.select(root);
  if (found.every((value) => value === null || value === undefined)) return null;
  return asField(found.length === 1 ? found[0] : found);
}

const missing = (path: string): Unscored => ({
  unscored: `the subject has no value at ${path}`,
});
