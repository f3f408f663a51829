import { z } from 'zod';
import type { ApiClient } from './api-client';

/** The part of `GET /v1/metrics/judges` that the check needs. */

const Share = z.object({ value: z.number().nullable() });
const Common = {
  judge: z.string(),
  dimension: z.string().nullable(),
  measured: z.number(),
  items: z.number(),
  no_verdict: z.number(),
};
const Words = z.object({
  ...Common,
  form: z.enum(['pass_fail', 'category']),
  accuracy: Share,
  together: Share,
  order_agreement: Share,
  macro_precision: z.number().nullable(),
  macro_recall: z.number().nullable(),
  macro_f1: z.number().nullable(),
  kappa: Share,
  classes: z.array(
    z.object({
      word: z.string(),
      is_true: z.number(),
      precision: Share,
      recall: Share,
      f1: z.number().nullable(),
    }),
  ),
});
const Grades = z.object({
  ...Common,
  form: z.literal('grade'),
  kendall: Share,
  pearson: Share,
  spearman: Share,
  exact: Share,
  within_1: Share,
  mean_judge: z.number().nullable(),
  mean_truth: z.number().nullable(),
});
const People = z.object({
  dimension: z.string().nullable(),
  labels: z.number(),
  pairs: z.array(z.object({ one: z.string(), other: z.string(), kappa: Share })),
  truths: z.array(z.object({ word: z.string(), items: z.number() })),
});
const Reply = z.object({
  data: z.array(z.discriminatedUnion('form', [Words, Grades])),
  people: z.array(People),
  sources: z.array(z.string()),
});

export type WordsJudge = z.infer<typeof Words>;
export type GradesJudge = z.infer<typeof Grades>;

export interface Judges {
  readonly words: readonly WordsJudge[];
  readonly grades: readonly GradesJudge[];
  readonly people: readonly z.infer<typeof People>[];
  readonly sources: readonly string[];
}

/** @param source only those of this source; all by default */
export async function readJudges(client: ApiClient, source?: string): Promise<Judges> {
  const { data, people, sources } = Reply.parse(
    await client.read(
      `/v1/metrics/judges${source === undefined ? '' : `?source=${encodeURIComponent(source)}`}`,
    ),
  );
  return {
    words: data.flatMap((each) => (each.form === 'grade' ? [] : [each])),
    grades: data.flatMap((each) => (each.form === 'grade' ? [each] : [])),
    people,
    sources,
  };
}
