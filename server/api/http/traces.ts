import { z } from '@hono/zod-openapi';
import {
  getSession,
  getTrace,
  listSessions,
  listSpans,
  listTraces,
  listTraceSpans,
  type SessionRow,
  type SpanRow,
  type TraceRow,
  type TraceSpan,
  type TraceTurn,
} from '../../ingest';
import type { Route } from './route';
import { parse } from './request-input';
import {
  listOf,
  MarkReply,
  markReply,
  Paging,
  ScoreReply,
  scoreReply,
  State,
  Time,
} from './trace-shapes';

const Text = z.string().max(300).optional();
const Flag = z.stringbool().optional();

const TracesQuery = z.object({
  session_id: Text,
  model: Text,
  service: Text,
  name: Text,
  errors: Flag,
  failed: Flag,
  from: Time.optional(),
  to: Time.optional(),
  ...Paging,
});
const SessionsQuery = z.object({ id: Text, from: Time.optional(), to: Time.optional(), ...Paging });
const PathId = z.object({ id: z.string() });
/** `content`: with inputs, outputs, tool calls and documents of the spans. */
const TraceQuery = z.object({ content: Flag });

const Counts = z.array(z.object({ state: State, count: z.number().int() }));
const moment = z.string().nullable();

const TraceReply = z
  .object({
    id: z.string(),
    /** False until its spans have been assembled for the first time. */
    assembled: z.boolean(),
    name: z.string().nullable(),
    service: z.string().nullable(),
    session_id: z.string().nullable(),
    user_id: z.string().nullable(),
    started_at: moment,
    ended_at: moment,
    received_at: z.string(),
    last_received_at: z.string(),
    spans: z.number().int(),
    errors: z.number().int(),
    turns: z.number().int(),
    models: z.array(z.string()),
    input_tokens: z.number().nullable(),
    output_tokens: z.number().nullable(),
    /** US dollars, sent or computed; null if no cost is known. */
    cost_usd: z.number().nullable(),
    /** As for a turn. */
    cost_basis: z.array(z.string()).nullable(),
    flags: z.array(z.string()),
    tags: z.array(z.string()),
    verdicts: Counts,
  })
  .openapi('Trace');

const SpanMessages = z.array(
  z.object({
    role: z.string(),
    content: z.string(),
    tool_calls: z.array(
      z.object({ id: z.string().nullable(), name: z.string().nullable(), arguments: z.string() }),
    ),
    tool_results: z.array(z.object({ call_id: z.string().nullable(), result: z.string() })),
  }),
);

const SpanContent = z.object({
  /** Messages, or the input as one text if it has none. */
  input: z.union([SpanMessages, z.string()]).nullable(),
  output: z.union([SpanMessages, z.string()]).nullable(),
  tool: z
    .object({
      name: z.string().nullable(),
      call_id: z.string().nullable(),
      arguments: z.string().nullable(),
      result: z.string().nullable(),
    })
    .nullable(),
  documents: z.array(z.object({ id: z.string().nullable(), content: z.string() })),
  error: z.string().nullable(),
});

const SpanReply = z
  .object({
    id: z.string(),
    parent_id: z.string().nullable(),
    name: z.string(),
    role: z.string(),
    start_ms: z.number().nullable(),
    duration_ms: z.number().nullable(),
    error: z.boolean(),
    model: z.string().nullable(),
    tool: z.string().nullable(),
    tokens: z.number().nullable(),
    cost_usd: z.number().nullable(),
    flags: z.array(z.string()),
    /** Only with `content=true`. */
    content: SpanContent.optional(),
  })
  .openapi('Span');

const TurnReply = z
  .object({
    id: z.string(),
    span_id: z.string().nullable(),
    revision: z.number().int(),
    superseded: z.boolean(),
    model: z.string().nullable(),
    verdicts: z.array(MarkReply),
  })
  .openapi('TraceTurn');

const FullTraceReply = z
  .object({
    id: z.string(),
    /** Null if no span has been received, only separately sent turns that name the trace. */
    trace: TraceReply.nullable(),
    duration_ms: z.number().nullable(),
    spans: z.array(SpanReply),
    turns: z.array(TurnReply),
    /** Scores that other tools sent with the trace: not verdicts. At most 1,000. */
    scores_of_others: z.array(ScoreReply),
    notes: z.array(z.object({ span_id: z.string(), reason: z.string() })),
  })
  .openapi('FullTrace');

const SessionReply = z
  .object({
    id: z.string(),
    received_at: z.string(),
    last_received_at: z.string(),
    turns: z.number().int(),
    traces: z.number().int(),
    models: z.array(z.string()),
    /** US dollars of its traces, and of its turns without one; null if no cost is known. */
    cost_usd: z.number().nullable(),
    /** Some of its work has no price: the cost is a lower bound. */
    cost_usd_at_least: z.boolean(),
    verdicts: Counts,
  })
  .openapi('Session');

