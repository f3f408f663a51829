import type { Schedule, ScheduleKind } from '../../queue';
import { findAnchorSet } from './find-anchor-set';
import { startRun } from './run-anchors';

/** The prefix before the colon in the names of these schedules. */
export const anchorScheduleKind = 'anchors';
const before = `${anchorScheduleKind}:`;

interface Row {
  project_id: string;
  slug: string;
  id: string;
  cron: string;
  zone: string;
  created_at: string;
}

/**
 * Anchor sets judged on a schedule. After several missed periods only the latest is run: judging a
 * set three times in a row adds no information. A period that starts during a run is skipped.
 */
export const anchorSchedules: ScheduleKind = {
  catchUp: 'latest',
  async list({ sql }) {
    const rows = await sql<Row[]>`
      select s.project_id, p.slug, s.id, s.cron, s.zone, s.created_at from anchor_sets s join projects p on p.id = s.project_id
      where s.cron is not null and s.retired_at is null`;
    return rows.map(
      (row): Schedule => ({
        projectId: row.project_id,
        projectSlug: row.slug,
        name: before + row.id,
        cron: row.cron,
        zone: row.zone,
        since: new Date(row.created_at),
      }),
    );
  },
  async start(project, tx, { name }) {
    const { id, isNew } = await startRun(
      project,
      tx,
      await findAnchorSet(project, name.slice(before.length)),
    );
    return isNew ? id : null;
  },
};
