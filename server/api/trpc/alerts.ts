import { ProjectRef } from '../../access/input';
import {
  acknowledgeFinding,
  countAlerting,
  listAlertEvents,
  listAlertRules,
  listAlerts,
  listFalls,
  checkAlertsNow,
  putAlertRule,
  resetAlertRule,
} from '../../alerts';
import {
  AcknowledgeIn,
  AlertHistoryIn,
  PutAlertRuleIn,
  ResetAlertRuleIn,
} from '../../alerts/input';
import { maskedReason, projectProcedure, router } from './builders';

export const alertsRouter = router({
  board: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(async ({ ctx }) => {
      const [board, falls] = await Promise.all([listAlerts(ctx.project), listFalls(ctx.project)]);
      return { ...board, falls };
    }),
  alerting: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => countAlerting(ctx.project)),
  history: projectProcedure('verdicts.read')
    .input(AlertHistoryIn)
    .query(({ ctx, input: { project: _project, ...wanted } }) =>
      listAlertEvents(ctx.project, wanted),
    ),
  rules: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listAlertRules(ctx.project)),
  putRule: projectProcedure('settings.write')
    .input(PutAlertRuleIn)
    .mutation(({ ctx, input: { project: _project, ...change } }) =>
      putAlertRule(ctx.project, change),
    ),
  /** Checks now instead of at the next scheduled minute. */
  look: projectProcedure('settings.write')
    .input(ProjectRef)
    .mutation(({ ctx }) => checkAlertsNow(ctx.project)),
  acknowledge: projectProcedure('labels.write')
    .input(AcknowledgeIn)
    .mutation(async ({ ctx, input }) =>
      acknowledgeFinding(ctx.project, input.id, await maskedReason(ctx, input.reason ?? null)),
    ),
  resetRule: projectProcedure('settings.write')
    .input(ResetAlertRuleIn)
    .mutation(({ ctx, input: { project: _project, ...which } }) =>
      resetAlertRule(ctx.project, which),
    ),
});
