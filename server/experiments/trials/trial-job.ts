import { z } from 'zod';
import { TrialOrder } from './trial-input';

/** The kind of job that runs a trial; its id is the trial's. */
export const trialKind = 'prompts.try';

/**
 * The settings of a trial from its first subject to its last. Members with a default were added
 * later: trials of an earlier release have none.
 */
export const TrialJob = z.object({
  slug: z.string(),
  /** Of option A. */
  version: z.number().int(),
  /** The judge of option A (`JudgeList`); null: the current one. */
  judge: z.string().nullable().default(null),
  /** Of option B; null if there is none: the tried version is the current one. */
  production: z.number().int().nullable(),
  againstJudge: z.string().nullable().default(null),
  /**
   * The project's default judge and jury when the trial began, as `JudgeList`; '' if it had none.
   * Null: an earlier release's trial.
   */
  seats: z.string().nullable().default(null),
  /** Only held-out subjects are used. */
  heldOut: z.boolean().default(false),
  kind: z.string(),
  order: TrialOrder,
  seed: z.number().int(),
  /** The upper bound estimated before the trial began. US dollars; null if a price is unknown. */
  estimateUsd: z.number().nullable(),
  estimateTokens: z.number(),
});
export type TrialJob = z.infer<typeof TrialJob>;
