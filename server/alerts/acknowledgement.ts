import type { Fragment, ISql } from 'postgres';
import type { Acknowledged } from './alert';

export interface AcknowledgedRow {
  by: string;
  at: string;
  reason: string;
}

/**
 * The first acknowledgement of a finding, as `AcknowledgedRow`; null without one.
 * @param of a row with `project_id`, `kind` and `series`
 * @param began when the finding began; until its end no other one of the series begins
 */
export const acknowledgementOf = (
  sql: ISql,
  of: Fragment,
  began: Fragment,
  ended: Fragment = sql`null::timestamptz`,
): Fragment => sql`(
  select jsonb_build_object('by', a.created_by, 'at', a.created_at, 'reason', a.message) from alert_events a
  where a.project_id = ${of}.project_id and a.kind = ${of}.kind and a.series = ${of}.series and a.event = 'acknowledged'
    and a.created_at >= ${began} and (${ended} is null or a.created_at < ${ended})
  order by a.created_at, a.id limit 1)`;

export const asAcknowledged = (row: AcknowledgedRow | null): Acknowledged | null =>
  row === null
    ? null
    : { by: row.by, at: new Date(row.at), reason: row.reason === '' ? null : row.reason };
