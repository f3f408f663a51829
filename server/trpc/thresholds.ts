import { listThresholds, putThreshold } from '../thresholds';
import { ListThresholdsIn, PutThresholdIn } from '../thresholds/input';
import { projectProcedure, router } from './builders';

export const thresholdsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListThresholdsIn)
    .query(({ ctx, input }) => listThresholds(ctx.project, input.verifier)),
  put: projectProcedure('settings.write')
    .input(PutThresholdIn)
    .mutation(({ ctx, input: { project: _project, ...change } }) => putThreshold(ctx.project, change)),
});
