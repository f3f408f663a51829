import { z } from 'zod';
import { type MappedValue, named, SourcePath, Value, Words } from './mapped-value';
import { parsePath } from './path';
import { MappedJudgement, MappedLabel, labelPaths, labelMappingProblems } from './label-mapping';

const Fields = z.strictObject({
  format: z.enum(['jsonl', 'csv']),
  /** CSV: the separator between two cells. */
  delimiter: z.enum([',', ';', '\t', '|']).default(','),
  /**
   * The line of the sender's file at which this part begins, for error messages. CSV: the first row
   * after the header, which each part repeats. Omitted: the file is complete.
   */
  first_line: z.number().int().min(1).max(1_000_000_000).optional(),
  /**
   * An array of the row whose items are turns, one each; paths that begin with `@.` start at the
   * item.
   */
  each: SourcePath.optional(),
  /** Parts of the turn's id, joined by `/`. Without it the id is derived from the row. */
  id: z.union([SourcePath, z.array(SourcePath).min(1).max(5)]).optional(),
  session: Value.optional(),
  output: SourcePath.optional(),
  /**
   * An object of contents by path, or a list of `{path, content}`: written files, as the output or
   * after it.
   */
  files: SourcePath.optional(),
  input: Value.optional(),
  context: z
    .union([
      SourcePath,
      z
        .array(z.strictObject({ id: z.string().min(1).max(200).optional(), path: SourcePath }))
        .min(1)
        .max(50),
    ])
    .optional(),
  /** An array of tool calls as turns have them, or one tool's result. */
  tools: SourcePath.optional(),
  /**
   * A conversation in the format of OpenAI's chat API: each text answer becomes a turn, with the
   * tool results since the last question.
   */
  messages: SourcePath.optional(),
  /**
   * The row is one request to an agent: all its turns belong to one session, and labels and
   * judgements are about that session.
   */
  pipeline: z.strictObject({ query: Value, complexity: Value.optional() }).optional(),
  /**
   * Texts of another file that rows refer to by name: an object with `"content_ref":"…"` (the
   * `member`) gets the text of that name as its `content` (the member without `_ref`).
   */
  references: z
    .strictObject({
      member: z
        .string()
        .regex(/^[A-Za-z0-9_]{1,100}_ref$/, 'must be a name that ends in "_ref"')
        .default('content_ref'),
      texts: named(z.string().max(1_000_000), 'a text'),
    })
    .optional(),
  /** Precedes the conversation or the input. */
  system: Value.optional(),
  model: Value.optional(),
  source: Value.optional(),
  started_at: Value.optional(),
  /** An array of words, or words separated by commas. */
  tags: Value.optional(),
  metadata: named(Value, 'a metadata key').optional(),
  /** The judge: a model's name. */
  judge: Value.optional(),
  judge_verdict: SourcePath.optional(),
  judge_score: SourcePath.optional(),
  human_label: SourcePath.optional(),
  rater: Value.optional(),
  /** The value of a judge's verdict that is neither a pass word nor a fail word. */
  unparseable_as: z.enum(['exclude', 'pass']).default('exclude'),
  pass_values: Words.optional(),
  fail_values: Words.optional(),
  /** Several labels or judgements: further raters, orders, dimensions. */
  labels: z.array(MappedLabel).min(1).max(50).optional(),
  judgements: z.array(MappedJudgement).min(1).max(50).optional(),
});

const ofWholeRow: ReadonlySet<string> = new Set([
  'pipeline',
  'session',
  'judge',
  'judge_verdict',
  'judge_score',
  'human_label',
  'rater',
  'labels',
  'judgements',
]);

