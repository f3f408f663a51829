import { z } from 'zod';
import { IdIn, ProjectRef } from '../access/input';

const DeletionKind = z.enum(['session', 'trace', 'turn', 'user']);
export type DeletionKind = z.infer<typeof DeletionKind>;

/** The item to delete, with its id as callers sent it. */
export const RequestDeletionBody = z.strictObject({
  kind: DeletionKind,
  id: z.string().min(1).max(300),
});
export const RequestDeletionIn = ProjectRef.extend(RequestDeletionBody.shape);

/** The slug is repeated as a confirmation. */
export const RemoveProjectIn = ProjectRef.extend({ slug: z.string().min(1).max(100) });

const Days = z.number().int().min(1).max(36_500).nullable();

/** The retention of a project's data; null means forever. */
export const Retention = z
  .strictObject({
    contentDays: Days,
    recordDays: Days,
    keepLabelled: z.boolean(),
  })
  .refine(
    ({ contentDays, recordDays }) =>
      recordDays === null || (contentDays !== null && contentDays <= recordDays),
    {
      path: ['recordDays'],
      message: 'must be at least as long as the retention of content',
    },
  );
export type Retention = z.infer<typeof Retention>;
export const RetentionIn = ProjectRef.extend({ retention: Retention });

export const ExportPartIn = IdIn.extend({ ordinal: z.number().int().min(0).max(1_000_000) });
