import { z } from 'zod';
import { TrialOrder } from './trial-input';

/** The kind of job that a trial is; its id is the trial's. */
export const trialKind = 'prompts.try';

/**
 * What a trial goes by from its first subject to its last. Members with a default came later:
 * trials of an earlier release have none.
 */
export const TrialJob = z.object({
  slug: z.string(),
  /** Of option A. */
  version: z.number().int(),
  /** Who judges for option A (`JudgeSeats`); null: whoever would judge now. */
  judge: z.string().nullable().default(null),
  /** Of option B; null where there is none: what is tried is what runs. */
  production: z.number().int().nullable(),
  againstJudge: z.string().nullable().default(null),
  /**
   * The project's default judge and jury when the trial began, as `JudgeSeats`; '' where it had
   * none. Null: an earlier release's trial.
   */
  seats: z.string().nullable().default(null),
  /** Only subjects that are held out for tests were taken. */
  heldOut: z.boolean().default(false),
  kind: z.string(),
  order: TrialOrder,
  seed: z.number().int(),
  /**
   * As it was estimated before the trial began: at most. US dollars; null where a price is not
   * known.
   */
  estimateUsd: z.number().nullable(),
  estimateTokens: z.number(),
});
export type TrialJob = z.infer<typeof TrialJob>;
