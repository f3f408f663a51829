import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { intakeLimits } from '../../domain';

const Id = z.string().min(1).max(intakeLimits.idChars);
const Slug = z.string().min(1).max(300);

export const probeLimits = { items: 200, repeats: 10, answers: 1_000, page: 25 } as const;

/** The tested property of a judge (calibration.md 5.8). */
export const Probe = z.enum(['repeatability', 'order', 'length', 'self_preference', 'canaries']);
export type Probe = z.infer<typeof Probe>;

export const ProbeBody = z.strictObject({
  probe: Probe,
  /**
   * Maximum number of subjects. Ignored for canaries, which come with the release, and for
   * self-preference, which uses earlier verdicts.
   */
  items: z.number().int().min(1).max(probeLimits.items).default(20),
  /** Judgements per item, for repeatability and canaries; other probes judge each form once. */
  repeats: z.number().int().min(1).max(probeLimits.repeats).default(5),
  /** The same seed draws the same subjects. */
  seed: z.number().int().min(0).max(1_000_000_000).default(1),
  /** Maximum cost in US dollars; null means no limit on the estimate. */
  budget_usd: z.number().min(0).max(1_000_000).nullable().default(null),
});
export type ProbeBody = z.infer<typeof ProbeBody>;

export const ProbesIn = ProjectRef.extend({ verifier: Slug });
export const StartProbeIn = ProbesIn.extend(ProbeBody.shape);
export const ProbeIn = ProjectRef.extend({
  id: Id,
  /** Return items after this one. */
  after: z.number().int().min(-1).max(1_000_000).default(-1),
  /** Return only items with differing decisions; for canaries, only those that passed. */
  moved: z.boolean().default(false),
});