export const traceRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/v1/traces',
    scope: 'read',
    summary: 'List traces, newest first',
    query: TracesQuery,
    answers: { 200: listOf(TraceReply, 'Traces') },
    handle: async (c, project) => {
      const { session_id: session, ...query } = parse(TracesQuery, c.req.query(), 'query');
      const page = await listTraces(project, { ...query, session });
      return c.json({ data: page.items.map(traceReply), next_cursor: page.nextCursor });
    },
  },
  {
    method: 'get',
    path: '/v1/traces/{id}',
    scope: 'read',
    summary:
      'One trace: its spans as a tree, its turns with their verdicts, and the reasons for spans without a turn',
    params: PathId,
    query: TraceQuery,
    answers: { 200: FullTraceReply },
    handle: async (c, project) => {
      const { content } = parse(TraceQuery, c.req.query(), 'query');
      const { id, trace, turns, notes, scores } = await getTrace(project, c.req.param('id') ?? '');
      const { rows, durationMs } = await listSpans(project, id);
      const contents = new Map(
        content === true ? (await listTraceSpans(project, id)).map((span) => [span.id, span]) : [],
      );
      return c.json({
        id,
        trace: trace === null ? null : traceReply(trace),
        duration_ms: durationMs,
        spans: rows.map((row) => spanReply(row, contents.get(row.id))),
        turns: turns.map(turnReply),
        scores_of_others: scores.map(scoreReply),
        notes: notes.map((note) => ({ span_id: note.spanId, reason: note.reason })),
      } satisfies z.infer<typeof FullTraceReply>);
    },
  },
  {
    method: 'get',
    path: '/v1/sessions',
    scope: 'read',
    summary: 'List sessions, newest first',
    query: SessionsQuery,
    answers: { 200: listOf(SessionReply, 'Sessions') },
    handle: async (c, project) => {
      const { id: text, ...query } = parse(SessionsQuery, c.req.query(), 'query');
      const page = await listSessions(project, { ...query, text });
      return c.json({ data: page.items.map(sessionReply), next_cursor: page.nextCursor });
    },
  },
  {
    method: 'get',
    path: '/v1/sessions/{id}',
    scope: 'read',
    summary: 'One session with its counts and models',
    params: PathId,
    answers: { 200: SessionReply },
    handle: async (c, project) =>
      c.json(sessionReply(await getSession(project, c.req.param('id') ?? ''))),
  },
];

function traceReply(row: TraceRow): z.infer<typeof TraceReply> {
  return {
    id: row.id,
    assembled: row.assembled,
    name: row.name,
    service: row.service,
    session_id: row.sessionId,
    user_id: row.userId,
    started_at: row.startedAt?.toISOString() ?? null,
    ended_at: row.endedAt?.toISOString() ?? null,
    received_at: row.receivedAt.toISOString(),
    last_received_at: row.lastReceivedAt.toISOString(),
    spans: row.spans,
    errors: row.errors,
    turns: row.turns,
    models: [...row.models],
    input_tokens: row.inputTokens,
    output_tokens: row.outputTokens,
    cost_usd: row.costUsd,
    cost_basis: row.costBasis === null ? null : [...row.costBasis],
    flags: [...row.flags],
    tags: [...row.tags],
    verdicts: [...row.marks],
  };
}

function spanReply(row: SpanRow, span: TraceSpan | undefined): z.infer<typeof SpanReply> {
  return {
    id: row.id,
    parent_id: row.parentId,
    name: row.name,
    role: row.role,
    start_ms: row.startMs,
    duration_ms: row.durationMs,
    error: row.error,
    model: row.model,
    tool: row.tool,
    tokens: row.tokens,
    cost_usd: row.costUsd,
    flags: [...row.flags],
    ...(span !== undefined && { content: contentReply(span) }),
  };
}

function contentReply(span: TraceSpan): z.infer<typeof SpanContent> {
  const { input, output, inputValue, outputValue, tool, documents, error } = span;
  return {
    input: input.length > 0 ? input.map(messageReply) : inputValue,
    output: output.length > 0 ? output.map(messageReply) : outputValue,
    tool:
      tool === null
        ? null
        : {
            name: tool.name,
            call_id: tool.callId,
            arguments: tool.arguments,
            result: tool.result,
          },
    documents: documents.map(({ id, content }) => ({ id, content })),
    error,
  };
}

const messageReply = ({
  role,
  text,
  calls,
  results,
}: TraceSpan['input'][number]): z.infer<typeof SpanMessages>[number] => ({
  role,
  content: text,
  tool_calls: calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given })),
  tool_results: results.map(({ callId, result }) => ({ call_id: callId, result })),
});

function turnReply(turn: TraceTurn): z.infer<typeof TurnReply> {
  return {
    id: turn.id,
    span_id: turn.spanId,
    revision: turn.revision,
    superseded: turn.superseded,
    model: turn.model,
    verdicts: turn.marks.map(markReply),
  };
}

function sessionReply(row: SessionRow): z.infer<typeof SessionReply> {
  return {
    id: row.id,
    received_at: row.receivedAt.toISOString(),
    last_received_at: row.lastReceivedAt.toISOString(),
    turns: row.turns,
    traces: row.traces,
    models: [...row.models],
    cost_usd: row.costUsd,
    cost_usd_at_least: row.costAtLeast,
    verdicts: [...row.marks],
  };
}
