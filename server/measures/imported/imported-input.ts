import { z } from 'zod';
import { ProjectRef } from '../../access/input';

const Name = z.string().min(1).max(500);

/**
 * Filters for imported judgements by judge, dimension, source of the turns, and model. Omitted
 * means all.
 */
export const ImportedWanted = z.object({
  judge: Name.optional(),
  dimension: z.string().min(1).max(200).optional(),
  source: z.string().min(1).max(200).optional(),
  model: z.string().min(1).max(300).optional(),
});
export type ImportedWanted = z.infer<typeof ImportedWanted>;

export const ImportedIn = ProjectRef.extend(ImportedWanted.shape);
