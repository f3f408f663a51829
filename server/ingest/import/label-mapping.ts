import { z } from 'zod';
import { judgeReplyFormats, scaleOfFormat } from './judge-reply';
import { named, SourcePath, Value, Words } from './mapped-value';

/**
 * The part of a mapping for rows or items with several labels and judgements: a list of people's
 * votes, a judge in two orders, an object with a grade for each dimension. Each entry of a mapping
 * is one such source; with `each` it yields one label or judgement for each item of a list or
 * member of an object, and paths that begin with `@@` start there.
 */

/** The name of the member of `each`, or its index in a list, from 0. */
const Key = z.strictObject({ key: z.literal(true) });
/** Several are joined by `/`. */
const Name = z.union([
  Value,
  Key,
  z
    .array(z.union([Value, Key]))
    .min(1)
    .max(5),
]);
export type MappedName = z.infer<typeof Name>;

const Category = z.string().min(1).max(100);

/**
 * `pass_fail`: by the mapping's words for pass and fail; `category`: a word, with `tie` for
 * neither; `grade`: a number on the rater's own scale.
 */
const scale = z.enum(['pass_fail', 'category', 'grade']).default('pass_fail');
/** The word in the file, and the word that is stored for it. */
const words = named(Category, 'a word').optional();

/**
 * Of a list of faults only these count: a fault without this member, or with other words in it, is
 * ignored.
 */
const only = z.strictObject({ member: z.string().min(1).max(200), is: Words }).optional();

export const MappedLabel = z.strictObject({
  each: SourcePath.optional(),
  value: SourcePath,
  as: scale,
  /**
   * The rater. A label without a rater is the consensus: it is the truth regardless of single
   * raters.
   */
  rater: Name.optional(),
  dimension: Name.optional(),
  words,
  only,
});
export type MappedLabel = z.infer<typeof MappedLabel>;

/**
 * Where to find a number in a text: the first one after the last of these words, on the same line;
 * or the last one in the whole text.
 */
const NumberPosition = z.union([z.strictObject({ after: Words }), z.literal('last')]);
export type NumberPosition = z.infer<typeof NumberPosition>;

export const MappedJudgement = z.strictObject({
  each: SourcePath.optional(),
  judge: Name,
  value: SourcePath,
  as: scale,
  /** The judge's reason. */
  reason: SourcePath.optional(),
  dimension: Name.optional(),
  /** The order or form in which the judge saw the subject, if there were several. */
  presentation: Name.optional(),
  words,
  /**
   * Replaces `words` for one presentation: in the second order the first answer is the other one.
   */
  words_in: named(named(Category, 'a word'), 'a presentation').optional(),
  only,
  /** `value` contains the judge's whole reply, in this format of a well-known evaluation. */
  reply: z.enum(judgeReplyFormats).optional(),
  /** `category`: the known words; any other could not be read. */
  categories: Words.optional(),
  /** `grade`: positions that are tried in order; omitted: the whole text is the number. */
  number: z.array(NumberPosition).min(1).max(5).optional(),
  /** `grade`: a value outside the range could not be read. */
  range: z.tuple([z.number(), z.number()]).optional(),
  /** The substitute for a verdict that could not be read; omitted: none. */
  unparseable_as: Category.optional(),
  /** No value at `value`: nothing was judged, or the judge returned no verdict. */
  when_empty: z.enum(['skip', 'no_verdict']).default('skip'),
});
export type MappedJudgement = z.infer<typeof MappedJudgement>;

interface Problem {
  readonly member: string;
  readonly message: string;
}

const of = (member: string, isWrong: boolean, message: string): Problem[] =>
  isWrong ? [{ member, message }] : [];

/**
 * Members without meaning on a scale, usually a mistake, and combinations that exclude everything.
 */
export function labelMappingProblems(source: MappedJudgement | MappedLabel): Problem[] {
  const keyed = [
    source.dimension,
    'judge' in source ? source.judge : source.rater,
    'judge' in source ? source.presentation : undefined,
  ].flat();
  const always = [
    ...of(
      'each',
      source.each === undefined && keyed.some((name) => typeof name === 'object' && 'key' in name),
      'is required where a name is {"key": true}',
    ),
    ...of(
      'only',
      source.only !== undefined && source.as !== 'pass_fail',
      'must be left out unless `as` is pass_fail',
    ),
    ...of(
      'words',
      source.words !== undefined && source.as === 'grade',
      'must be left out with the scale `grade`',
    ),
  ];
  return 'judge' in source ? [...always, ...judgementProblems(source)] : always;
}

/** Problems that only a judgement can have. */
function judgementProblems(judgement: MappedJudgement): Problem[] {
  const { as, categories, number, range, reply, unparseable_as: taken } = judgement;
  return [
    ...of(
      'reply',
      reply !== undefined && scaleOfFormat[reply] !== as,
      `needs \`as\` to be ${reply === undefined ? '' : scaleOfFormat[reply]}, not ${as}`,
    ),
    ...of('number', number !== undefined && reply !== undefined, 'must be left out with `reply`'),
    ...of(
      'words_in',
      judgement.words_in !== undefined && as === 'grade',
      'must be left out with the scale `grade`',
    ),
    ...of(
      'words_in',
      judgement.words_in !== undefined && judgement.presentation === undefined,
      'needs `presentation`',
    ),
    ...of(
      'categories',
      categories !== undefined && as !== 'category',
      'must be left out unless `as` is category',
    ),
    ...of(
      'number',
      number !== undefined && as !== 'grade',
      'must be left out unless `as` is grade',
    ),
    ...of('range', range !== undefined && as !== 'grade', 'must be left out unless `as` is grade'),
    ...of('range', range !== undefined && range[0] > range[1], 'must begin at or below its end'),
    ...of(
      'unparseable_as',
      taken !== undefined && as === 'grade',
      'must be left out with the scale `grade`',
    ),
    ...of(
      'unparseable_as',
      taken !== undefined && as === 'pass_fail' && taken !== 'pass' && taken !== 'fail',
      'must be pass or fail',
    ),
    ...of(
      'unparseable_as',
      taken !== undefined && categories?.includes(taken) === false,
      'must be one of `categories`',
    ),
  ];
}

const placed: ReadonlySet<string> = new Set([
  'each',
  'value',
  'reason',
  'rater',
  'judge',
  'dimension',
  'presentation',
]);

/** All its paths, with the member each belongs to. */
export function labelPaths(
  source: MappedJudgement | MappedLabel,
): { readonly member: string; readonly place: string }[] {
  return Object.entries(source)
    .filter(([member]) => placed.has(member))
    .flatMap(([member, value]) =>
      [value].flat().flatMap((place) => (typeof place === 'string' ? [{ member, place }] : [])),
    );
}
