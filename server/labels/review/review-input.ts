import { z } from 'zod';
import { ProjectRef } from '../../access/input';
import { intakeLimits } from '../../domain';

/**
 * Why a verdict is in the review queue. `must_see`: the verifier requested a person, or found
 * something critical; `contested`: blind votes disagree; `uncertain`: near its threshold, or of low
 * confidence; `disagreement`: another verifier, judge or report contradicts it; `audit`: drawn at
 * random, with its probability stored.
 */
export const reviewQueues = [
  'must_see',
  'contested',
  'uncertain',
  'disagreement',
  'audit',
] as const;
export const ReviewQueue = z.enum(reviewQueues);
export type ReviewQueue = z.infer<typeof ReviewQueue>;

/** A reviewer's answer. `unsure` is an abstention: the item then waits for another person. */
export const ReviewAnswer = z.enum(['pass', 'fail', 'unsure']);
export type ReviewAnswer = z.infer<typeof ReviewAnswer>;

const Id = z.string().min(1).max(intakeLimits.idChars);
const Slug = z.string().min(1).max(300);

export const reviewLimits = {
  reserved: 20,
  reasonChars: 10_000,
  policyChars: 100_000,
  raters: 9,
  /** Rulings that a person makes at once. */
  bulk: 21,
} as const;

/** Open items that are assigned to the reader, or to no one. */
export const assignmentFilters = ['mine', 'none'] as const;
export type AssignmentFilter = (typeof assignmentFilters)[number];

/** Filters open items by verifier, queue and assignment, or not at all. */
export const ReviewFilterIn = ProjectRef.extend({
  verifier: Slug.optional(),
  queue: ReviewQueue.optional(),
  assigned: z.enum(assignmentFilters).optional(),
});
export const NextItemsIn = ReviewFilterIn.extend({
  limit: z.number().int().min(1).max(reviewLimits.reserved),
});
export const ItemIn = ProjectRef.extend({ item: Id });
/** `to`: the email of a member who may rule; null for no one. */
export const AssignItemIn = ItemIn.extend({ to: z.string().min(1).max(320).nullable() });
export const RuleItemIn = ItemIn.extend({
  answer: ReviewAnswer,
  reason: z.string().max(reviewLimits.reasonChars).optional(),
  grade: z.number().int().min(1).max(5).optional(),
  /** How many items the person ruled on at once; recorded in the audit log. */
  bulk: z.number().int().min(2).max(reviewLimits.bulk).optional(),
});

export const ReviewSettingsBody = z.object({
  /** The share of decided verdicts that is drawn at random. */
  auditRate: z.number().min(0).max(1),
  /** The width around the threshold, as a share of the verifier's scale. */
  uncertainBand: z.number().min(0).max(0.5),
  raters: z.number().int().min(1).max(reviewLimits.raters),
  blind: z.boolean(),
});
export type ReviewSettingsBody = z.infer<typeof ReviewSettingsBody>;
/** `verifier` null for all verifiers without their own settings. */
export const PutReviewSettingsIn = ProjectRef.extend({
  verifier: Slug.nullable(),
  settings: ReviewSettingsBody,
});

export const PoliciesIn = ProjectRef.extend({ verifier: Slug });
export const PutPolicyIn = PoliciesIn.extend({
  body: z.string().trim().min(1).max(reviewLimits.policyChars),
  message: z.string().trim().max(500),
});
