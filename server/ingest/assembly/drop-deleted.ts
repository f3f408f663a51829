import { type Ctx, deletionChannel, deletionId, userKey, userOf } from '../../platform';
import { dropWork } from '../../queue';
import type { TraceToStore } from './store-assembled';

interface NamedRow {
  n: number;
}

/**
 * Detects assembled traces that belong to a deleted session or end user (R-80, S-112): the session
 * and user of late spans are unknown until the spans are read. Schedules each such trace for
 * complete deletion instead of storing it. Returns the others.
 * @throws on storage faults
 */
export async function dropDeleted(
  ctx: Ctx,
  owner: string,
  traces: readonly TraceToStore[],
): Promise<TraceToStore[]> {
  if (traces.length === 0) return [];
  const named = JSON.stringify(
    traces.flatMap((each, n) =>
      keysOf(each).map(([kind, key]) => ({ n, p: each.work.projectId, kind, key })),
    ),
  );
  const rows = await ctx.sql<NamedRow[]>`
    select distinct k.n from jsonb_to_recordset(${named}::text::jsonb) as k(n int, p text, kind text, key text)
    join tombstones d on d.project_id = k.p and d.kind = k.kind and d.key = k.key`;
  const deletedIndexes = new Set(rows.map(({ n }) => n));
  for (const n of deletedIndexes) {
    const trace = traces[n];
    if (trace !== undefined) await scheduleDeletion(ctx, owner, trace);
  }
  return traces.filter((_, n) => !deletedIndexes.has(n));
}

function keysOf({ work, trace, turns }: TraceToStore): (readonly [kind: string, key: string])[] {
  const sessions = [trace.sessionId, ...turns.map(({ turn }) => turn.sessionId)].filter(
    (id) => id !== null,
  );
  const users = [trace.userId, ...turns.map(({ turn }) => userOf(turn.metadata))].filter(
    (id) => id !== null,
  );
  return [
    ['project', ''],
    ['trace', work.subjectId],
    ...[...new Set(sessions)].map((id) => ['session', id] as const),
    ...[...new Set(users)].map((id) => ['user', userKey(id)] as const),
  ];
}

/** Schedules a separate deletion, which a worker carries out (server/lifecycle). */
async function scheduleDeletion(ctx: Ctx, owner: string, { work }: TraceToStore): Promise<void> {
  const { projectId, subjectId } = work;
  const id = deletionId(projectId, 'trace', subjectId);
  await ctx.sql`
    with named as (
      insert into tombstones (project_id, kind, key, deletion_id) values (${projectId}, 'trace', ${subjectId}, ${id}) on conflict do nothing
    ), asked as (
      insert into deletions (project_id, id, kind, target, created_by) values (${projectId}, ${id}, 'trace', ${subjectId}, 'an earlier deletion')
      on conflict (project_id, id) do update set state = 'pending', fenced_at = null, done_at = null, leased_until = now()
    )
    select pg_notify(${deletionChannel}, '')`;
  await dropWork(ctx, owner, work);
}
