import { z } from 'zod';

/** A value in a verifier's config. */
export const ConfigValue = z.union([
  z.boolean(),
  z.number(),
  z.string().max(200),
  z.array(z.string().max(200)).max(50),
]);
export type ConfigValue = z.infer<typeof ConfigValue>;

/** A change of a verifier's config: null restores the default, an omitted member is unchanged. */
export const ConfigBody = z.strictObject({
  config: z
    .record(z.string().min(1).max(100), ConfigValue.nullable())
    .refine((given) => Object.keys(given).length <= 50, 'must have at most 50 members'),
  reason: z.string().max(1000).nullable().default(null),
});
export type ConfigBody = z.infer<typeof ConfigBody>;
