import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { deleteViewsOf } from '../../access';
import { deleteAnswers, deleteDeadLetters } from '../../ingest';
import { refreshLabelledVerdicts } from '../../measures';
import { type Ctx, notifyChanged, userKey } from '../../platform';
import { cancelJobs } from '../../queue';
import { deleteCachedJudgements } from '../../verdicts';
import { exportKind } from '../export/export-job';
import { tablesBy } from '../tables';
import type { RowCounts } from './counts';
import type { DeletionRow } from './deletion';
import { eraseNamed, type NamedItems, type ProjectSql } from './erase';
import { eraseProject } from './erase-project';
import { findNamed, findOfTraces } from './find-named';

/** The lease of a process on a deletion, after which another may continue it. */
const leaseSeconds = 30;

/**
 * Carries out a deletion until `deadline` (by the monotonic clock). It is done when nothing that it
 * names is left: every statement that could not see its tombstone has finished, and the rows of
 * these statements were found. It may be stopped at any point and called again, also by several
 * processes at once. Returns whether it is done.
 * @throws on storage faults
 */
export async function carryOut(
  ctx: Ctx,
  deletion: Pick<DeletionRow, 'project_id' | 'id'>,
  deadline: number,
): Promise<boolean> {
  const { project_id: projectId, id } = deletion;
  const within: ProjectSql = { sql: ctx.sql, projectId };
  const fencedAt = await fence(within, id);
  if (fencedAt === null) return true;
  while (!(await isFenced(ctx.sql, fencedAt))) {
    if (ctx.clock.monotonicMs() > deadline) return release(within, id);
    await pause(20);
  }
  for (;;) {
    const row = await extend(within, id);
    if (row === null) return true;
    const cursor =
      row.kind === 'project' ? await eraseProject(ctx, row) : await eraseNext(within, row);
    if (cursor === null) return finish(ctx, within, row);
    if (ctx.clock.monotonicMs() > deadline) return release(within, id);
  }
}

/** Releases the deletion, which allows another process to continue immediately. */
async function release({ sql, projectId }: ProjectSql, id: string): Promise<false> {
  await sql`update deletions set leased_until = now() where project_id = ${projectId} and id = ${id} and state = 'pending'`;
  return false;
}

/**
 * The time from which every statement sees the tombstone, which is committed by now. Null if
 * nothing is left to do.
 */
async function fence({ sql, projectId }: ProjectSql, id: string): Promise<string | null> {
  const [row] = await sql<{ fenced_at: string }[]>`
    update deletions set fenced_at = coalesce(fenced_at, clock_timestamp()), leased_until = now() + ${leaseSeconds} * interval '1 second'
    where project_id = ${projectId} and id = ${id} and state = 'pending' returning fenced_at::text`;
  return row?.fenced_at ?? null;
}

/**
 * Whether every earlier transaction has finished. Ignores backups, which read for long and store
 * nothing.
 */
async function isFenced(sql: Sql, at: string): Promise<boolean> {
  const [row] = await sql<{ open: boolean }[]>`
    select exists (
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'
        and xact_start < ${at}::timestamptz and application_name <> 'assay backup' and backend_type = 'client backend') as open`;
  return row?.open !== true;
}

async function extend({ sql, projectId }: ProjectSql, id: string): Promise<DeletionRow | null> {
  const [row] = await sql<DeletionRow[]>`
    update deletions set leased_until = now() + ${leaseSeconds} * interval '1 second'
    where project_id = ${projectId} and id = ${id} and state = 'pending'
    returning project_id, id, kind, target, state, cursor, counts, created_by, created_at, fenced_at, done_at`;
  return row ?? null;
}

/** Deletes one batch; returns the cursor to continue from, or null. */
async function eraseNext(
  within: ProjectSql,
  row: DeletionRow,
): Promise<Readonly<Record<string, string>> | null> {
  const { named, cursor } = await findNamed(within, row);
  await addTombstones(within, row.id, named);
  const counts = await eraseNamed(within, named, row.id);
  await note(within, row.id, counts, cursor ?? {});
  return cursor;
}

