import { z } from 'zod';
import { Probe } from './probe-input';

/** The kind of job that runs a probe; its id is the run's. */
export const probeKind = 'calibration.probe';

/** The settings of a probe from its first answer to its last. */
export const ProbeJob = z.object({
  verifier: z.string(),
  verifierVersion: z.number().int(),
  probe: Probe,
  seed: z.number().int(),
  /** US dollars; null: no limit besides the estimate. */
  budgetUsd: z.number().nullable(),
  /** The estimate before it began: an upper bound; null if a price is unknown. */
  estimateUsd: z.number().nullable(),
});
export type ProbeJob = z.infer<typeof ProbeJob>;
