import { setTimeout as pause } from 'node:timers/promises';
import { sql as statement } from 'drizzle-orm';
import type { Sql } from 'postgres';
import { enterProject, recordAudit } from '../../access';
import { deleteSessions, prunePipelines } from '../../ingest';
import { deleteReplies } from '../../llm';
import { type Ctx, notifyChanged } from '../../platform';
import { type RowCounts, sumRowCounts } from '../deletion/counts';
import type { Retention } from '../input';
import { type CountedTable, countedClasses, oldContent, oldRecords } from './classes';

/**
 * Number of rows that one transaction deletes, and the pause after it, which leaves the database to
 * people's requests most of the time.
 */
const batchRows = 500;
const restMs = 50;
/** The interval between checks of a project, and the lease of one check. */
const againAfter = '1 hour';
const leaseFor = '1 minute';

interface NextProject {
  project_id: string;
  slug: string;
  content_days: number | null;
  record_days: number | null;
  keep_labelled: boolean;
  updated_at: string;
}

/**
 * Prunes the project that has waited longest, in batches until nothing old is left or `signal` or
 * `turnMs` ends it; the next check continues. Daily counts stay unchanged, because they record
 * history. Returns whether there was a project.
 * @throws on storage faults; deletions until then are recorded
 */
export async function pruneNextProject(
  ctx: Ctx,
  { signal, turnMs = 30_000 }: { readonly signal: AbortSignal; readonly turnMs?: number },
): Promise<boolean> {
  const [row] = await ctx.sql<NextProject[]>`
    update retention_settings r set due_at = now() + ${leaseFor}::text::interval
    from (
      select s.project_id, p.slug from retention_settings s join projects p on p.id = s.project_id
      where s.due_at <= now() and s.content_days is not null order by s.due_at limit 1 for update of s skip locked
    ) as next
    where r.project_id = next.project_id
    returning r.project_id, next.slug, r.content_days, r.record_days, r.keep_labelled, r.updated_at::text`;
  if (row === undefined) return false;
  const until = ctx.clock.monotonicMs() + turnMs;
  const retention: Retention = {
    contentDays: row.content_days,
    recordDays: row.record_days,
    keepLabelled: row.keep_labelled,
  };
  for (;;) {
    const counts = await pruneBatch(ctx, row.project_id, retention);
    if (Object.keys(counts).length === 0) break;
    await note(ctx, row.project_id, counts);
    if (signal.aborted || ctx.clock.monotonicMs() > until) return true;
    await pause(restMs);
  }
  await finish(ctx, row);
  return true;
}

/** Deletes one batch of the first class with old rows; does nothing if there are none. */
async function pruneBatch(
  { sql: pool }: Pick<Ctx, 'sql'>,
  projectId: string,
  retention: Retention,
): Promise<RowCounts> {
  for (const { table, of } of countedClasses) {
    if ((of === 'content' ? retention.contentDays : retention.recordDays) === null) continue;
    const counts = await pool.begin(async (tx) =>
      pruneTable(tx as unknown as Sql, projectId, table, of, retention),
    );
    if (Object.keys(counts).length > 0) return counts;
  }
  return pool.begin(async (tx) => pruneLeftovers(tx as unknown as Sql, projectId, retention));
}

async function pruneTable(
  sql: Sql,
  projectId: string,
  table: CountedTable,
  of: 'content' | 'records',
  retention: Retention,
): Promise<RowCounts> {
  const ctx = { sql, projectId };
  const old =
    of === 'content' ? oldContent(ctx, table, retention) : oldRecords(ctx, table, retention);
  if (table === 'llm_calls') {
    const places = sql`select place from (${old}) as o limit ${batchRows}`;
    return sumRowCounts([{ replies: await deleteReplies(sql, places) }]);
  }
  const rows = await sql<{ id: string }[]>`
    delete from ${sql(table)} where ctid in (select place from (${old}) as o limit ${batchRows})
    returning ${table === 'decisions' ? sql`subject_id` : sql`id`} as id`;
  if (rows.length === 0) return {};
  const ids = JSON.stringify([...new Set(rows.map(({ id }) => id))]);
  return sumRowCounts([
    { [table]: rows.length },
    await pruneHanging({ sql, projectId }, table, ids),
  ]);
}

