import { z } from 'zod';
import { subjectTargets } from '../domain';

export { type Starter, verifierStarters } from './starters';

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

/** Names that a verifier of a project cannot have: a target of rules is not a verifier. */
const reserved: ReadonlySet<string> = new Set([...subjectTargets, 'all', 'none', 'imported']);

/** The slug of a verifier that a project defines. */
export const VerifierSlug = z
  .string()
  .regex(
    /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/,
    'must be lower-case letters, digits and single hyphens, beginning with a letter',
  )
  .max(60)
  .refine((slug) => !reserved.has(slug), 'is reserved; choose another slug');

/**
 * The common members of a definition (online.md 3), for the description of the API; the kind checks
 * all of it.
 */
export const DefinitionBody = z.looseObject({
  slug: z.string().optional(),
  kind: z.string(),
  name: z.string().optional(),
});
