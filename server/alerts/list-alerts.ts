import type { ProjectCtx } from '../access';
import { acknowledgementOf, type AcknowledgedRow, asAcknowledged } from './acknowledgement';
import type { Alert, AlertBoard, AlertSeverity, AlertState } from './alert';
import type { AlertKind } from './alert-facts';

interface AlertRow {
  kind: AlertKind;
  series: string;
  name: string;
  state: AlertState;
  severity: AlertSeverity;
  value: number | null;
  limit_value: number | null;
  message: string;
  advice: string | null;
  href: string | null;
  since: string;
  looked_at: string;
  notified_at: string | null;
  finding_id: string | null;
  acknowledged: AcknowledgedRow | null;
}

/**
 * Lists the state of every alert: first those that are alerting, then those without data, then
 * those that are ok. Each group is sorted by severity, then by age, oldest first.
 */
export async function listAlerts({ sql, projectId }: ProjectCtx): Promise<AlertBoard> {
  const [rows, [check]] = await Promise.all([
    sql<AlertRow[]>`
      select kind, series, name, state, severity, value, limit_value, message, advice, href, since, looked_at, notified_at, b.id as finding_id,
        case when b.id is not null then ${acknowledgementOf(sql, sql`s`, sql`s.since`)} end as acknowledged
      from alert_states s left join lateral (
        select id from alert_events where project_id = s.project_id and kind = s.kind and series = s.series and created_at = s.since
          and event = 'began' and s.state = 'alerting' limit 1
      ) as b on true
      where project_id = ${projectId}
      order by array_position('{alerting,no_data,ok}'::text[], state), array_position('{high,medium,low}'::text[], severity), since, kind, series`,
    sql<{ at: string | null; is_stale: boolean }[]>`
      select l.at, coalesce(l.at, p.created_at) < now() - interval '5 minutes' as is_stale
      from projects p cross join lateral (
        select coalesce((select max(looked_at) from alert_states where project_id = ${projectId}),
          (select looked_at from alert_looks where project_id = ${projectId})) as at
      ) as l
      where p.id = ${projectId}`,
  ]);
  return {
    alerts: rows.map(asAlert),
    checkedAt: check?.at == null ? null : new Date(check.at),
    isStale: check?.is_stale ?? true,
  };
}

function asAlert(row: AlertRow): Alert {
  return {
    kind: row.kind,
    series: row.series,
    name: row.name,
    state: row.state,
    severity: row.severity,
    value: row.value,
    limit: row.limit_value,
    message: row.message,
    advice: row.advice,
    since: new Date(row.since),
    checkedAt: new Date(row.looked_at),
    notifiedAt: row.notified_at === null ? null : new Date(row.notified_at),
    href: row.href,
    findingId: row.finding_id,
    acknowledged: asAcknowledged(row.acknowledged),
  };
}

/** Counting stops here, since a larger number is not shown exactly. */
const maxCount = 1_000;

/** The number of active alerts, at most 1,000: every page requests it, so its cost is bounded. */
export async function countAlerting({ sql, projectId }: ProjectCtx): Promise<number> {
  const [row] = await sql<{ alerts: number }[]>`
    select count(*)::int as alerts from (
      select from alert_states where project_id = ${projectId} and state = 'alerting' limit ${maxCount}
    ) as alerting`;
  return row?.alerts ?? 0;
}
