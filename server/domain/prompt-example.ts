import { z } from 'zod';
import { complexities } from './complexity';
import { meetsThreshold } from './threshold';

/**
 * Examples that a prompt shows its judge: work with the score that a careful judge would give
 * (SOAR-35). They are stored separately from the text of the prompt; a prompt version consists of
 * both.
 */
export const exampleBands = ['good', 'mediocre', 'bad'] as const;
export type ExampleBand = (typeof exampleBands)[number];

/**
 * Whether a score, 0..1, belongs to a band, compared to 4 decimals: good from 0.9, mediocre
 * from 0.6 to 0.7, bad below 0.5. No example may be between bands.
 */
const holds: Record<ExampleBand, (score: number) => boolean> = {
  good: (score) => meetsThreshold(score, 0.9),
  mediocre: (score) => meetsThreshold(score, 0.6) && meetsThreshold(0.7, score),
  bad: (score) => !meetsThreshold(score, 0.5),
};

export const bandRanges: Record<ExampleBand, string> = {
  good: '0.9 to 1',
  mediocre: '0.6 to 0.7',
  bad: 'below 0.5',
};

export const exampleLimits = {
  count: 12,
  queryChars: 1_000,
  workChars: 3_000,
  reasonChars: 1_000,
} as const;

const words = (maxChars: number) => z.string().trim().min(1, 'must not be empty').max(maxChars);

export const PromptExample = z
  .strictObject({
    band: z.enum(exampleBands),
    complexity: z.enum(complexities),
    query: words(exampleLimits.queryChars),
    /** The lines of text as shown to the judge. */
    decomposition: words(exampleLimits.workChars),
    score: z.number().min(0).max(1),
    /** Why it has this score. */
    reasoning: words(exampleLimits.reasonChars),
  })
  .superRefine(({ band, score }, ctx) => {
    if (holds[band](score)) return;
    ctx.addIssue({
      code: 'custom',
      path: ['score'],
      message: `must be ${bandRanges[band]} in the band "${band}", not ${score}`,
    });
  });
export type PromptExample = z.infer<typeof PromptExample>;

/**
 * Warnings for the author of a set of examples: bands without an example, or examples of only one
 * complexity. A prompt with warnings can still be used.
 */
export function exampleWarnings(examples: readonly PromptExample[]): readonly string[] {
  const missing = exampleBands.filter((band) => !examples.some((each) => each.band === band));
  const [first] = examples;
  const alike =
    first !== undefined &&
    examples.length > 1 &&
    examples.every(({ complexity }) => complexity === first.complexity);
  return [
    ...missing.map(
      (band) =>
        `No example is ${band} (${bandRanges[band]}): the judge sees no example of such work.`,
    ),
    ...(alike
      ? [`All examples are ${first.complexity}: choose them from several complexities.`]
      : []),
  ];
}

/** The examples as shown to the judge. People write them, and they are trusted like the prompt. */
export function examplesText(examples: readonly PromptExample[]): string {
  if (examples.length === 0) return 'None are given.';
  return examples
    .map(
      (each, i) =>
        `### Example ${i + 1}: ${each.band}, overall ${each.score}\n\nComplexity: ${each.complexity}\n${exampleText(each)}`,
    )
    .join('\n\n');
}

/** One example without its number. */
export function exampleText({ query, decomposition, score, reasoning }: PromptExample): string {
  return `Query: ${query}\n\n${decomposition}\n\nWhy it has ${score}: ${reasoning}`;
}
