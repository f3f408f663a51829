import {
  getSession,
  getSpan,
  getTrace,
  listSessions,
  listSpans,
  listTraces,
  listTraceValues,
  listTurnsOf,
} from '../../ingest';
import {
  ListSessionsIn,
  ListTracesIn,
  SessionIn,
  SpanIn,
  TraceIn,
  TurnsOfIn,
} from '../../ingest/input';
import { projectProcedure, router } from './builders';
import { withRulings } from './with-rulings';

export const tracesRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListTracesIn)
    .query(async ({ ctx, input: { project: _project, ...filters } }) => ({
      ...(await listTraces(ctx.project, filters)),
      ...(await listTraceValues(ctx.project)),
    })),
  get: projectProcedure('verdicts.read')
    .input(TraceIn)
    .query(async ({ ctx, input }) => {
      const trace = await getTrace(ctx.project, input.id);
      return { ...trace, turns: await withRulings(ctx.project, trace.turns) };
    }),
  spans: projectProcedure('verdicts.read')
    .input(TraceIn)
    .query(({ ctx, input }) => listSpans(ctx.project, input.id)),
  span: projectProcedure('verdicts.read')
    .input(SpanIn)
    .query(({ ctx, input }) => getSpan(ctx.project, input.id, input.span)),
});

export const sessionsRouter = router({
  list: projectProcedure('verdicts.read')
    .input(ListSessionsIn)
    .query(({ ctx, input: { project: _project, ...filters } }) =>
      listSessions(ctx.project, filters),
    ),
  get: projectProcedure('verdicts.read')
    .input(SessionIn)
    .query(({ ctx, input }) => getSession(ctx.project, input.id)),
  turns: projectProcedure('verdicts.read')
    .input(TurnsOfIn)
    .query(async ({ ctx, input: { project: _project, ...which } }) => {
      const page = await listTurnsOf(ctx.project, which);
      return { ...page, items: await withRulings(ctx.project, page.items) };
    }),
});
