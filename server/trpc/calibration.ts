import { listJudgements, measureVerifier, measureVerifiers, periodStart } from '../calibration';
import { ListJudgementsIn, MeasureIn, MeasuresIn } from '../calibration/input';
import { projectProcedure, router } from './builders';

export const calibrationRouter = router({
  list: projectProcedure('verdicts.read')
    .input(MeasuresIn)
    .query(async ({ ctx, input }) => {
      const from = periodStart(ctx.project.clock.now(), input.days);
      return { from: from ?? null, verifiers: await measureVerifiers(ctx.project, { from }) };
    }),
  get: projectProcedure('verdicts.read')
    .input(MeasureIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) => measureVerifier(ctx.project, wanted)),
  rows: projectProcedure('verdicts.read')
    .input(ListJudgementsIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) => listJudgements(ctx.project, wanted)),
});
