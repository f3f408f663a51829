import type { Sql } from 'postgres';
import { eraseAuditTexts } from '../../access';
import { deleteAnchored } from '../../experiments';
import { deleteCalls, deleteCounters } from '../../gateway';
import { deletePipelines, deleteSegments, deleteSessionsIf, deleteTurns } from '../../ingest';
import { deleteDecisions, deleteWork } from '../../queue';
import { deleteSubjects, deleteVerdicts, subjectKindsOf } from '../../verdicts';
import { type ErasedBy, tablesBy } from '../tables';
import { type RowCounts, sumRowCounts } from './counts';

export interface ProjectSql {
  readonly sql: Sql;
  readonly projectId: string;
}

/** Ids to delete together: of turns, other subjects, traces and named sessions. */
export interface NamedItems {
  readonly turns: readonly string[];
  readonly subjects: readonly string[];
  readonly traces: readonly string[];
  readonly sessions: readonly string[];
}

const json = (ids: readonly string[]): string => JSON.stringify(ids);

/**
 * Deletes the named items with all dependent rows in one transaction, and subtracts them from all
 * counts. Deletes the work first, so that no further verdicts are stored; a worker with this
 * work finds it deleted. A repeated call finds nothing. The caller recomputes labelled
 * verdicts in separate transactions.
 * @throws on storage faults: the batch was then deleted completely, or not at all
 */
export async function eraseNamed(
  { sql: pool, projectId }: ProjectSql,
  named: NamedItems,
  deletionId: string,
): Promise<RowCounts> {
  return pool.begin(async (tx) => {
    // A transaction builds statement parts like a pool, which is the only thing needed here.
    const sql = tx as unknown as Sql;
    const within = { sql, projectId };
    const ids = [...named.turns, ...named.subjects, ...(await readWhole(within, named))];
    const work = await endWork(within, ids, named.traces, deletionId);
    const verdicts = await deleteVerdicts(sql, projectId, ids);
    const sessions = await sessionsOf(within, named);
    const calls = await deleteCalls(sql, projectId, {
      turns: named.turns,
      sessions: named.sessions,
      within: sessions,
    });
    const ofCalls = calls.flatMap(({ verificationId }) => verificationId ?? []);
    const ofVerdicts = [...new Set([...work, ...verdicts.map(({ id }) => id), ...ofCalls])];
    await eraseAuditTexts(sql, projectId, [
      ...ofVerdicts,
      ...ids,
      ...named.traces,
      ...named.sessions,
    ]);
    const keys = {
      verdicts: ofVerdicts,
      subjects: ids,
      traces: named.traces,
      sessions: named.sessions,
    };
    const parts = [
      await eraseBy(within, keys),
      { decisions: await deleteDecisions(sql, projectId, ids) },
      await deleteAnchored(sql, projectId, ids),
      await eraseContent(within, ids),
      { trace_segments: await deleteSegments(sql, projectId, named.traces) },
      await eraseSessions(within, [...sessions, ...named.sessions], named.sessions),
    ];
    return sumRowCounts([
      { work: work.length, verdicts: verdicts.length, gateway_calls: calls.length },
      ...parts,
    ]);
  });
}

/**
 * Traces, sessions and missions that rules verified as a whole and that contain a deleted item:
 * their stored subjects repeat its content.
 */
