import {
  assignItem,
  countWaiting,
  getReviewCounts,
  getReviewContent,
  listPolicies,
  listReviewSettings,
  listSimilarItems,
  putPolicy,
  putReviewSettings,
  releaseItem,
  reserveItems,
  ruleItem,
  undoItem,
} from '../../labels';
import {
  AssignItemIn,
  ReviewFilterIn,
  ItemIn,
  NextItemsIn,
  PoliciesIn,
  PutPolicyIn,
  PutReviewSettingsIn,
  RuleItemIn,
} from '../../labels/input';
import { ProjectRef } from '../../access/input';
import { maskedReason, projectProcedure, router } from './builders';

export const reviewRouter = router({
  counts: projectProcedure('verdicts.read')
    .input(ReviewFilterIn)
    .query(({ ctx, input: { project: _project, ...which } }) =>
      getReviewCounts(ctx.project, which),
    ),
  waiting: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => countWaiting(ctx.project)),
  /** Reserves items; those already reserved by this person come first. */
  next: projectProcedure('labels.write')
    .input(NextItemsIn)
    .mutation(({ ctx, input: { project: _project, ...which } }) =>
      reserveItems(ctx.project, which),
    ),
  content: projectProcedure('labels.write')
    .input(ItemIn)
    .query(({ ctx, input: { item } }) => getReviewContent(ctx.project, { item })),
  /** Open items to which the same ruling may apply. */
  similar: projectProcedure('labels.write')
    .input(ItemIn)
    .query(({ ctx, input: { item } }) => listSimilarItems(ctx.project, { item })),
  assign: projectProcedure('labels.write')
    .input(AssignItemIn)
    .mutation(({ ctx, input: { item, to } }) => assignItem(ctx.project, { item, to })),
  rule: projectProcedure('labels.write')
    .input(RuleItemIn)
    .mutation(async ({ ctx, input: { project: _project, ...said } }) =>
      ruleItem(ctx.project, { ...said, reason: await maskedReason(ctx, said.reason) }),
    ),
  undo: projectProcedure('labels.write')
    .input(ItemIn)
    .mutation(({ ctx, input: { item } }) => undoItem(ctx.project, { item })),
  release: projectProcedure('labels.write')
    .input(ItemIn)
    .mutation(({ ctx, input: { item } }) => releaseItem(ctx.project, { item })),
  settings: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listReviewSettings(ctx.project)),
  putSettings: projectProcedure('settings.write')
    .input(PutReviewSettingsIn)
    .mutation(({ ctx, input: { verifier, settings } }) =>
      putReviewSettings(ctx.project, { verifier, settings }),
    ),
  policies: projectProcedure('verdicts.read')
    .input(PoliciesIn)
    .query(({ ctx, input: { verifier } }) => listPolicies(ctx.project, { verifier })),
  putPolicy: projectProcedure('settings.write')
    .input(PutPolicyIn)
    .mutation(({ ctx, input: { project: _project, ...policy } }) => putPolicy(ctx.project, policy)),
});
