import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { anywhere, cursorAt, readCursor } from '../../platform';
import type { TraceFilters } from '../input';
import { hasModel, identityOf } from '../models/identity-sql';
import { firstInput, matchesInput } from './first-input';
import { countMarks, type MarkCount } from './marks';

/** One line of the trace list. Before its first assembly only its id and its times are known. */
export interface TraceRow {
  readonly id: string;
  readonly assembled: boolean;
  readonly name: string | null;
  /** The first line of the input of its first turn; null without one. */
  readonly inputExcerpt: string | null;
  readonly service: string | null;
  readonly sessionId: string | null;
  readonly userId: string | null;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
  readonly receivedAt: Date;
  readonly lastReceivedAt: Date;
  readonly spans: number;
  readonly errors: number;
  readonly turns: number;
  readonly models: readonly string[];
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** US dollars, sent or computed; null if no cost is known. */
  readonly costUsd: number | null;
  /** Where the cost comes from (`UsageCost`); null if no usage was reported. */
  readonly costBasis: readonly string[] | null;
  readonly flags: readonly string[];
  readonly tags: readonly string[];
  /** Verdicts on its turns. */
  readonly marks: readonly MarkCount[];
}

export interface TracePage {
  readonly items: readonly TraceRow[];
  readonly nextCursor: string | null;
}

export interface StoredTrace {
  id: string;
  revision: number;
  name: string | null;
  input_excerpt: string | null;
  service: string | null;
  session_id: string | null;
  user_id: string | null;
  started_at: string | null;
  ended_at: string | null;
  received_at: string;
  last_received_at: string;
  spans: number;
  errors: number;
  turns: number;
  models: string[] | null;
  input_tokens: string | null;
  output_tokens: string | null;
  cost_usd: number | null;
  cost_basis: string[] | null;
  flags: string[] | null;
  tags: string[] | null;
  marks: MarkCount[];
}

/**
 * Traces, newest first, by keyset: every page costs the same. @throws AssayError invalid_request on
 * a foreign cursor
 */
export async function listTraces(ctx: ProjectCtx, filters: TraceFilters): Promise<TracePage> {
  const { sql } = ctx;
  const limit = filters.limit ?? 50;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const rows = await sql<(StoredTrace & { at: string })[]>`
    with page as materialized (
      select * from traces c where project_id = ${ctx.projectId} ${where(ctx, filters)}
        ${after === null ? sql`` : sql`and (received_at, id) < (${after.at}::timestamptz, ${after.id})`}
      order by received_at desc, id desc limit ${limit + 1}
    )
    select ${traceColumns(ctx)}, to_char(c.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from page c order by c.received_at desc, c.id desc`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asTraceRow),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

/** Possible values of the filters, from the latest traces. */
export async function listTraceValues(
  ctx: ProjectCtx,
): Promise<{ models: string[]; services: string[] }> {
  const [row] = await ctx.sql<{ models: string[] | null; services: string[] | null }[]>`
    with latest as materialized (
      select service, models from traces where project_id = ${ctx.projectId} order by received_at desc, id desc limit 1000
    )
    select (select jsonb_agg(distinct ${identityOf(ctx, ctx.sql`${ctx.projectId}`, ctx.sql`used.model`)}) from latest, unnest(models) as used(model)) as models,
      (select jsonb_agg(distinct service) from latest where service is not null) as services`;
  return { models: row?.models ?? [], services: row?.services ?? [] };
}

/** The columns of a `StoredTrace`, of the table or selection named `c`. */
export function traceColumns(ctx: ProjectCtx): Fragment {
  const { sql } = ctx;
  return sql`c.id, c.revision, c.name, c.service, c.session_id, c.user_id, c.started_at, c.ended_at, c.received_at, c.last_received_at,
    c.spans, c.errors, c.turns, to_jsonb(c.models) as models, c.input_tokens::text as input_tokens, c.output_tokens::text as output_tokens,
    c.cost_usd, to_jsonb(c.cost_basis) as cost_basis, to_jsonb(c.flags) as flags, to_jsonb(c.tags) as tags,
    (${firstInput(ctx, sql`t.trace_id = c.id`)}) as input_excerpt,
    ${countMarks(ctx, sql`select * from turns where turns.project_id = ${ctx.projectId} and turns.trace_id = c.id and turns.origin <> 'experiment'`)} as marks`;
}

export function asTraceRow(row: StoredTrace): TraceRow {
  return {
    id: row.id,
    assembled: row.revision > 0,
    name: row.name,
    inputExcerpt: row.input_excerpt,
    service: row.service,
    sessionId: row.session_id,
    userId: row.user_id,
    startedAt: row.started_at === null ? null : new Date(row.started_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
    receivedAt: new Date(row.received_at),
    lastReceivedAt: new Date(row.last_received_at),
    spans: row.spans,
    errors: row.errors,
    turns: row.turns,
    models: row.models ?? [],
    inputTokens: row.input_tokens === null ? null : Number(row.input_tokens),
    outputTokens: row.output_tokens === null ? null : Number(row.output_tokens),
    costUsd: row.cost_usd,
    costBasis: row.cost_basis,
    flags: row.flags ?? [],
    tags: row.tags ?? [],
    marks: row.marks,
  };
}

function where(ctx: ProjectCtx, f: TraceFilters): Fragment {
  const { sql, projectId } = ctx;
  return sql`
    ${f.session === undefined ? sql`` : sql`and session_id = ${f.session}`}
    ${f.model === undefined ? sql`` : sql`and ${hasModel(ctx, sql`models`, f.model)}`}
    ${f.service === undefined ? sql`` : sql`and service = ${f.service}`}
    ${f.name === undefined || f.name === '' ? sql`` : sql`and name ilike ${anywhere(f.name)}`}
    ${f.text === undefined || f.text === '' ? sql`` : sql`and (name ilike ${anywhere(f.text)} or ${matchesInput(ctx, sql`t.trace_id = c.id`, f.text)})`}
    ${f.errors === true ? sql`and errors > 0` : sql``}
    ${
      f.failed === true
        ? sql`and exists (
            select 1 from turns t join verdicts v on v.project_id = t.project_id and v.subject_kind = 'turn' and v.subject_id = t.id
              and v.revision = t.revision and v.outcome = 'failed' and v.experiment_id is null
            where t.project_id = ${projectId} and t.trace_id = c.id and not t.superseded and t.origin <> 'experiment')`
        : sql``
    }
    ${f.from === undefined ? sql`` : sql`and received_at >= ${f.from.toISOString()}::timestamptz`}
    ${f.to === undefined ? sql`` : sql`and received_at < ${f.to.toISOString()}::timestamptz`}`;
}
