import { z } from 'zod';
import { complexities } from '../../domain';
import { CheckpointVerdict } from '../checkpoint';

const rate = z.number().min(0).max(1);

/** The scored dimensions, and their weights (SOAR-3). */
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
 * The member `decomposition` of a verdict. If the verdict is not a pass, callers return it
 * unchanged as their whole answer (SOAR-13).
 */
export const DecompositionDetail = z.object({
  /** Reviewed by the planner's own model, or by an adversarial judge (SOAR-2). */
  option: z.enum(['self', 'adversarial']),
  complexity: z.enum(complexities),
  /** Null if no judge scored it. */
  scores: Scores.nullable(),
  /** Computed from the scores, to 4 decimals (SOAR-4). */
  overall_score: rate.nullable(),
  /**
   * The overall score and verdict that the judge stated: stored for audit, without effect (SOAR-4,
   * SOAR-10).
   */
  stated_overall: rate.nullable(),
  stated_verdict: z.string().nullable(),
  /** The model that made the decomposition also judged it. */
  self_verified: z.boolean(),
  verdict: CheckpointVerdict.nullable(),
  issues: z.array(z.string()),
  suggestions: z.array(z.string()),
  /** Why it finally failed, in one sentence; null unless the verdict is FAIL. */
  error: z.string().nullable(),
  /** For the next prompt, to be used verbatim; null unless the verdict is RETRY (SOAR-12). */
  retry_feedback: z.string().nullable(),
});
export type DecompositionDetail = z.infer<typeof DecompositionDetail>;
