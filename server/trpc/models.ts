import { ProjectRef } from '../access/input';
import { listModelPerformance } from '../verdicts';
import { projectProcedure, router } from './builders';

export const modelsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listModelPerformance(ctx.project)),
});
