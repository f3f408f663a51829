import { z } from 'zod';

export const ListJobsIn = z.strictObject({
  project: z.string().min(2).max(40),
  kind: z.string().max(100).optional(),
  limit: z.number().int().min(1).max(200).optional(),
});
