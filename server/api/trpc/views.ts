import { listViews, removeView, renameView, saveView } from '../../access';
import { IdIn, ProjectRef, RenameViewIn, SaveViewIn } from '../../access/input';
import { projectProcedure, router } from './builders';

/**
 * Saved filters of lists. Every reader may keep private views; shared ones need more rights
 * (`server/access/saved-views.ts`).
 */
export const viewsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listViews(ctx.project)),
  save: projectProcedure('verdicts.read')
    .input(SaveViewIn)
    .mutation(({ ctx, input: { project: _project, ...view } }) => saveView(ctx.project, view)),
  rename: projectProcedure('verdicts.read')
    .input(RenameViewIn)
    .mutation(({ ctx, input: { id, name } }) => renameView(ctx.project, { id, name })),
  remove: projectProcedure('verdicts.read')
    .input(IdIn)
    .mutation(({ ctx, input }) => removeView(ctx.project, input.id)),
});
