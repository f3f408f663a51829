import { z } from 'zod';

/**
 * The role of a judge: none, a separate score that is only reported, or an effect on the verdict.
 */
const secondOpinions = ['off', 'report', 'decides'] as const;

/** Settings of an integrity verifier; the defaults follow the requirements literally. */
export const IntegrityConfig = z.object({
  /** The user's own messages count as sources (INT-20). */
  allow_user_figures: z.boolean().default(false),
  /** Sums, differences, counts and the like of sourced values count as sourced (INT-19). */
  derived_counts_as_sourced: z.boolean().default(false),
  /** A judge evaluates statements that the figure check leaves undecided. */
  second_opinion: z.enum(secondOpinions).default('off'),
});
export type IntegrityConfig = z.infer<typeof IntegrityConfig>;