/** How rows of a file become turns, judges' scores and labels. */
export const ImportMapping = Fields.superRefine((mapping, check) => {
  const problem = (path: (string | number)[], message: string): void =>
    check.addIssue({ code: 'custom', path, message });
  const { output, files } = mapping;
  if ((output ?? files ?? mapping.messages) === undefined)
    problem(['output'], 'is required, or `files`, or `messages`');
  if (files !== undefined && mapping.messages !== undefined)
    problem(['files'], 'must be left out with `messages`');
  if (mapping.output !== undefined && mapping.messages !== undefined)
    problem(['messages'], 'must be left out with `output`');
  if (mapping.messages !== undefined && mapping.each !== undefined)
    problem(['each'], 'must be left out with `messages`');
  if ((mapping.judge_verdict ?? mapping.judge_score) !== undefined && mapping.judge === undefined) {
    problem(['judge'], 'is required: a place, or {"const": "name"}');
  }
  const both = mapping.pass_values?.find((word) => mapping.fail_values?.includes(word));
  if (both !== undefined)
    problem(['fail_values'], `must not contain "${both}", which is in \`pass_values\` as well`);
  for (const { path, source } of labelSources(mapping)) {
    for (const { member, message } of labelMappingProblems(source))
      problem([...path, member], message);
    if (mapping.format === 'csv' && source.each !== undefined)
      problem([...path, 'each'], 'must be left out with the format `csv`');
  }
  if (mapping.format === 'csv') {
    for (const name of ['each', 'messages', 'files', 'references'] as const)
      if (mapping[name] !== undefined) problem([name], 'must be left out with the format `csv`');
    return;
  }
  for (const { path, place, each } of placesOf(mapping)) {
    const parsed = parsePath(place);
    if (parsed === null) problem(path, `"${place}" is not a path; write it as a.b[0]["c d"]`);
    else if (parsed.from === 'entry' && !each)
      problem(path, 'must not begin with "@@" without the `each` of a label or judgement');
    else if (parsed.from === 'item' && (mapping.each === undefined || path[0] === 'each'))
      problem(path, 'must not begin with "@" without `each`');
    else if (
      parsed.from === 'item' &&
      mapping.pipeline !== undefined &&
      ofWholeRow.has(String(path[0]))
    ) {
      problem(
        path,
        'must not begin with "@" in a mapping with `pipeline`, where it is of the whole row',
      );
    }
  }
});
export type ImportMapping = z.infer<typeof ImportMapping>;

/**
 * Derives the format of a mapping that names none from the file's name or content type: `csv` for
 * `….csv` and `text/csv`, else `jsonl`. A value that is not an object is returned unchanged for the
 * schema to refuse.
 */
export function withFormat(
  mapping: unknown,
  file: { readonly name: string; readonly type: string },
): unknown {
  if (
    typeof mapping !== 'object' ||
    mapping === null ||
    Array.isArray(mapping) ||
    Object.hasOwn(mapping, 'format')
  )
    return mapping;
  const isTable = /\.csv$/i.test(file.name) || /^text\/csv\s*(?:;|$)/i.test(file.type);
  return { ...mapping, format: isTable ? 'csv' : 'jsonl' };
}

interface MappedPath {
  readonly path: (string | number)[];
  readonly place: string;
  /** Inside a label or judgement with its own `each`. */
  readonly each: boolean;
}

interface LabelSource {
  readonly path: (string | number)[];
  readonly source: MappedLabel | MappedJudgement;
}

const labelSources = ({ labels = [], judgements = [] }: z.infer<typeof Fields>): LabelSource[] => [
  ...labels.map((source, at) => ({ path: ['labels', at], source })),
  ...judgements.map((source, at) => ({ path: ['judgements', at], source })),
];

/** Every path of a mapping, with the field it belongs to. */
export function placesOf(mapping: z.infer<typeof Fields>): MappedPath[] {
  const {
    each,
    id,
    context,
    metadata: keys = {},
    tools,
    messages,
    output,
    files,
    judge_verdict,
    judge_score,
    human_label,
  } = mapping;
  const { session, input, system, model, source, started_at, tags, judge, rater, pipeline } =
    mapping;
  const single = {
    each,
    session,
    output,
    files,
    input,
    tools,
    messages,
    system,
    model,
    source,
    started_at,
    tags,
  };
  const judged = { judge, judge_verdict, judge_score, human_label, rater };
  const found: { path: (string | number)[]; value: MappedValue | undefined }[] = [
    ...Object.entries({ ...single, ...judged }).map(([name, value]) => ({ path: [name], value })),
    ...Object.entries(keys).map(([name, value]) => ({ path: ['metadata', name], value })),
    ...Object.entries(pipeline ?? {}).map(([name, value]) => ({ path: ['pipeline', name], value })),
    ...(typeof id === 'string'
      ? [{ path: ['id'], value: id }]
      : (id ?? []).map((value, at) => ({ path: ['id', at], value }))),
    ...(typeof context === 'string'
      ? [{ path: ['context'], value: context }]
      : (context ?? []).map((block, at) => ({ path: ['context', at, 'path'], value: block.path }))),
  ];
  return [
    ...found.flatMap(({ path, value }) =>
      typeof value === 'string' ? [{ path, place: value, each: false }] : [],
    ),
    ...labelSources(mapping).flatMap(({ path, source }) =>
      labelPaths(source).map(({ member, place }) => ({
        path: [...path, member],
        place,
        // The path of `each` itself does not start at the entry.
        each: source.each !== undefined && member !== 'each',
      })),
    ),
  ];
}
