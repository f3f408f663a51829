import type { ProjectCtx } from '../access';
import { cursorAt, readCursor } from '../platform';
import { acknowledgementOf, type AcknowledgedRow, asAcknowledged } from './acknowledgement';
import type { AlertSeverity, Finding } from './alert';
import type { AlertKind } from './alert-facts';

export interface FindingFilters {
  readonly id?: string | undefined;
  readonly state?: 'open' | 'ended' | undefined;
  readonly kind?: AlertKind | undefined;
  /** The object: a verifier, a provider, a route's model. */
  readonly series?: string | undefined;
  readonly acknowledged?: boolean | undefined;
  /** When it began: `from` inclusive, `to` exclusive. */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

interface Row {
  id: string;
  kind: AlertKind;
  series: string;
  name: string;
  severity: AlertSeverity;
  value: number | null;
  limit_value: number | null;
  message: string;
  advice: string | null;
  href: string | null;
  created_at: string;
  ended_at: string | null;
  acknowledged: AcknowledgedRow | null;
  at: string;
}

/**
 * Findings of the checks of alerts, newest first: one finding per period during which a condition
 * held.
 * @throws AssayError invalid_request on a foreign cursor
 */
export async function listFindings(
  { sql, projectId }: ProjectCtx,
  filters: FindingFilters,
): Promise<{ readonly items: readonly Finding[]; readonly nextCursor: string | null }> {
  const { id, state, kind, series, acknowledged, from, to, cursor, limit } = filters;
  const after = cursor === undefined ? null : readCursor(cursor);
  const rows = await sql<Row[]>`
    select f.id, f.kind, f.series, coalesce(s.name, f.name) as name, f.severity, f.ended_at, f.acknowledged, f.created_at,
      case when s.kind is null then f.value else s.value end as value,
      case when s.kind is null then f.limit_value else s.limit_value end as limit_value,
      coalesce(s.message, f.message) as message, s.advice, s.href,
      to_char(f.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
    from (
      select b.*, e.ended_at, ${acknowledgementOf(sql, sql`b`, sql`b.created_at`, sql`e.ended_at`)} as acknowledged
      from alert_events b left join lateral (
        select created_at as ended_at from alert_events e
        where e.project_id = b.project_id and e.kind = b.kind and e.series = b.series and e.event in ('recovered', 'no_data')
          and e.created_at > b.created_at order by e.created_at limit 1
      ) as e on true
      where b.project_id = ${projectId} and b.event = 'began'
    ) as f
    left join alert_states s on s.project_id = f.project_id and s.kind = f.kind and s.series = f.series and s.state = 'alerting'
      and s.since = f.created_at
    where true
      ${id === undefined ? sql`` : sql`and f.id = ${id}`}
      ${state === undefined ? sql`` : state === 'open' ? sql`and f.ended_at is null` : sql`and f.ended_at is not null`}
      ${kind === undefined ? sql`` : sql`and f.kind = ${kind}`}
      ${series === undefined ? sql`` : sql`and f.series = ${series}`}
      ${acknowledged === undefined ? sql`` : sql`and (f.acknowledged is not null) = ${acknowledged}`}
      ${from === undefined ? sql`` : sql`and f.created_at >= ${from.toISOString()}::timestamptz`}
      ${to === undefined ? sql`` : sql`and f.created_at < ${to.toISOString()}::timestamptz`}
      ${after === null ? sql`` : sql`and (f.created_at, f.id) < (${after.at}::timestamptz, ${after.id})`}
    order by f.created_at desc, f.id desc limit ${limit + 1}`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map(asFinding),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}

const asFinding = (row: Row): Finding => ({
  id: row.id,
  kind: row.kind,
  series: row.series,
  name: row.name,
  severity: row.severity,
  value: row.value,
  limit: row.limit_value,
  message: row.message,
  advice: row.advice,
  href: row.href,
  beganAt: new Date(row.created_at),
  endedAt: row.ended_at === null ? null : new Date(row.ended_at),
  acknowledged: asAcknowledged(row.acknowledged),
});
