import { z } from 'zod';

/** The member `checks` of a verdict. */
export const ChecksDetail = z.object({
  /** In the order of the definition. */
  results: z.array(
    z.object({
      check: z.string(),
      /** The requirement, for people to read. */
      name: z.string(),
      /** Null without a result. */
      met: z.boolean().nullable(),
      /** 0..1; null without a result. */
      value: z.number().min(0).max(1).nullable(),
      /** `unscored`: the subject lacks the data that the check needs. `failed`: the check broke. */
      state: z.enum(['scored', 'unscored', 'failed']),
      reasoning: z.string().nullable(),
      /** The query of the value that was checked; null for a check of the whole subject. */
      field: z.string().nullable(),
    }),
  ),
});
export type ChecksDetail = z.infer<typeof ChecksDetail>;
