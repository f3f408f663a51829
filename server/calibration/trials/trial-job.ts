import { z } from 'zod';
import { TrialOrder } from './trial-input';

/** The kind of job that a trial is; its id is the trial's. */
export const trialKind = 'prompts.try';

/** What a trial goes by from its first subject to its last. */
export const TrialJob = z.object({
  slug: z.string(),
  version: z.number().int(),
  /** Null where the version that is tried is the one in production. */
  production: z.number().int().nullable(),
  kind: z.string(),
  order: TrialOrder,
  seed: z.number().int(),
  /** As it was estimated before the trial began: at most. US dollars; null where a price is not known. */
  estimateUsd: z.number().nullable(),
  estimateTokens: z.number(),
});
export type TrialJob = z.infer<typeof TrialJob>;
