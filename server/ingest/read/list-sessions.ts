import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';
import { anywhere, cursorAt, readCursor, notFound } from '../../platform';
import { externalAgentOf, type ExternalAgent } from './external-agent';
import type { SessionFilters } from '../input';
import { identityOf } from '../models/identity-sql';
import { firstInput, matchesInput } from './first-input';
import { countMarks, type MarkCount } from './marks';

/** The latest verdict on code in a session (QEL-43). */
export interface CodeMark {
  readonly verdictId: string;
  readonly outcome: Outcome;
  /** Points, 0..100; null where nothing was scored. */
  readonly points: number | null;
}

/** A session with counts of its turns and traces. */
export interface SessionRow {
  readonly id: string;
  /** The first line of its first input; null without one. */
  readonly inputExcerpt: string | null;
  /** When its first and its last item were received. */
  readonly receivedAt: Date;
  readonly lastReceivedAt: Date;
  readonly turns: number;
  readonly traces: number;
  /** By identity, each once. */
  readonly models: readonly string[];
  /** US dollars of its traces, and of its turns without one; null if no cost is known. */
  readonly costUsd: number | null;
  /** Some of its work has no known price: `costUsd` is a lower bound. */
  readonly costAtLeast: boolean;
  readonly marks: readonly MarkCount[];
  readonly code: CodeMark | null;
  /**
   * The external agent that did its work, if none of its code was sent for verification (QEL-4).
   */
  readonly external: ExternalAgent | null;
}

export interface SessionPage {
  readonly items: readonly SessionRow[];
  readonly nextCursor: string | null;
}

interface StoredSession {
  id: string;
  input_excerpt: string | null;
  received_at: string;
  last_received_at: string;
  turns: number;
  traces: number;
  models: string[] | null;
  cost_usd: number | null;
  cost_at_least: boolean;
  marks: MarkCount[];
  code: CodeMark | null;
  services: string[] | null;
  at: string;
}

/** Sessions, the newest first, by keyset. @throws AssayError invalid_request on a foreign cursor */
export async function listSessions(ctx: ProjectCtx, filters: SessionFilters): Promise<SessionPage> {
  const { sql } = ctx;
  const limit = filters.limit ?? 50;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const rows = await countSessions(
    ctx,
    sql`
      select id, received_at from sessions where project_id = ${ctx.projectId}
      ${filters.text === undefined || filters.text === '' ? sql`` : sql`and (id ilike ${anywhere(filters.text)} or ${matchesInput(ctx, sql`t.session_id = sessions.id`, filters.text)})`}
      ${filters.from === undefined ? sql`` : sql`and received_at >= ${filters.from.toISOString()}::timestamptz`}
      ${filters.to === undefined ? sql`` : sql`and received_at < ${filters.to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (received_at, id) < (${after.at}::timestamptz, ${after.id})`}
      order by received_at desc, id desc limit ${limit + 1}`,
  );
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asSession),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

/** @throws AssayError not_found, also for another project's */
export async function getSession(ctx: ProjectCtx, id: string): Promise<SessionRow> {
  const { sql, projectId } = ctx;
  // Turns older than the sessions table have a session too.
  const [row] = await countSessions(
    ctx,
    sql`
      select id, min(received_at) as received_at from (
        select id, received_at from sessions where project_id = ${projectId} and id = ${id}
        union all select session_id, received_at from turns
        where project_id = ${projectId} and session_id = ${id} and origin <> 'experiment'
      ) as named group by id`,
  );
  if (row === undefined) throw notFound('session');
  return asSession(row);
}

async function countSessions(ctx: ProjectCtx, condition: Fragment): Promise<StoredSession[]> {
  const { sql, projectId } = ctx;
  const turns = sql`select * from turns where turns.project_id = ${projectId} and turns.session_id = s.id and turns.origin <> 'experiment'`;
  return sql<StoredSession[]>`
    with page as materialized (${condition})
    select s.id, s.received_at, greatest(s.received_at, held.latest, traced.latest) as last_received_at, held.turns, asked.input_excerpt, traced.traces,
      held.models, spent.cost_usd, coalesce(spent.at_least, false) as cost_at_least, ${countMarks(ctx, turns)} as marks, coded.mark as code,
      coalesce(held.sources, '[]') || coalesce(traced.services, '[]') as services,
      to_char(s.received_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from page s
    cross join lateral (
      select count(*)::int as turns, max(received_at) as latest, jsonb_agg(distinct ${identityOf(ctx, sql`t.project_id`, sql`t.model`)}) filter (where model is not null) as models,
        jsonb_agg(distinct source) filter (where source is not null) as sources
      from turns t where t.project_id = ${projectId} and t.session_id = s.id and not t.superseded and t.origin <> 'experiment'
    ) held
    cross join lateral (
      select count(*)::int as traces, max(last_received_at) as latest, jsonb_agg(distinct service) filter (where service is not null) as services
      from traces c where c.project_id = ${projectId} and c.session_id = s.id
    ) traced
    cross join lateral (
      select sum(cost_usd) as cost_usd, bool_or(exists (select from unnest(cost_basis) as b where b like 'none%')) as at_least from (
        select cost_usd, cost_basis from traces c where c.project_id = ${projectId} and c.session_id = s.id
        union all
        select cost_usd, cost_basis from turns t where t.project_id = ${projectId} and t.session_id = s.id and not t.superseded and t.origin <> 'experiment'
          and not exists (select from traces c where c.project_id = t.project_id and c.id = t.trace_id and c.session_id = t.session_id)
      ) as work
    ) spent
    left join lateral (${firstInput(ctx, sql`t.session_id = s.id`)}) asked on true
    left join lateral (
      select jsonb_build_object('verdictId', v.id, 'outcome', v.outcome, 'points', v.score) as mark
      from verdicts v where v.project_id = ${projectId} and v.kind = 'code' and v.session_id = s.id and v.outcome <> 'skipped' and v.experiment_id is null
      order by v.created_at desc, v.id desc limit 1
    ) coded on true
    order by s.received_at desc, s.id desc`;
}

function asSession(row: StoredSession): SessionRow {
  return {
    id: row.id,
    inputExcerpt: row.input_excerpt,
    receivedAt: new Date(row.received_at),
    lastReceivedAt: new Date(row.last_received_at),
    turns: row.turns,
    traces: row.traces,
    models: row.models ?? [],
    costUsd: row.cost_usd,
    costAtLeast: row.cost_at_least,
    marks: row.marks,
    code: row.code,
    external: row.code === null ? firstExternal(row.services ?? []) : null,
  };
}

function firstExternal(services: readonly string[]): ExternalAgent | null {
  for (const service of services) {
    const agent = externalAgentOf(service);
    if (agent !== null) return agent;
  }
  return null;
}
