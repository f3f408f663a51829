import { z } from 'zod';
import { TrialOrder } from './trial-input';

/** The job kind that runs a trial; the job and the trial share one id. */
export const trialKind = 'prompts.try';

/**
 * The settings of a trial from its first subject to its last. Members with a default were added
 * later and are missing in trials of earlier releases.
 */
export const TrialJob = z.object({
  slug: z.string(),
  /** The version of option A. */
  version: z.number().int(),
  /** The judge of option A (`JudgeList`); null for the current one. */
  judge: z.string().nullable().default(null),
  /**
   * The version of option B; null if the candidate version is the current one.
   */
  production: z.number().int().nullable(),
  againstJudge: z.string().nullable().default(null),
  /**
   * The project's default judge and jury when the trial began, as `JudgeList`; '' if it had none.
   * Null in trials of an earlier release.
   */
  seats: z.string().nullable().default(null),
  /** Whether only held-out subjects are used. */
  heldOut: z.boolean().default(false),
  kind: z.string(),
  order: TrialOrder,
  seed: z.number().int(),
  /** The upper bound in US dollars estimated before the trial began; null if a price is unknown. */
  estimateUsd: z.number().nullable(),
  estimateTokens: z.number(),
});
export type TrialJob = z.infer<typeof TrialJob>;
