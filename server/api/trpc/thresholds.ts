import { listFlips, listThresholdChanges, simulateThreshold } from '../../experiments';
import { FlipsIn, SimulateIn } from '../../experiments/input';
import { applyThresholds, listThresholds, putThreshold, undoThreshold } from '../../thresholds';
import {
  ApplyThresholdsIn,
  ListThresholdsIn,
  PutThresholdIn,
  ThresholdChangesIn,
  UndoThresholdIn,
} from '../../thresholds/input';
import { projectProcedure, router } from './builders';

export const thresholdsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListThresholdsIn)
    .query(({ ctx, input }) => listThresholds(ctx.project, input.verifier)),
  put: projectProcedure('settings.write')
    .input(PutThresholdIn)
    .mutation(({ ctx, input: { project: _project, ...change } }) =>
      putThreshold(ctx.project, change),
    ),
  putAll: projectProcedure('settings.write')
    .input(ApplyThresholdsIn)
    .mutation(async ({ ctx, input: { verifier, body } }) => ({
      applied: await applyThresholds(ctx.project, {
        verifier,
        missionId: body.scope.mission_id,
        taskId: body.scope.task_id,
        reason: body.reason,
        changes: body.changes.map(({ key, value, expected_version: expectedVersion }) => ({
          key,
          value,
          expectedVersion,
        })),
      }),
    })),
  simulate: projectProcedure('verdicts.read')
    .input(SimulateIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      simulateThreshold(ctx.project, wanted),
    ),
  flips: projectProcedure('verdicts.read')
    .input(FlipsIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) => listFlips(ctx.project, wanted)),
  changes: projectProcedure('verdicts.read')
    .input(ThresholdChangesIn)
    .query(({ ctx, input: { verifier } }) => listThresholdChanges(ctx.project, { verifier })),
  undo: projectProcedure('settings.write')
    .input(UndoThresholdIn)
    .mutation(({ ctx, input: { project: _project, ...which } }) =>
      undoThreshold(ctx.project, which),
    ),
});
