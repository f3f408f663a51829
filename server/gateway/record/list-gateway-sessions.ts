import type { ProjectCtx } from '../../access';
import type { GatewayReason, GatewayVerdict } from '../../domain';
import { cursorAt, readCursor } from '../../platform';
import type { GatewaySessionFilters } from './views-input';

/** A session as shown in lists. */
export interface GatewaySessionRow {
  readonly id: string;
  /** From the session's last call. */
  readonly route: string;
  readonly model: string | null;
  readonly lastAt: Date;
  readonly calls: number;
  /** Number of steered answers in all calls of the session. */
  readonly steered: number;
  /** Current counter in thousandths of a turn; null if nothing was counted. */
  readonly counted: number | null;
  /** Outcome of the last verified answer, else of the last answer. */
  readonly last: { readonly verdict: GatewayVerdict; readonly reason: GatewayReason | null };
}

export interface GatewaySessionPage {
  readonly items: readonly GatewaySessionRow[];
  readonly nextCursor: string | null;
}

interface StoredSession {
  id: string;
  call_id: string;
  route: string;
  model: string | null;
  calls: number;
  steered: number;
  counted: number | null;
  verdict: GatewayVerdict;
  reason: GatewayReason | null;
  at: string;
}

/**
 * Sessions with calls, by their newest call, with keyset pagination. The last call represents its
 * session: an index lookup rules out a later call, so the cost depends only on the sessions of the
 * page. Sessions with embeddings alone are omitted.
 * @throws AssayError invalid_request on a cursor that this list did not issue
 */
export async function listGatewaySessions(
  ctx: ProjectCtx,
  filters: GatewaySessionFilters,
): Promise<GatewaySessionPage> {
  const { sql, projectId } = ctx;
  const limit = filters.limit ?? 20;
  const after = filters.cursor === undefined ? null : readCursor(filters.cursor);
  const rows = await sql<StoredSession[]>`
    with page as materialized (
      select c.session_id, c.id, c.route, c.model, c.verdict, c.reason, c.created_at from gateway_calls c
      where c.project_id = ${projectId} and c.dialect <> 'embeddings'
        ${after === null ? sql`` : sql`and (c.created_at, c.id) < (${after.at}::timestamptz, ${after.id})`}
        and not exists (
          select 1 from gateway_calls l
          where l.project_id = ${projectId} and l.session_id = c.session_id and l.dialect <> 'embeddings' and (l.created_at, l.id) > (c.created_at, c.id)
        )
      order by c.created_at desc, c.id desc limit ${limit + 1}
    )
    select page.session_id as id, page.id as call_id, page.route, page.model, held.calls, held.steered, counted.units as counted,
      coalesce(verified.verdict, page.verdict) as verdict, case when verified.verdict is null then page.reason end as reason,
      to_char(page.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from page
    cross join lateral (
      select count(*)::int as calls, (count(*) filter (where verdict = 'steered'))::int as steered
      from gateway_calls where project_id = ${projectId} and session_id = page.session_id
    ) held
    left join lateral (
      select verdict from gateway_calls
      where project_id = ${projectId} and session_id = page.session_id and verdict <> 'not_verified'
      order by created_at desc, id desc limit 1
    ) verified on true
    left join lateral (${unitsOf(ctx, sql`page.session_id`)}) counted on true
    order by page.created_at desc, page.id desc`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => ({
      id: row.id,
      route: row.route,
      model: row.model,
      lastAt: new Date(row.at),
      calls: row.calls,
      steered: row.steered,
      counted: row.counted === null ? null : Number(row.counted),
      last: { verdict: row.verdict, reason: row.reason },
    })),
    nextCursor:
      rows.length > limit && last !== undefined
        ? cursorAt({ at: last.at, id: last.call_id })
        : null,
  };
}

/**
 * A session's count: the sum over all replicas in its highest epoch (QV-3). Yields one row with
 * `units`, or none.
 */
export function unitsOf(
  { sql, projectId }: ProjectCtx,
  session: ReturnType<ProjectCtx['sql']> | string,
) {
  return sql`
    select greatest(0, sum(units))::double precision as units from gateway_counters
    where project_id = ${projectId} and session_id = ${session}
    group by epoch order by epoch desc limit 1`;
}
