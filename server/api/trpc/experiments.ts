import {
  compareExperiments,
  gateExperiment,
  getExperiment,
  listComparedItems,
  listExperiments,
} from '../../experiments';
import {
  CompareIn,
  CompareItemsIn,
  ExperimentIn,
  ExperimentsIn,
  GateIn,
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
});
