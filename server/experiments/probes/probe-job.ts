import { z } from 'zod';
import { Probe } from './probe-input';

/** The job kind that runs a probe; the job and the run share one id. */
export const probeKind = 'calibration.probe';

/** The settings of a probe from its first answer to its last. */
export const ProbeJob = z.object({
  verifier: z.string(),
  verifierVersion: z.number().int(),
  probe: Probe,
  seed: z.number().int(),
  /** US dollars; null means no limit other than the estimate. */
  budgetUsd: z.number().nullable(),
  /** The upper bound estimated before the probe began; null if a price is unknown. */
  estimateUsd: z.number().nullable(),
});
export type ProbeJob = z.infer<typeof ProbeJob>;
