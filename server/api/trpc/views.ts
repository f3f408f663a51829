import { listViews, removeView, renameView, saveView } from '../../access';
import { IdIn, ProjectRef, RenameViewIn, SaveViewIn } from '../../access/input';
import { projectProcedure, router } from './builders';

/**
 * Filters of lists under a name. Who may read keeps views of one's own; what is shared asks for
 * more (`server/access/saved-views.ts`).
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
