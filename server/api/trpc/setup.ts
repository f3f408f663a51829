import { ProjectRef } from '../../access/input';
import { getSetup, hideSetup } from '../../verdicts';
import { HideSetupIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';

export const setupRouter = router({
  get: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => getSetup(ctx.project)),
  /** Hides it for the caller only. */
  hide: projectProcedure('project.read')
    .input(HideSetupIn)
    .mutation(({ ctx, input: { hidden } }) => hideSetup(ctx.project, { hidden })),
});