/** Dependent rows, deleted with their row in the same transaction. */
const hanging: Partial<
  Record<CountedTable, readonly (readonly [table: string, column: string])[]>
> = {
  turns: [
    ['turn_versions', 'turn_id'],
    ['turn_originals', 'turn_id'],
  ],
  traces: [['trace_segments', 'trace_id']],
  verdicts: [
    ['scores', 'verdict_id'],
    ['deliveries', 'verdict_id'],
    ['review_items', 'verdict_id'],
    ['mission_events', 'verdict_id'],
    // These are not recomputed: their daily counts stay.
    ['judgements', 'verdict_id'],
    ['llm_calls', 'verdict_id'],
    ['work_attempts', 'work_id'],
    ['rule_spending', 'verdict_id'],
  ],
};

async function pruneHanging(
  { sql, projectId }: { readonly sql: Sql; readonly projectId: string },
  table: CountedTable,
  ids: string,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const [other, column] of hanging[table] ?? []) {
    const done = await sql`
      delete from ${sql(other)} t using jsonb_array_elements_text(${ids}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.${sql(column)} = k.id`;
    counts[other] = done.count;
  }
  return counts;
}

/** Deletes sessions that have no data left, and old pipelines. */
async function pruneLeftovers(
  sql: Sql,
  projectId: string,
  { contentDays, recordDays }: Retention,
): Promise<RowCounts> {
  const sessions = await sql`
    ${deleteSessions(
      sql,
      sql`
      select o.ctid from sessions o where o.project_id = ${projectId}
        and o.received_at < now() - ${contentDays ?? 36_500} * interval '1 day'
        and not exists (select from turns t where t.project_id = ${projectId} and t.session_id = o.id)
        and not exists (select from traces t where t.project_id = ${projectId} and t.session_id = o.id)
        and not exists (select from subjects t where t.project_id = ${projectId} and t.session_id = o.id)
        and not exists (
          select from gateway_calls t where t.project_id = ${projectId} and t.session_id = o.id)
      limit ${batchRows}`,
    )}`;
  const pipelines = await prunePipelines(sql, projectId, {
    days: recordDays ?? contentDays ?? 36_500,
    limit: batchRows,
  });
  return sumRowCounts([{ sessions: sessions.count, pipelines }]);
}

async function note(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
  counts: RowCounts,
): Promise<void> {
  await sql`
    update retention_settings r set due_at = now() + ${leaseFor}::text::interval, counts = r.counts || coalesce((
      select jsonb_object_agg(key, n::bigint + coalesce((r.counts ->> key)::bigint, 0))
      from jsonb_each_text(${JSON.stringify(counts)}::text::jsonb) as added(key, n)), '{}')
    where project_id = ${projectId}`;
}

/**
 * Records the deletions since the last check in the audit log. If the settings changed in the
 * meantime, the project is checked again immediately.
 */
async function finish(
  ctx: Ctx,
  { project_id: id, slug, updated_at: updatedAt }: NextProject,
): Promise<void> {
  const project = enterProject(
    ctx,
    { id, slug },
    { kind: 'system', id: 'retention', label: 'retention' },
  );
  const counts = await project.db.transaction(async (tx) => {
    const [row] = await tx.execute<{ counts: RowCounts }>(
      statement`select counts from retention_settings where project_id = ${id} for update`,
    );
    const pruned = row?.counts ?? {};
    await tx.execute(statement`
      update retention_settings set counts = '{}',
        due_at = case when updated_at::text = ${updatedAt} then now() + ${againAfter}::text::interval else now() end
      where project_id = ${id}`);
    if (Object.keys(pruned).length > 0)
      await recordAudit(ctx, tx, project.actor, {
        projectId: id,
        action: 'data.prune',
        target: null,
        detail: pruned,
      });
    return pruned;
  });
  if (Object.keys(counts).length > 0)
    for (const topic of ['labels', 'turns', 'traces'] as const) notifyChanged(ctx, id, topic);
}
