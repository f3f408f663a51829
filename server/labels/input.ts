import { z } from 'zod';
import { ProjectRef } from '../access/input';
import { displayName, intakeLimits } from '../domain';

const Id = z.string().min(1).max(intakeLimits.idChars);
const Rater = displayName(200)
  .nullish()
  .describe("Who labels. Another name than the key's own needs the scope `impersonate`.");
const Probability = z
  .number()
  .gt(0)
  .max(1)
  .nullish()
  .describe('The probability with which the item was sampled; omitted if the rater chose it.');
/** When the label was given; accepted only in a simulated project. */
const LabelledAt = z.iso.datetime({ offset: true }).nullish();

/**
 * Ground truth about one subject, as callers send it (api.md, Intake): whether it worked in the
 * end.
 */
export const WireOutcome = z
  .object({
    id: Id.nullish(),
    subject_id: Id.nullish(),
    verification_id: Id.nullish().describe(
      "In place of `subject_id`: one of the subject's verifications.",
    ),
    turn_id: Id.nullish(),
    success: z.boolean().nullish(),
    score: z.number().min(0).max(1).nullish(),
    source: z
      .string()
      .max(200)
      .nullish()
      .describe(
        'Where the outcome comes from, such as a program or a channel. Never counts as the rater.',
      ),
    rater: Rater,
    note: z.string().max(10_000).nullish(),
    created_at: LabelledAt,
  })
  .refine(
    ({ subject_id, turn_id, verification_id }) =>
      (subject_id ?? turn_id ?? verification_id ?? null) !== null,
    {
      path: ['subject_id'],
      message: 'is required, or `verification_id`, or `turn_id`',
    },
  )
  .refine(({ subject_id, turn_id }) => (subject_id ?? turn_id) === (turn_id ?? subject_id), {
    path: ['turn_id'],
    message: 'names another subject than `subject_id`; send one of them',
  })
  .refine(({ success, score }) => (success ?? score ?? null) !== null, {
    path: ['success'],
    message: 'is required, or `score`',
  });
export type WireOutcome = z.infer<typeof WireOutcome>;

const Reason = z.string().max(10_000);
/** VS-48: a person's star rating. */
const Grade = z.number().int().min(1).max(5);
const Verdict = z.string().min(1).max(100);

/**
 * A person's action on work that did not pass (VS-28). No action implies that the verifier was
 * wrong.
 */
export const FollowUpAction = z.enum(['retry', 'escalate', 'accept_with_warning']);
export type FollowUpAction = z.infer<typeof FollowUpAction>;

/** A person's ruling on one verification, as callers send it (api.md, Verify). */
export const WireOverride = z
  .object({
    id: Id.nullish(),
    verdict: Verdict.nullish().describe("`pass`, `fail`, or a verdict of the verifier's kind."),
    reason: Reason.nullish().describe(
      'Required to overrule the verifier, and to accept with a warning.',
    ),
    grade: Grade.nullish(),
    action: FollowUpAction.nullish(),
    rater: Rater,
    probability: Probability,
    blind: z
      .boolean()
      .nullish()
      .describe(
        "A vote: the rater did not see the verdict or others' rulings. The majority of the votes counts until someone who sees the verdict rules.",
      ),
    created_at: LabelledAt,
  })
  .refine(({ verdict, grade, action }) => (verdict ?? grade ?? action ?? null) !== null, {
    path: ['verdict'],
    message: 'is required, or `grade`, or `action`',
  });
export type WireOverride = z.infer<typeof WireOverride>;

/**
 * A person's label on a subject or a verification, as callers send it (online.md, Reading back): a
 * ruling, a grade or a score.
 */
export const WireLabel = z
  .object({
    id: Id.nullish(),
    turn_id: Id.nullish().describe('The subject, by exactly one of three members.'),
    subject_id: Id.nullish(),
    verification_id: Id.nullish(),
    verifier: z
      .string()
      .min(1)
      .max(100)
      .nullish()
      .describe('The verifier whose work is labelled; may be omitted with `verification_id`.'),
    verdict: Verdict.nullish().describe("`pass`, `fail`, or a verdict of the verifier's kind."),
    score: z.number().min(0).max(1).nullish(),
    grade: Grade.nullish(),
    reason: Reason.nullish().describe('Required to overrule a verdict, unless `blind`.'),
    rater: Rater,
    probability: Probability,
    blind: z.boolean().nullish().describe('A vote: the rater did not see the verdict.'),
    created_at: LabelledAt,
  })
  .refine((label) => subjectsNamed(label) > 0, {
    path: ['turn_id'],
    message: 'is required, or `subject_id`, or `verification_id`',
  })
  .refine((label) => subjectsNamed(label) < 2, {
    path: ['turn_id'],
    message: 'must be the only one of `turn_id`, `subject_id` and `verification_id`',
  })
  .refine(({ verification_id, verifier }) => (verification_id ?? verifier ?? null) !== null, {
    path: ['verifier'],
    message: 'is required, unless `verification_id` is sent',
  })
  .refine(({ verdict, score, grade }) => (verdict ?? score ?? grade ?? null) !== null, {
    path: ['verdict'],
    message: 'is required, or `score`, or `grade`',
  });
export type WireLabel = z.infer<typeof WireLabel>;

function subjectsNamed(label: {
  readonly turn_id?: string | null | undefined;
  readonly subject_id?: string | null | undefined;
  readonly verification_id?: string | null | undefined;
}): number {
  const { turn_id, subject_id, verification_id } = label;
  return [turn_id, subject_id, verification_id].filter((id) => id != null).length;
}

const VerdictRef = ProjectRef.extend({ id: Id });
export const OverrideIn = VerdictRef.extend({
  verdict: Verdict,
  reason: Reason.optional(),
  grade: Grade.optional(),
});
export const GradeIn = VerdictRef.extend({ grade: Grade, reason: Reason.optional() });
export const FollowUpIn = VerdictRef.extend({ action: FollowUpAction, reason: Reason.optional() });
export {
  AssignItemIn,
  type AssignmentFilter,
  assignmentFilters,
  ReviewFilterIn,
  ItemIn,
  NextItemsIn,
  PoliciesIn,
  PutPolicyIn,
  PutReviewSettingsIn,
  ReviewAnswer,
  ReviewQueue,
  ReviewSettingsBody,
  RuleItemIn,
  reviewLimits,
  reviewQueues,
} from './review/review-input';
