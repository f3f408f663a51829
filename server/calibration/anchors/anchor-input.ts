import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { intakeLimits } from '../../domain';

const Id = z.string().min(1).max(intakeLimits.idChars);
const Slug = z.string().min(1).max(300);

export const anchorLimits = { items: 500, nameChars: 200 } as const;

export const AnchorsIn = ProjectRef.extend({ verifier: Slug });
export const AnchorIn = ProjectRef.extend({ id: Id });
/** Freezes labelled subjects of a verifier: half good and half bad as far as there are, drawn by the seed. `cron` null: judged by hand only. */
export const FreezeAnchorsIn = AnchorsIn.extend({
  name: z.string().trim().min(1).max(anchorLimits.nameChars),
  items: z.number().int().min(10).max(anchorLimits.items),
  seed: z.number().int().min(0).max(1_000_000_000).default(1),
  cron: z.string().trim().min(1).max(200).nullable(),
  zone: z.string().min(1).max(100).default('UTC'),
});
