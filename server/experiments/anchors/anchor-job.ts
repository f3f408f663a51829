import { z } from 'zod';

/** The kind of job that judges a set; its id is the run's. */
export const anchorKind = 'calibration.judge_anchors';

/** The settings of a run from its first item to its last. */
export const AnchorJob = z.object({
  set: z.string(),
  verifier: z.string(),
  verifierVersion: z.number().int(),
});
export type AnchorJob = z.infer<typeof AnchorJob>;
