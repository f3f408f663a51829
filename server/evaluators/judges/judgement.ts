import { z } from 'zod';
import { Evidence } from '../../domain';

const JudgeUsage = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  costUsd: z.number(),
  priceUnknown: z.boolean(),
  /** Judgements that earlier releases kept do not have it. */
  replaced: z
    .array(z.object({ model: z.string(), by: z.string(), reason: z.string() }))
    .readonly()
    .default([]),
});

const rate = z.number().min(0).max(1);

/** What was found of one criterion; `value` 0..1. */
const JudgedCriterion = z.object({
  /** From 0, in the order of the question. */
  index: z.number().int().min(0),
  value: rate,
  reasoning: z.string(),
  evidence: z.array(Evidence),
  /** After the quotes were looked up. */
  confidence: rate,
  /** How a jury came out on whether it is met; one judge is of one mind. */
  vote: z.enum(['unanimous', 'majority', 'tie']),
});
export type JudgedCriterion = z.infer<typeof JudgedCriterion>;

/** What judges found of one output. It can be stored and read back (VS-43). */
export const Judgement = z.object({
  /** Who judged, as the providers name them; several form a jury. */
  models: z.array(z.string()),
  criteria: z.array(JudgedCriterion),
  quality: z.array(z.object({ dimension: z.string(), reasoning: z.string(), value: rate })),
  suggestions: z.array(z.string()),
  /** Of the whole (VS-26). */
  confidence: rate,
  /** Judges of the jury that gave nothing. */
  absent: z.array(z.string()),
  /** Code points that no judge was shown, of the output and what it was judged by. */
  leftOut: z.number().int().min(0),
  /** Passages that judges copied and that stand nowhere. */
  unresolvedQuotes: z.number().int().min(0),
  usage: JudgeUsage,
});
export type Judgement = z.infer<typeof Judgement>;
