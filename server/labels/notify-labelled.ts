import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import { liveChannel, writeLiveNotice } from '../domain';
import type { Database } from '../platform';

/**
 * Notifies open pages that labels were appended (server/verdicts/live.ts). PostgreSQL delivers the
 * notice when the transaction commits.
 */
export async function notifyLabelled(
  ctx: Pick<ProjectCtx, 'projectId'>,
  db: Pick<Database, 'execute'>,
  count = 1,
): Promise<void> {
  const notice = writeLiveNotice({ projectId: ctx.projectId, settled: 0, labelled: count });
  await db.execute(sql`select pg_notify(${liveChannel}, ${notice})`);
}