/** Found items get tombstones under their own names, to prevent storing them again. */
async function addTombstones(
  { sql, projectId }: ProjectSql,
  id: string,
  { turns, subjects, traces }: NamedItems,
): Promise<void> {
  const keys = [
    ...turns.map((key) => ({ kind: 'turn', key })),
    ...subjects.map((key) => ({ kind: 'subject', key })),
    ...traces.map((key) => ({ kind: 'trace', key })),
  ];
  if (keys.length === 0) return;
  await sql`
    insert into tombstones (project_id, kind, key, deletion_id)
    select ${projectId}, kind, key, ${id} from jsonb_to_recordset(${JSON.stringify(keys)}::text::jsonb) as k(kind text, key text)
    order by 2, 3 on conflict do nothing`;
}

async function note(
  { sql, projectId }: ProjectSql,
  id: string,
  counts: RowCounts,
  cursor: Readonly<Record<string, string>>,
): Promise<void> {
  await sql`
    update deletions d set cursor = ${JSON.stringify(cursor)}::text::jsonb, counts = d.counts || coalesce((
      select jsonb_object_agg(key, n::bigint + coalesce((d.counts ->> key)::bigint, 0))
      from jsonb_each_text(${JSON.stringify(counts)}::text::jsonb) as added(key, n)), '{}')
    where project_id = ${projectId} and id = ${id}`;
}

/**
 * Deletes data stored outside the rows, and marks the deletion as done. It is rechecked when
 * cancelled statements can no longer store anything.
 */
async function finish(ctx: Ctx, within: ProjectSql, row: DeletionRow): Promise<boolean> {
  const { sql, projectId } = within;
  if (row.kind !== 'project') {
    // After a restore, the list names the earlier findings and the user's identity is no longer
    // known.
    const isListed = row.created_by === 'restore' || (row.kind === 'user' && isHash(row.target));
    await eachTombstone(within, row, isListed);
    await eraseRacing(within, row);
  }
  await appendToList(ctx, within, row.id);
  const target = row.kind === 'user' && !isHash(row.target) ? userKey(row.target) : row.target;
  await sql`
    update deletions set state = 'done', done_at = clock_timestamp(), target = ${target}, cursor = '{}',
      sweep_at = now() + greatest(interval '1 minute', 6 * current_setting('statement_timeout')::interval)
    where project_id = ${projectId} and id = ${row.id} and state = 'pending'`;
  for (const topic of ['data', 'labels', 'turns', 'traces', 'judgements', 'calls'] as const)
    notifyChanged(ctx, projectId, topic);
  return true;
}

/**
 * Recomputes the labelled verdicts of everything with a tombstone of this deletion, and deletes
 * records of work in progress. With `again`, deletes all of it once more, for rows that a statement
 * stored in the meantime without seeing the tombstone.
 */
async function eachTombstone(
  within: ProjectSql,
  { id }: Pick<DeletionRow, 'id'>,
  isRepeated: boolean,
): Promise<void> {
  const { sql, projectId } = within;
  const atOnce = 200;
  for (let after = { kind: '', key: '' }; ; ) {
    const rows = await sql<{ kind: string; key: string }[]>`
      select kind, key from tombstones where project_id = ${projectId} and deletion_id = ${id} and (kind, key) > (${after.kind}, ${after.key})
      order by kind, key limit ${atOnce}`;
    const of = (kind: string): string[] =>
      rows.filter((each) => each.kind === kind).map(({ key }) => key);
    let ids = [...of('turn'), ...of('subject')];
    if (isRepeated) {
      const ofTraces = await findOfTraces(within, of('trace'));
      const turns = [...new Set([...of('turn'), ...ofTraces.turns])];
      const subjects = [...new Set([...of('subject'), ...ofTraces.subjects])];
      await eraseNamed(
        within,
        { turns, subjects, traces: of('trace'), sessions: of('session') },
        id,
      );
      ids = [...turns, ...subjects];
    }
    await eraseOfVerdicts(within, of('verdict'));
    await refreshLabelledVerdicts(within, ids);
    const last = rows.at(-1);
    if (last === undefined || rows.length < atOnce) return;
    after = last;
  }
}

