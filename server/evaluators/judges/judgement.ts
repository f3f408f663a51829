import { z } from 'zod';
import { Evidence } from '../../domain';

export const StoredJudgeUsage = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
  priceUnknown: z.boolean(),
  /** Judgements stored by earlier releases do not have it. */
  replaced: z
    .array(z.object({ model: z.string(), by: z.string(), reason: z.string() }))
    .readonly()
    .default([]),
});

const rate = z.number().min(0).max(1);

/** The finding on one criterion; `value` 0..1. */
const JudgedCriterion = z.object({
  /** From 0, in the order of the question. */
  index: z.number().int().min(0),
  value: rate,
  reasoning: z.string(),
  evidence: z.array(Evidence),
  /** After the quotes were looked up. */
  confidence: rate,
  /** The jury's vote on whether it is met; a single judge is unanimous. */
  vote: z.enum(['unanimous', 'majority', 'tie']),
});
export type JudgedCriterion = z.infer<typeof JudgedCriterion>;

/** Findings of judges on one output. They can be stored and read back (VS-43). */
export const Judgement = z.object({
  /** The judges, by the names that their providers report; several form a jury. */
  models: z.array(z.string()),
  criteria: z.array(JudgedCriterion),
  quality: z.array(z.object({ dimension: z.string(), reasoning: z.string(), value: rate })),
  suggestions: z.array(z.string()),
  /** Of the whole (VS-26). */
  confidence: rate,
  /** Judges of the jury that returned no result. */
  absent: z.array(z.string()),
  /** Code points that no judge was shown, of the output and its context. */
  leftOut: z.number().int().min(0),
  /** Quotes of judges that occur nowhere. */
  unresolvedQuotes: z.number().int().min(0),
  usage: StoredJudgeUsage,
});
export type Judgement = z.infer<typeof Judgement>;
