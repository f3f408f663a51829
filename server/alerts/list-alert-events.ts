import type { z } from 'zod';
import type { ProjectCtx } from '../access';
import { cursorAt, readCursor } from '../platform';
import type { AlertEvent, AlertSeverity } from './alert';
import type { AlertKind } from './alert-facts';
import type { AlertHistoryIn } from './alert-input';

export interface AlertPage {
  readonly items: readonly AlertEvent[];
  readonly nextCursor: string | null;
}

interface Row {
  id: string;
  kind: AlertKind;
  series: string;
  name: string;
  event: AlertEvent['event'];
  severity: AlertSeverity;
  value: number | null;
  limit_value: number | null;
  message: string;
  created_by: string | null;
  found: number;
  created_at: string;
  at: string;
  sent: AlertEvent['sent'];
}

/**
 * Alert events, newest first, with the deliveries of each notice. Deliveries are deleted after 30
 * days; events are kept.
 */
export async function listAlertEvents(
  ctx: ProjectCtx,
  input: Omit<z.infer<typeof AlertHistoryIn>, 'project'>,
): Promise<AlertPage> {
  const { sql, projectId } = ctx;
  const limit = input.limit ?? 50;
  const after = input.cursor === undefined ? null : readCursor(input.cursor);
  const rows = await sql<Row[]>`
    select e.*, coalesce(s.sent, '[]') as sent from (
      select id, kind, series, name, event, severity, value, limit_value, message, created_by, found, notice_id, created_at,
        to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at
      from alert_events where project_id = ${projectId}
        ${input.kind === undefined ? sql`` : sql`and kind = ${input.kind}`} ${input.series === undefined ? sql`` : sql`and series = ${input.series}`}
        ${after === null ? sql`` : sql`and (created_at, id) < (${after.at}::timestamptz, ${after.id})`}
      order by created_at desc, id desc limit ${limit + 1}
    ) as e
    left join lateral (
      select jsonb_agg(jsonb_build_object('destination', d.name, 'state', v.state, 'error', v.last_error) order by d.name) as sent
      from destinations d join deliveries v on v.project_id = ${projectId} and v.destination_id = d.id and v.notice_id = e.notice_id
      where d.project_id = ${projectId} and e.notice_id is not null
    ) as s on true
    order by e.created_at desc, e.id desc`;
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    items: page.map((row) => ({
      id: row.id,
      kind: row.kind,
      series: row.series,
      name: row.name,
      event: row.event,
      severity: row.severity,
      value: row.value,
      limit: row.limit_value,
      message: row.message,
      by: row.created_by,
      found: row.found,
      at: new Date(row.created_at),
      sent: row.sent,
    })),
    nextCursor: rows.length > limit && last !== undefined ? cursorAt(last) : null,
  };
}
