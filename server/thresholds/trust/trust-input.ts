import { z } from 'zod';

const Project = z.object({ project: z.string().min(2).max(40) });
const Slug = z.string().min(1).max(100);

/**
 * The field of a required slice: the model that did the work, QEL's tier, SOAR's complexity, or the
 * mission. The judge is not a field, because each judge has separate trust.
 */
const trustSliceFields = ['model', 'tier', 'complexity', 'mission'] as const;
export const TrustSlice = z.strictObject({
  by: z.enum(trustSliceFields),
  value: z.string().trim().min(1).max(500),
});
export type TrustSlice = z.infer<typeof TrustSlice>;

export const trustLimits = { slices: 20, halfLifeDays: 3650 } as const;

export const TrustSettingsBody = z.strictObject({
  /** If true, the verifier may block and steer only while it is `qualified`. */
  enforceTrust: z.boolean(),
  /** Minimum for the lower bound of the catch rate, 0 to 1. */
  catchTarget: z.number().gt(0).lt(1),
  /** Maximum for the upper bound of false rejections of good items, 0 to 1. */
  falseRejectionTarget: z.number().gt(0).lt(1),
  /** Slices that must each meet both targets. */
  requiredSlices: z
    .array(TrustSlice)
    .max(trustLimits.slices)
    .refine(
      (slices) =>
        new Set(slices.map(({ by, value }) => JSON.stringify([by, value]))).size === slices.length,
      {
        message: 'must name each slice once',
      },
    ),
  /** Age in days at which a label counts half; with 0, labels do not age. */
  halfLifeDays: z.number().int().min(0).max(trustLimits.halfLifeDays),
});
export type TrustSettingsBody = z.infer<typeof TrustSettingsBody>;

export const TrustHistoryIn = z.strictObject({ ...Project.shape, verifier: Slug });
/**
 * A null `verifier` means all verifiers without their own settings; null `settings` remove its own
 * settings.
 */
export const PutTrustSettingsIn = z.strictObject({
  ...Project.shape,
  verifier: Slug.nullable(),
  settings: TrustSettingsBody.nullable(),
});
