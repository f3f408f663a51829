import { getPipeline, listPipelines, summariseCheckpoints } from '../../verdicts';
import { GetPipelineIn, ListPipelinesIn, OverviewIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';

export const checkpointsRouter = router({
  summary: projectProcedure('verdicts.read')
    .input(OverviewIn)
    .query(({ ctx, input }) => summariseCheckpoints(ctx.project, { days: input.days })),
  pipelines: projectProcedure('verdicts.read')
    .input(ListPipelinesIn)
    .query(({ ctx, input: { project: _project, ...filters } }) =>
      listPipelines(ctx.project, filters),
    ),
  pipeline: projectProcedure('verdicts.read')
    .input(GetPipelineIn)
    .query(({ ctx, input }) => getPipeline(ctx.project, input.id)),
});
