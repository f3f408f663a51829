import { ProjectRef } from '../../access/input';
import { listModelDays, listModels } from '../../verdicts';
import { projectProcedure, router } from './builders';

export const modelsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listModels(ctx.project)),
  days: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listModelDays(ctx.project)),
});
