import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { sliceMembers } from '../../domain';
import { turnsOfExperiment } from '../../experiments';
import {
  getSession,
  getWholeTurn,
  listSessionTurns,
  listTurns,
  type TurnsPage,
  type TurnWithMarks,
} from '../../ingest';
import type { Route } from './route';
import { parse } from './request-input';
import { listOf, MarkReply, markReply, Paging, ScoreReply, scoreReply, Time } from './trace-shapes';

const TurnsQuery = z.object({
  session_id: z.string().max(200).optional(),
  trace_id: z.string().max(200).optional(),
  model: z.string().max(300).optional(),
  source: z.string().max(200).optional(),
  /** Only turns made by this experiment, which are otherwise excluded. */
  experiment: z.string().max(200).optional(),
  from: Time.optional(),
  to: Time.optional(),
  ...Paging,
});
const SessionTurnsQuery = z.object(Paging);
const PathId = z.object({ id: z.string() });

const Turn = z
  .looseObject({
    id: z.string(),
    revision: z.number().int(),
    /** A later turn has taken its place. */
    superseded: z.boolean(),
    /** How it was sent: `api`, `otlp`, `import` or `gateway`; `experiment`: made by one. */
    origin: z.string(),
    session_id: z.string().nullable(),
    trace_id: z.string().nullable(),
    span_id: z.string().nullable(),
    model: z.string().nullable(),
    source: z.string().nullable(),
    started_at: z.string().nullable(),
    ended_at: z.string().nullable(),
    received_at: z.string().nullable(),
    flags: z.array(z.string()),
    /** US dollars, sent or computed; null if no cost is known. */
    cost_usd: z.number().nullable(),
    /**
     * Where the cost comes from: `sent`, `list <provider>/<model>`, `own <model>` and, for a part
     * without a price, `none <model>`. Null if no usage was reported.
     */
    cost_basis: z.array(z.string()).nullable(),
    verdicts: z.array(MarkReply),
  })
  .openapi('Turn');

export const turnRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/turns',
    scope: 'read',
    summary: 'List turns as sent, with their verdicts, newest first',
    query: TurnsQuery,
    answers: { 200: listOf(Turn, 'StoredTurns') },
    handle: async (c, project) => {
      const {
        session_id: session,
        trace_id: trace,
        experiment,
        ...query
      } = parse(TurnsQuery, c.req.query(), 'query');
      const byExperiment =
        experiment === undefined
          ? null
          : turnsOfExperiment(project.sql, project.projectId, experiment);
      const page = await listTurns(project, { ...query, session, trace }, byExperiment);
      return answerJson(c, pageText(page));
    },
  },
  {
    method: 'get',
    path: '/v1/turns/{id}',
    scope: 'read',
    summary: 'One turn as sent, with its verdicts and the scores that others sent about it',
    params: PathId,
    answers: { 200: Turn.extend({ scores_of_others: z.array(ScoreReply) }).openapi('WholeTurn') },
    handle: async (c, project) => {
      const { scores, ...turn } = await getWholeTurn(project, c.req.param('id') ?? '');
      const foreignScores = JSON.stringify(scores.map(scoreReply));
      return answerJson(c, `{"scores_of_others":${foreignScores},${turnText(turn).slice(1)}`);
    },
  },
  {
    method: 'get',
    path: '/v1/sessions/{id}/turns',
    scope: 'read',
    summary:
      'The turns of a session as sent, with their verdicts, in the order of the conversation',
    params: PathId,
    query: SessionTurnsQuery,
    answers: { 200: listOf(Turn, 'SessionTurns') },
    handle: async (c, project) => {
      const query = parse(SessionTurnsQuery, c.req.query(), 'query');
      const session = parse(SessionId, c.req.param('id'), 'session id');
      const page = await listSessionTurns(project, { ...query, session });
      // A session may have traces alone; an unknown one is not found.
      if (page.items.length === 0) await getSession(project, session);
      return answerJson(c, pageText(page));
    },
  },
];

const SessionId = z.string().min(1).max(200);

/**
 * The JSON text of a turn: the members that Assay knows, and its other members as sent. It is text,
 * since parsing would change digits: `0.10`, `1e400`.
 */
function turnText(found: TurnWithMarks): string {
  const facts = turnFacts(found);
  const payload = found.turn?.payload ?? '{}';
  const sent = [...sliceMembers(payload)].flatMap(([name, { start, end }]) =>
    name in facts ? [] : [`${JSON.stringify(name)}:${payload.slice(start, end)}`],
  );
  return `{${[JSON.stringify(facts).slice(1, -1), ...sent].join(',')}}`;
}

function turnFacts({
  id,
  origin,
  spanId,
  superseded,
  turn,
  marks,
}: TurnWithMarks): z.infer<typeof Turn> {
  return {
    id,
    revision: turn?.revision ?? 1,
    superseded,
    origin,
    session_id: turn?.sessionId ?? null,
    trace_id: turn?.traceId ?? null,
    span_id: spanId,
    model: turn?.model ?? null,
    source: turn?.source ?? null,
    started_at: turn?.startedAt?.toISOString() ?? null,
    ended_at: turn?.endedAt?.toISOString() ?? null,
    received_at: turn?.receivedAt.toISOString() ?? null,
    flags: [...(turn?.flags ?? [])],
    cost_usd: turn?.costUsd ?? null,
    cost_basis: turn?.costBasis == null ? null : [...turn.costBasis],
    verdicts: marks.map(markReply),
  };
}

const pageText = ({ items, nextCursor }: TurnsPage): string =>
  `{"data":[${items.map(turnText).join(',')}],"next_cursor":${JSON.stringify(nextCursor)}}`;

const answerJson = (c: Context, text: string): Response =>
  c.body(text, 200, { 'content-type': 'application/json' });
