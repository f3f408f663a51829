import { ProjectRef } from '../../access/input';
import {
  deleteRoute,
  getGatewaySession,
  getRoute,
  listCalls,
  listCallValues,
  listGatewaySessions,
  listRoutes,
  measureSteering,
  putRoute,
  resetBreaker,
  summariseGateway,
} from '../../gateway';
import {
  GatewayPeriodIn,
  GatewayRouteIn,
  GetGatewaySessionIn,
  ListCallsIn,
  ListGatewaySessionsIn,
  PutGatewayRouteIn,
  ResetBreakerIn,
} from '../../gateway/input';
import { projectProcedure, router } from './builders';

export const gatewayRouter = router({
  summary: projectProcedure('verdicts.read')
    .input(GatewayPeriodIn)
    .query(({ ctx, input }) => summariseGateway(ctx.project, { days: input.days })),
  steering: projectProcedure('verdicts.read')
    .input(GatewayPeriodIn)
    .query(({ ctx, input }) => measureSteering(ctx.project, { days: input.days })),
  calls: projectProcedure('verdicts.read')
    .input(ListCallsIn)
    .query(async ({ ctx, input: { project: _project, ...filters } }) => ({
      ...(await listCalls(ctx.project, filters)),
      ...(await listCallValues(ctx.project)),
    })),
  sessions: projectProcedure('verdicts.read')
    .input(ListGatewaySessionsIn)
    .query(({ ctx, input: { project: _project, ...filters } }) =>
      listGatewaySessions(ctx.project, filters),
    ),
  session: projectProcedure('verdicts.read')
    .input(GetGatewaySessionIn)
    .query(({ ctx, input: { project: _project, ...which } }) =>
      getGatewaySession(ctx.project, which),
    ),
  routes: projectProcedure('verdicts.read')
    .input(ProjectRef)
    .query(({ ctx }) => listRoutes(ctx.project)),
  route: projectProcedure('verdicts.read')
    .input(GatewayRouteIn)
    .query(({ ctx, input }) => getRoute(ctx.project, input.name)),
  putRoute: projectProcedure('settings.write')
    .input(PutGatewayRouteIn)
    .mutation(({ ctx, input }) => putRoute(ctx.project, input.name, input.settings)),
  deleteRoute: projectProcedure('settings.write')
    .input(GatewayRouteIn)
    .mutation(({ ctx, input }) => deleteRoute(ctx.project, input.name)),
  /** Lets a recovered verifier be called again at once instead of after the cooldown. */
  resetBreaker: projectProcedure('settings.write')
    .input(ResetBreakerIn)
    .mutation(({ ctx, input }) => resetBreaker(ctx.project, input.model)),
});
