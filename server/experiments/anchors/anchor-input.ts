import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { displayName, intakeLimits, plainName } from '../../domain';

const Id = z.string().min(1).max(intakeLimits.idChars);
const Slug = z.string().min(1).max(300);

export const anchorLimits = { minItems: 10, items: 500, nameChars: 200 } as const;

const Items = z.number().int().min(anchorLimits.minItems).max(anchorLimits.items);
const Seed = z.number().int().min(0).max(1_000_000_000).default(1);

export const AnchorsIn = ProjectRef.extend({ verifier: Slug });
export const AnchorIn = ProjectRef.extend({ id: Id });
/** Previews a set: its content, and the cost of judging it once. */
export const PlanAnchorsIn = AnchorsIn.extend({ items: Items, seed: Seed });
/**
 * Freezes labelled subjects of a verifier, half of them good and half bad if possible, drawn by the
 * seed. With a null `cron` the set is judged only on demand.
 */
export const FreezeAnchorsIn = PlanAnchorsIn.extend({
  name: displayName(anchorLimits.nameChars),
  cron: plainName(200).trim().min(1, 'must not be empty').nullable(),
  zone: plainName(100).default('UTC'),
});
