import { z } from 'zod';

/** How a judge takes part: not at all, by a score of its own, or in the verdict. */
const secondOpinions = ['off', 'report', 'decides'] as const;

/** Settings of an integrity verifier; all default to the letter of the promise. */
export const IntegrityConfig = z.object({
  /** The user's own messages count as sources (INT-20). */
  allow_user_figures: z.boolean().default(false),
  /** Sums, differences, counts and the like of sourced values count as sourced (INT-19). */
  derived_counts_as_sourced: z.boolean().default(false),
  /** A judge reads the statements that figures do not decide. */
  second_opinion: z.enum(secondOpinions).default('off'),
});
export type IntegrityConfig = z.infer<typeof IntegrityConfig>;
