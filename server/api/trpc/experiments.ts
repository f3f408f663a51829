import {
  cancelExperiment,
  compareExperiments,
  gateExperiment,
  getExperiment,
  listComparedItems,
  listExperimentRows,
  listExperiments,
  resumeExperiment,
  startExperiment,
  summarizeExperiments,
} from '../../experiments';
import {
  CompareIn,
  CompareItemsIn,
  ExperimentIn,
  ExperimentRowsIn,
  ExperimentsIn,
  GateIn,
  ResumeExperimentIn,
  StartExperimentIn,
  SummariesIn,
} from '../../experiments/input';
import { projectProcedure, router } from './builders';

export const experimentsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ExperimentsIn)
    .query(({ ctx, input: { project: _project, ...filters } }) =>
      listExperiments(ctx.project, filters),
    ),
  get: projectProcedure('verdicts.read')
    .input(ExperimentIn)
    .query(({ ctx, input }) => getExperiment(ctx.project, input.id)),
  rows: projectProcedure('verdicts.read')
    .input(ExperimentRowsIn)
    .query(({ ctx, input: { project: _project, id, ...filters } }) =>
      listExperimentRows(ctx.project, id, filters),
    ),
  /** Pass rates and costs of one page of the list. */
  summaries: projectProcedure('verdicts.read')
    .input(SummariesIn)
    .query(({ ctx, input: { ids } }) => summarizeExperiments(ctx.project, ids)),
  compare: projectProcedure('verdicts.read')
    .input(CompareIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      compareExperiments(ctx.project, wanted),
    ),
  compareItems: projectProcedure('verdicts.read')
    .input(CompareItemsIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      listComparedItems(ctx.project, wanted),
    ),
  /** The gate's decision; changes nothing. */
  gate: projectProcedure('verdicts.read')
    .input(GateIn)
    .query(({ ctx, input: { id, gate } }) => gateExperiment(ctx.project, { id, gate })),
  start: projectProcedure('prompts.write')
    .input(StartExperimentIn)
    .mutation(({ ctx, input: { project: _project, ...wanted } }) =>
      startExperiment(ctx.project, ctx.runtime.subjects, wanted),
    ),
  cancel: projectProcedure('prompts.write')
    .input(ExperimentIn)
    .mutation(({ ctx, input }) => cancelExperiment(ctx.project, input.id)),
  resume: projectProcedure('prompts.write')
    .input(ResumeExperimentIn)
    .mutation(({ ctx, input: { project: _project, id, ...wanted } }) =>
      resumeExperiment(ctx.project, id, wanted),
    ),
});
