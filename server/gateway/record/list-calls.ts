import type { ProjectCtx } from '../../access';
import { isModel } from '../../ingest';
import { cursorAt, readCursor } from '../../platform';
import { asCall, callColumns, type CallRow, type StoredCall } from './call-row';
import type { CallFilters } from './views-input';

export interface CallPage {
  readonly items: readonly CallRow[];
  readonly nextCursor: string | null;
}

/**
 * Gateway calls, newest first, with keyset pagination. @throws AssayError invalid_request on a
 * foreign cursor
 */
export async function listCalls(ctx: ProjectCtx, filters: CallFilters): Promise<CallPage> {
  const { sql, projectId } = ctx;
  const limit = filters.limit ?? 50;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const { verdict, reason, steer, held, route, session, model, from, to } = filters;
  const rows = await sql<StoredCall[]>`
    select ${callColumns(sql)} from gateway_calls c
    where c.project_id = ${projectId}
      ${verdict === undefined || verdict.length === 0 ? sql`` : sql`and c.verdict in ${sql(verdict)}`}
      ${reason === undefined ? sql`` : sql`and c.reason = ${reason}`}
      ${steer === undefined || steer.length === 0 ? sql`` : sql`and c.decision = 'steer' and c.episode #>> '{steer,state}' in ${sql(steer)}`}
      ${held === true ? sql`and c.held_ms is not null` : sql``}
      ${route === undefined ? sql`` : sql`and c.route = ${route}`}
      ${session === undefined ? sql`` : sql`and c.session_id = ${session}`}
      ${model === undefined ? sql`` : sql`and ${isModel(ctx, sql`c.model`, model)}`}
      ${from === undefined ? sql`` : sql`and c.created_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and c.created_at <= ${to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (c.created_at, c.id) < (${after.at}::timestamptz, ${after.id})`}
    order by c.created_at desc, c.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asCall),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

/** Filter values of the last 2,000 calls, sorted. */
export async function listCallValues({
  sql,
  projectId,
}: ProjectCtx): Promise<{ models: readonly string[]; routes: readonly string[] }> {
  const [row] = await sql<{ models: string[] | null; routes: string[] | null }[]>`
    select jsonb_agg(distinct model) filter (where model is not null) as models, jsonb_agg(distinct route) as routes
    from (select model, route from gateway_calls where project_id = ${projectId} order by created_at desc limit 2000) as newest`;
  return { models: row?.models ?? [], routes: row?.routes ?? [] };
}
