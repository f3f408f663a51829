import { z } from 'zod';
import { complexities } from '../../domain';
import { CheckpointVerdict } from '../checkpoint';

const rate = z.number().min(0).max(1);

/** What is scored, and what of the whole each counts (SOAR-3). */
export const dimensions = [
  { name: 'completeness', weight: 0.4 },
  { name: 'consistency', weight: 0.2 },
  { name: 'groundedness', weight: 0.2 },
  { name: 'routability', weight: 0.2 },
] as const;
export type Dimension = (typeof dimensions)[number]['name'];

const Scores = z.object({
  completeness: rate,
  consistency: rate,
  groundedness: rate,
  routability: rate,
});
export type Scores = z.infer<typeof Scores>;

/**
 * The member `decomposition` of a verdict; of one that did not pass it is the whole answer to give
 * to who asked (SOAR-13).
 */
export const DecompositionDetail = z.object({
  /** Read over by its own model, or by one that looks for what is wrong (SOAR-2). */
  option: z.enum(['self', 'adversarial']),
  complexity: z.enum(complexities),
  /** Null where no one scored it. */
  scores: Scores.nullable(),
  /** Computed from the scores, to 4 decimals (SOAR-4). */
  overall_score: rate.nullable(),
  /**
   * What the judge said that they come to, and what follows: kept for audit, and decides nothing
   * (SOAR-4, SOAR-10).
   */
  stated_overall: rate.nullable(),
  stated_verdict: z.string().nullable(),
  /** It was judged by the model that made it. */
  self_verified: z.boolean(),
  verdict: CheckpointVerdict.nullable(),
  issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  /** Why it did not pass in the end, in one sentence; null unless the verdict is FAIL. */
  error: z.string().nullable(),
  /** For the next prompt, as it is; null unless the verdict is RETRY (SOAR-12). */
  retry_feedback: z.string().nullable(),
});
export type DecompositionDetail = z.infer<typeof DecompositionDetail>;
