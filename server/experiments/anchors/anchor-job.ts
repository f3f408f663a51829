import { z } from 'zod';

/** The job kind that judges a set; the job and the run share one id. */
export const anchorKind = 'calibration.judge_anchors';

/** The settings of a run from its first item to its last. */
export const AnchorJob = z.object({
  set: z.string(),
  verifier: z.string(),
  verifierVersion: z.number().int(),
});
export type AnchorJob = z.infer<typeof AnchorJob>;