async function readWhole({ sql, projectId }: ProjectSql, named: NamedItems): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with within as (
      select unnest(array[trace_id, session_id]) as id from turns
      where project_id = ${projectId}
        and id in (select jsonb_array_elements_text(${json(named.turns)}::text::jsonb))
      union
      select unnest(array[trace_id, session_id, mission_id]) from subjects
      where project_id = ${projectId} and kind = any (${subjectKindsOf(sql, projectId)}) and id in (
        select jsonb_array_elements_text(${json([...named.turns, ...named.subjects])}::text::jsonb))
      union
      select jsonb_array_elements_text(${json([...named.traces, ...named.sessions])}::text::jsonb)
    )
    select w.id from within w where w.id is not null and exists (
      select from decisions d where d.project_id = ${projectId} and d.subject_id = w.id)`;
  return rows.map(({ id }) => id);
}

/**
 * Deletes the pending work and returns its ids. A worker that is calling a model for one of them
 * finds its tombstone and records nothing.
 */
async function endWork(
  { sql, projectId }: ProjectSql,
  ids: readonly string[],
  traces: readonly string[],
  deletionId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    with gone as (
      ${deleteWork(sql, projectId, { subjects: json(ids), traces: json(traces) })}
    ), named as (
      insert into tombstones (project_id, kind, key, deletion_id) select ${projectId}, 'verdict', id, ${deletionId} from gone where verdict
      on conflict do nothing
    )
    select id from gone`;
  return rows.map(({ id }) => id);
}

async function eraseBy(
  { sql, projectId }: ProjectSql,
  keys: Readonly<Record<ErasedBy['of'], readonly string[]>>,
): Promise<RowCounts> {
  const counts: Record<string, number> = {};
  for (const [table, { by }] of tablesBy('by')) {
    for (const { column, of } of by) {
      if (keys[of].length === 0) continue;
      const done = await sql`
        delete from ${sql(table)} t using jsonb_array_elements_text(${json(keys[of])}::text::jsonb) as k(id)
        where t.project_id = ${projectId} and t.${sql(column)} = k.id`;
      counts[table] = (counts[table] ?? 0) + done.count;
    }
  }
  return counts;
}

async function eraseContent(
  { sql, projectId }: ProjectSql,
  ids: readonly string[],
): Promise<RowCounts> {
  const [row] = await sql<{ turns: number; subjects: number }[]>`
    with keys as materialized (
      select jsonb_array_elements_text(${json(ids)}::text::jsonb) as id
    ), ${deleteTurns(sql, projectId, sql`select id from keys`)}
    , others as (${deleteSubjects(sql, projectId, sql`select id from keys`)}
    )
    select (select count(*)::int from gone_turns) as turns, (select count(*)::int from others) as subjects`;
  return { turns: row?.turns ?? 0, subjects: row?.subjects ?? 0 };
}

/** Sessions of the deleted items. */
async function sessionsOf(
  { sql, projectId }: ProjectSql,
  { turns, subjects, traces }: NamedItems,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select session_id as id from turns where project_id = ${projectId} and session_id is not null
      and id in (select jsonb_array_elements_text(${json(turns)}::text::jsonb))
    union
    select session_id from traces where project_id = ${projectId} and session_id is not null
      and id in (select jsonb_array_elements_text(${json(traces)}::text::jsonb))
    union
    select session_id from subjects where project_id = ${projectId} and session_id is not null and kind = any (${subjectKindsOf(sql, projectId)})
      and id in (select jsonb_array_elements_text(${json(subjects)}::text::jsonb))`;
  return rows.map(({ id }) => id);
}

/**
 * Deletes named sessions, and other sessions once they are empty, with the data stored only under
 * their name.
 */
async function eraseSessions(
  { sql, projectId }: ProjectSql,
  ids: readonly string[],
  named: readonly string[],
): Promise<RowCounts> {
  const isEmpty = sql`
    s.id in (select jsonb_array_elements_text(${json(named)}::text::jsonb)) or not exists (
      select from turns t where t.project_id = ${projectId} and t.session_id = s.id
      union all select from traces t where t.project_id = ${projectId} and t.session_id = s.id
      union all select from subjects t where t.project_id = ${projectId} and t.session_id = s.id
      union all select from gateway_calls t where t.project_id = ${projectId} and t.session_id = s.id)`;
  const [row] = await sql<{ n: number }[]>`
    with gone as (
      ${deleteSessionsIf(sql, projectId, json([...new Set(ids)]), isEmpty)}
    ), counters as (
      ${deleteCounters(sql, projectId, sql`select id from gone`)}
    ), walks as (
      ${deletePipelines(sql, projectId, sql`select id from gone`)}
    )
    select count(*)::int as n from gone`;
  return { sessions: row?.n ?? 0 };
}
