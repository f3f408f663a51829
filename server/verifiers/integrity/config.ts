import { z } from 'zod';

/** Settings of an integrity verifier; both default to the letter of the promise. */
export const IntegrityConfig = z.object({
  /** The user's own messages count as sources (INT-20). */
  allow_user_figures: z.boolean().default(false),
  /** Sums, differences, counts and the like of sourced values count as sourced (INT-19). */
  derived_counts_as_sourced: z.boolean().default(false),
});
export type IntegrityConfig = z.infer<typeof IntegrityConfig>;
