import type { z } from 'zod';
import { listMarks } from '../../alerts';
import { measureCaughtCosts, periodStart } from '../../measures';
import { ChangeMarksIn, VerifierMeasuresIn } from '../../measures/input';
import { listGatewayDays } from '../../gateway';
import { GatewayPeriodIn } from '../../gateway/input';
import { listModelScores, readVerdictHistory, readScores } from '../../verdicts';
import { ModelScoresIn, OverviewIn } from '../../verdicts/input';
import { projectProcedure, router } from './builders';

/**
 * Data of the console's charts, all from counts updated as verdicts settle: no chart reads
 * verdicts.
 */
export const chartsRouter = router({
  history: projectProcedure('verdicts.read')
    .input(OverviewIn)
    .query(({ ctx, input: { days } }) => readVerdictHistory(ctx.project, { days })),
  marks: projectProcedure('verdicts.read')
    .input(ChangeMarksIn)
    .query(({ ctx, input: { days, verifier } }) =>
      listMarks(ctx.project, { from: startOf(ctx.project.clock.now(), days), verifier }),
    ),
  scores: projectProcedure('verdicts.read')
    .input(VerifierMeasuresIn)
    .query(({ ctx, input: { verifier, days } }) =>
      readScores(ctx.project, { verifier, from: periodStart(ctx.project.clock.now(), days) }),
    ),
  caughtCosts: projectProcedure('verdicts.read')
    .input(VerifierMeasuresIn)
    .query(({ ctx, input: { verifier, days } }) =>
      measureCaughtCosts(ctx.project, { verifier, days }),
    ),
  modelScores: projectProcedure('verdicts.read')
    .input(ModelScoresIn)
    .query(({ ctx, input: { verifier } }) => listModelScores(ctx.project, { verifier })),
  gatewayDays: projectProcedure('verdicts.read')
    .input(GatewayPeriodIn)
    .query(({ ctx, input: { days } }) => listGatewayDays(ctx.project, { days })),
});

/** Only the overview offers a period of one day, which starts at midnight UTC. */
function startOf(now: Date, days: z.infer<typeof ChangeMarksIn>['days']): Date | undefined {
  return days === 1
    ? new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)
    : periodStart(now, days);
}
