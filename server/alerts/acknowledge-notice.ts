import type { ProjectCtx } from '../access';
import { AssayError, conflict, notFound } from '../platform';
import { acknowledgeFinding } from './acknowledge-finding';
import type { Finding } from './alert';

/**
 * Acknowledges the findings that a notice reported and that still last. Repeating the call changes
 * nothing: the first acknowledgements stay.
 * @param eventId the first event of the notice
 * @throws AssayError not_found, conflict if all have ended
 */
export async function acknowledgeNotice(
  ctx: ProjectCtx,
  eventId: string,
): Promise<readonly Finding[]> {
  const { projectId, sql } = ctx;
  // A notice has the events of one kind that one check stored.
  const rows = await sql<{ id: string }[]>`
    select distinct b.id from alert_events f
    join alert_events e on e.project_id = f.project_id and e.kind = f.kind and e.created_at = f.created_at and e.notice_id = f.notice_id
    cross join lateral (
      select id from alert_events b
      where b.project_id = e.project_id and b.kind = e.kind and b.series = e.series and b.event = 'began' and b.created_at <= e.created_at
      order by b.created_at desc limit 1) b
    where f.project_id = ${projectId} and f.id = ${eventId} order by b.id`;
  if (rows.length === 0) throw notFound('alert');
  const acknowledged: Finding[] = [];
  for (const { id } of rows) {
    try {
      acknowledged.push(await acknowledgeFinding(ctx, id, null));
    } catch (error) {
      // Others of the notice may still last.
      if (!(error instanceof AssayError && error.code === 'conflict')) throw error;
    }
  }
  if (acknowledged.length === 0) throw conflict('this alert has ended');
  return acknowledged;
}
