import { z } from 'zod';
import { isBlank } from '../../domain';
import { defineShape, type ReplyShape } from './read-reply';

/**
 * Replies of judges. The schemas avoid constraints that a provider's structured output may refuse
 * (lengths of strings); the readers check the rest. Reasons precede scores, since a model writes in
 * order (VS-19).
 */
const Confidence = z.number().min(0).max(1);
/** Likert (VS-7). Decimals are allowed; it is stored as (s - 1) / 4. */
const Likert = z.number().min(1).max(5);

const reasoned = {
  criterion: z.number().int().min(1),
  reasoning: z.string(),
  quotes: z.array(z.string()),
};
const suggestions = z.array(z.string());

const RubricReply = z.strictObject({
  nonce: z.string(),
  criteria: z.array(z.strictObject({ ...reasoned, score: Likert, confidence: Confidence })),
  quality: z.array(z.strictObject({ dimension: z.string(), reasoning: z.string(), score: Likert })),
  suggestions,
  confidence: Confidence,
});

const BinaryReply = z.strictObject({
  nonce: z.string(),
  criteria: z.array(z.strictObject({ ...reasoned, met: z.boolean(), confidence: Confidence })),
  suggestions,
  confidence: Confidence,
});

const MatchReply = z.strictObject({
  nonce: z.string(),
  criteria: z.array(
    z.strictObject({
      ...reasoned,
      match: z.enum(['full', 'partial', 'none']),
      confidence: Confidence,
    }),
  ),
  suggestions,
  confidence: Confidence,
});

const PairReply = z.strictObject({
  nonce: z.string(),
  reasoning: z.string(),
  issues: z.array(
    z.strictObject({
      description: z.string(),
      severity: z.enum(['low', 'medium', 'high']),
      first_quote: z.string(),
      second_quote: z.string(),
    }),
  ),
  score: Likert,
  confidence: Confidence,
});
export type PairReply = z.infer<typeof PairReply>;

const SummaryReply = z.strictObject({
  nonce: z.string(),
  reasoning: z.string(),
  summary: z.string(),
  weakest: z.array(z.strictObject({ task: z.number().int().min(1), reason: z.string() })),
  score: Likert,
  confidence: Confidence,
});
export type SummaryReply = z.infer<typeof SummaryReply>;

/** One criterion as answered in any of the three modes; `value` 0..1. */
export interface CriterionReply {
  readonly criterion: number;
  readonly reasoning: string;
  readonly quotes: readonly string[];
  readonly value: number;
  readonly confidence: number;
}

export interface CriteriaReply {
  readonly criteria: readonly CriterionReply[];
  readonly quality: readonly {
    readonly dimension: string;
    readonly reasoning: string;
    readonly value: number;
  }[];
  readonly suggestions: readonly string[];
  readonly confidence: number;
}

export type ScoringMode = 'rubric' | 'binary' | 'criteria_match';

/** To 4 decimals: 4.6 is exactly 0.9, without floating point noise. */
export const fromLikert = (score: number): number => Math.round((score - 1) * 2_500) / 10_000;
const matchValues = { full: 1, partial: 0.5, none: 0 } as const;

/**
 * The reply shape of each mode, parsed into one common type. `criteria` is the number of criteria;
 * `dimensions` are the further scores of the rubric.
 */
export function criteriaShape(
  mode: ScoringMode,
  criteria: number,
  dimensions: readonly string[],
): ReplyShape<CriteriaReply> {
  const fault = (reply: CriteriaReply): string | null => faultOf(reply, criteria, dimensions);
  switch (mode) {
    case 'rubric':
      return defineShape(
        'rubric_reply',
        RubricReply,
        (reply): CriteriaReply => ({
          ...reply,
          criteria: reply.criteria.map(({ score, ...rest }) => ({
            ...rest,
            value: fromLikert(score),
          })),
          quality: reply.quality.map(({ score, ...rest }) => ({
            ...rest,
            value: fromLikert(score),
          })),
        }),
        fault,
      );
    case 'binary':
      return defineShape(
        'binary_reply',
        BinaryReply,
        (reply): CriteriaReply => ({
          ...reply,
          criteria: reply.criteria.map(({ met, ...rest }) => ({ ...rest, value: met ? 1 : 0 })),
          quality: [],
        }),
        fault,
      );
    case 'criteria_match':
      return defineShape(
        'criteria_match_reply',
        MatchReply,
        (reply): CriteriaReply => ({
          ...reply,
          criteria: reply.criteria.map(({ match, ...rest }) => ({
            ...rest,
            value: matchValues[match],
          })),
          quality: [],
        }),
        fault,
      );
  }
}

/** A missing score is never invented, and a surplus one never dropped (VS-21). */
function faultOf(
  reply: CriteriaReply,
  criteria: number,
  dimensions: readonly string[],
): string | null {
  const numbers = reply.criteria.map(({ criterion }) => criterion);
  for (let number = 1; number <= criteria; number++) {
    const times = numbers.filter((each) => each === number).length;
    if (times !== 1) return `criterion ${number} was answered ${times} times instead of once`;
  }
  if (numbers.length !== criteria)
    return `it answered ${numbers.length} criteria instead of ${criteria}`;
  for (const dimension of dimensions) {
    const times = reply.quality.filter((each) => each.dimension === dimension).length;
    if (times !== 1)
      return `the dimension "${dimension}" was scored ${times} times instead of once`;
  }
  if (reply.quality.length !== dimensions.length)
    return 'it scored a dimension that was not requested';
  if ([...reply.criteria, ...reply.quality].some(({ reasoning }) => isBlank(reasoning)))
    return 'a score has no reasoning';
  return null;
}

export const pairShape: ReplyShape<PairReply> = defineShape(
  'pair_reply',
  PairReply,
  (reply) => reply,
  ({ reasoning }) => (isBlank(reasoning) ? 'the score has no reasoning' : null),
);

/** @param tasks number of tasks */
export function summaryShape(tasks: number): ReplyShape<SummaryReply> {
  return defineShape(
    'summary_reply',
    SummaryReply,
    (reply) => reply,
    ({ reasoning, summary, weakest }) => {
      if (isBlank(reasoning) || isBlank(summary))
        return 'the score has no reasoning, or the summary was empty';
      if (weakest.some(({ task }) => task > tasks)) return 'it named a task that does not exist';
      return new Set(weakest.map(({ task }) => task)).size === weakest.length
        ? null
        : 'it named a task twice';
    },
  );
}
