import { z } from 'zod';
import { Probe } from './probe-input';

/** The kind of job that a probe is; its id is the run's. */
export const probeKind = 'calibration.probe';

/** What a probe goes by from its first answer to its last. */
export const ProbeJob = z.object({
  verifier: z.string(),
  verifierVersion: z.number().int(),
  probe: Probe,
  seed: z.number().int(),
  /** US dollars; null: no bound but the estimate. */
  budgetUsd: z.number().nullable(),
  /** As it was before it began: at most; null where a price is not known. */
  estimateUsd: z.number().nullable(),
});
export type ProbeJob = z.infer<typeof ProbeJob>;