/** Deletes records that work in progress made before it found that its subject was deleted. */
async function eraseOfVerdicts(
  { sql, projectId }: ProjectSql,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  for (const [table, { by }] of tablesBy('by')) {
    for (const { column, of } of by) {
      if (of !== 'verdicts') continue;
      await sql`
        delete from ${sql(table)} t using jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) as k(id)
        where t.project_id = ${projectId} and t.${sql(column)} = k.id`;
    }
  }
}

/**
 * Deletes dead letters and filters that mention the target, answers stored for a day, cached
 * judgements, and derived files.
 */
async function eraseRacing(
  { sql, projectId }: ProjectSql,
  { id, kind, target }: DeletionRow,
): Promise<void> {
  // After a restore the name is no longer known, and dead letters cannot be searched by a hash:
  // delete all of them.
  if (kind === 'user' && isHash(target)) await deleteDeadLetters(sql, projectId, sql`true`);
  const bytes = /^[0-9a-f]{32}$/.test(target) && kind === 'trace' ? target : '';
  // Searches for the JSON text; without quotes only if it is long enough not to be part of another
  // name.
  const quoted = JSON.stringify(target);
  const plain = target.length >= 8 ? target : quoted;
  await deleteDeadLetters(
    sql,
    projectId,
    sql`position(convert_to(${quoted}, 'UTF8') in body) > 0
      or position(convert_to(${plain}, 'UTF8') in body) > 0
      or (${bytes} <> '' and position(decode(${bytes}, 'hex') in body) > 0)`,
  );
  await deleteViewsOf(sql, projectId, target);
  await deleteAnswers(sql, projectId);
  const hadSubjects = sql`exists (select from tombstones
    where project_id = ${projectId} and deletion_id = ${id} and kind = 'subject')`;
  await deleteCachedJudgements({ sql }, projectId, hadSubjects);
  await sql`delete from export_parts where project_id = ${projectId}`;
  await cancelJobs(sql, projectId, {
    kind: exportKind,
    reason: 'something was deleted meanwhile: create it again',
  });
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);

/**
 * Lists deletions in a file next to the data, to prevent an earlier backup from restoring the data
 * (`assay restore` reads the list). Written before the deletion is reported as done; a repeated
 * line is harmless.
 */
async function appendToList(
  { env }: Ctx,
  { sql, projectId }: ProjectSql,
  id: string,
): Promise<void> {
  if (env.dataDir === null) return;
  const rows = await sql<{ kind: string; key: string; created_at: string }[]>`
    select kind, key, created_at from tombstones where project_id = ${projectId} and deletion_id = ${id} and kind <> 'verdict' order by kind, key`;
  if (rows.length === 0) return;
  const lines = rows.map((row) =>
    JSON.stringify({
      project_id: projectId,
      deletion_id: id,
      kind: row.kind,
      key: row.key,
      at: row.created_at,
    }),
  );
  await appendFile(join(env.dataDir, deletionsFile), `${lines.join('\n')}\n`, { mode: 0o600 });
}

/** File name in the data folder. */
export const deletionsFile = 'deletions.jsonl';

/**
 * Rechecks a deletion once every statement that could not see the tombstones was cancelled.
 * @throws on storage faults: the deletion is then checked again
 */
export async function recheckDeletion(
  ctx: Ctx,
  { project_id: projectId, id }: Pick<DeletionRow, 'project_id' | 'id'>,
): Promise<void> {
  const within: ProjectSql = { sql: ctx.sql, projectId };
  const [row] = await ctx.sql<DeletionRow[]>`
    select project_id, id, kind, target, state, cursor, counts, created_by, created_at, fenced_at, done_at
    from deletions where project_id = ${projectId} and id = ${id}`;
  if (row === undefined) return;
  if (row.kind === 'project')
    for (let cursor: DeletionRow['cursor'] | null = {}; cursor !== null; )
      cursor = await eraseProject(ctx, { ...row, cursor });
  else {
    if (row.kind !== 'user')
      for (let cursor: DeletionRow['cursor'] | null = {}; cursor !== null; )
        cursor = await eraseNext(within, { ...row, cursor });
    await eachTombstone(within, row, true);
  }
  await ctx.sql`update deletions set sweep_at = null where project_id = ${projectId} and id = ${id} and state = 'done'`;
}
