import { IdIn } from '../../access/input';
import { listLabelsOf, overrideVerdict, undoLabel } from '../../labels';
import { GradeIn, OverrideIn, FollowUpIn } from '../../labels/input';
import { maskedReason, projectProcedure, router } from './builders';

export const labelsRouter = router({
  ofVerdict: projectProcedure('verdicts.read')
    .input(IdIn)
    .query(({ ctx, input }) => listLabelsOf(ctx.project, input.id)),
  override: projectProcedure('labels.write')
    .input(OverrideIn)
    .mutation(async ({ ctx, input: { verdict, grade, id, ...input } }) => {
      const reason = await maskedReason(ctx, input.reason);
      const label = await overrideVerdict(ctx.project, { verdictId: id, verdict, reason, grade });
      return { id: label.id };
    }),
  grade: projectProcedure('labels.write')
    .input(GradeIn)
    .mutation(async ({ ctx, input: { grade, id, ...input } }) => {
      const reason = await maskedReason(ctx, input.reason);
      const label = await overrideVerdict(ctx.project, { verdictId: id, reason, grade });
      return { id: label.id };
    }),
  decide: projectProcedure('labels.write')
    .input(FollowUpIn)
    .mutation(async ({ ctx, input: { action, id, ...input } }) => {
      const reason = await maskedReason(ctx, input.reason);
      const label = await overrideVerdict(ctx.project, { verdictId: id, action, reason });
      return { id: label.id };
    }),
  undo: projectProcedure('labels.write')
    .input(IdIn)
    .mutation(({ ctx, input }) => undoLabel(ctx.project, input.id)),
});
