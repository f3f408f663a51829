import type { Sql } from 'postgres';
import { deleteCalls } from '../../gateway';
import { deleteVerdicts, storedSubjectKinds } from '../../verdicts';
import { type ErasedBy, tablesBy } from '../tables';
import { type Counts, sumCounts } from './counts';

export interface Within {
  readonly sql: Sql;
  readonly projectId: string;
}

/**
 * What is deleted together: ids of turns, of other subjects, of traces, and of sessions that are
 * named themselves.
 */
export interface Named {
  readonly turns: readonly string[];
  readonly subjects: readonly string[];
  readonly traces: readonly string[];
  readonly sessions: readonly string[];
}

const json = (ids: readonly string[]): string => JSON.stringify(ids);

/**
 * Deletes what is named with all that hangs on it, in one transaction, and takes it out of all
 * counts: the work first, so that nothing settles any more; what a worker has in hand finds its
 * work gone, and stores nothing. Done again it finds nothing. Judgements are made again by its
 * caller, in transactions of their own.
 * @throws on faults of storage: nothing of this batch was deleted, or all of it
 */
export async function eraseNamed(
  { sql: pool, projectId }: Within,
  named: Named,
  deletionId: string,
): Promise<Counts> {
  const ids = [...named.turns, ...named.subjects];
  return pool.begin(async (tx) => {
    // Parts of statements are made by a transaction as by a pool, and it has no more than that in
    // common with it.
    const sql = tx as unknown as Sql;
    const within = { sql, projectId };
    const work = await endWork(within, ids, named.traces, deletionId);
    const verdicts = await deleteVerdicts(sql, projectId, ids);
    const sessions = await sessionsOf(within, named);
    const calls = await deleteCalls(sql, projectId, {
      turns: named.turns,
      sessions: named.sessions,
      within: sessions,
    });
    const told = calls.flatMap(({ verificationId }) => verificationId ?? []);
    const ofVerdicts = [...new Set([...work, ...verdicts.map(({ id }) => id), ...told])];
    await forgetWords(within, [...ofVerdicts, ...ids, ...named.traces, ...named.sessions]);
    const keys = {
      verdicts: ofVerdicts,
      subjects: ids,
      traces: named.traces,
      sessions: named.sessions,
    };
    const parts = [
      await eraseBy(within, keys),
      await eraseDecisions(within, ids),
      await eraseAnchored(within, ids),
      await eraseContent(within, ids),
      await eraseSpans(within, named.traces),
      await eraseSessions(within, [...sessions, ...named.sessions], named.sessions),
    ];
    return sumCounts([
      { work: work.length, verdicts: verdicts.length, gateway_calls: calls.length },
      ...parts,
    ]);
  });
}

/**
 * Ids of the verdicts that were owed. What asks a model for one just now finds them among the
 * tombstones, and records nothing.
 */
async function endWork(
  { sql, projectId }: Within,
  ids: readonly string[],
  traces: readonly string[],
  deletionId: string,
): Promise<string[]> {
  const rows = await sql<{ id: string; kind: string }[]>`
    with gone as (
      delete from work where project_id = ${projectId} and (
        (subject_kind <> 'trace' and subject_id in (select jsonb_array_elements_text(${json(ids)}::text::jsonb)))
        or (subject_kind = 'trace' and subject_id in (select jsonb_array_elements_text(${json(traces)}::text::jsonb))))
      returning id, subject_kind as kind
    ), named as (
      insert into tombstones (project_id, kind, key, deletion_id) select ${projectId}, 'verdict', id, ${deletionId} from gone where kind <> 'trace'
      on conflict do nothing
    )
    select id, kind from gone`;
  return rows.map(({ id }) => id);
}

async function eraseBy(
  { sql, projectId }: Within,
  keys: Readonly<Record<ErasedBy['of'], readonly string[]>>,
): Promise<Counts> {
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

/**
 * With what the days counted of them: counters stand in shards, and one of them may well be
 * negative.
 */
async function eraseDecisions({ sql, projectId }: Within, ids: readonly string[]): Promise<Counts> {
  const [row] = await sql<{ n: number }[]>`
    with gone as (
      delete from decisions t using jsonb_array_elements_text(${json(ids)}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.subject_id = k.id
      returning t.project_id, (t.decided_at at time zone 'UTC')::date as day, t.rule, t.state
    ), uncounted as (
      insert into decision_rollups as c (project_id, day, rule, state, shard, count)
      select project_id, day, rule, state, 'deleted', -count(*) from gone group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (project_id, day, rule, state, shard) do update set count = c.count + excluded.count
    )
    select count(*)::int as n from gone`;
  return { decisions: row?.n ?? 0 };
}

/** Frozen items, with what judging them again gave. The set goes on with those that are left. */
async function eraseAnchored({ sql, projectId }: Within, ids: readonly string[]): Promise<Counts> {
  const [row] = await sql<{ items: number; results: number }[]>`
    with gone as (
      delete from anchor_items t using jsonb_array_elements_text(${json(ids)}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.subject_id = k.id returning t.set_id, t.ordinal
    ), answers as (
      delete from anchor_results a using anchor_runs r, gone
      where a.project_id = ${projectId} and r.project_id = ${projectId} and r.id = a.run_id and r.set_id = gone.set_id and a.ordinal = gone.ordinal
      returning 1
    ), lessened as (
      update anchor_sets s set items = s.items - g.n from (select set_id, count(*)::int as n from gone group by 1) g
      where s.project_id = ${projectId} and s.id = g.set_id
    )
    select (select count(*)::int from gone) as items, (select count(*)::int from answers) as results`;
  return { anchor_items: row?.items ?? 0, anchor_results: row?.results ?? 0 };
}

async function eraseContent({ sql, projectId }: Within, ids: readonly string[]): Promise<Counts> {
  const [row] = await sql<{ turns: number; subjects: number }[]>`
    with keys as materialized (
      select jsonb_array_elements_text(${json(ids)}::text::jsonb) as id
    ), gone as (
      delete from turns t using keys k where t.project_id = ${projectId} and t.id = k.id
      returning t.project_id, (t.received_at at time zone 'UTC')::date as day
    ), uncounted as (
      insert into intake_rollups as c (project_id, day, shard, turns) select project_id, day, 'deleted', -count(*) from gone group by 1, 2 order by 1, 2
      on conflict (project_id, day, shard) do update set turns = c.turns + excluded.turns
    ), others as (
      delete from subjects t using keys k where t.project_id = ${projectId} and t.kind in ${sql(storedSubjectKinds)} and t.id = k.id returning 1
    )
    select (select count(*)::int from gone) as turns, (select count(*)::int from others) as subjects`;
  return { turns: row?.turns ?? 0, subjects: row?.subjects ?? 0 };
}

async function eraseSpans({ sql, projectId }: Within, traces: readonly string[]): Promise<Counts> {
  const [row] = await sql<{ n: number }[]>`
    with gone as (
      delete from trace_segments t using jsonb_array_elements_text(${json(traces)}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.trace_id = k.id returning t.project_id, t.spans, (t.received_at at time zone 'UTC')::date as day
    ), uncounted as (
      insert into intake_rollups as c (project_id, day, shard, spans) select project_id, day, 'deleted', -sum(spans) from gone group by 1, 2 order by 1, 2
      on conflict (project_id, day, shard) do update set spans = c.spans + excluded.spans
    )
    select count(*)::int as n from gone`;
  return { trace_segments: row?.n ?? 0 };
}

/** Sessions that what is deleted stands in. */
async function sessionsOf(
  { sql, projectId }: Within,
  { turns, subjects, traces }: Named,
): Promise<string[]> {
  const rows = await sql<{ id: string }[]>`
    select session_id as id from turns where project_id = ${projectId} and session_id is not null
      and id in (select jsonb_array_elements_text(${json(turns)}::text::jsonb))
    union
    select session_id from traces where project_id = ${projectId} and session_id is not null
      and id in (select jsonb_array_elements_text(${json(traces)}::text::jsonb))
    union
    select session_id from subjects where project_id = ${projectId} and session_id is not null and kind in ${sql(storedSubjectKinds)}
      and id in (select jsonb_array_elements_text(${json(subjects)}::text::jsonb))`;
  return rows.map(({ id }) => id);
}

/**
 * A session that was named goes; others go when nothing is left in them, with what is kept under
 * their name alone.
 */
async function eraseSessions(
  { sql, projectId }: Within,
  ids: readonly string[],
  named: readonly string[],
): Promise<Counts> {
  const [row] = await sql<{ n: number }[]>`
    with gone as (
      delete from sessions s using jsonb_array_elements_text(${json([...new Set(ids)])}::text::jsonb) as k(id)
      where s.project_id = ${projectId} and s.id = k.id and (
        s.id in (select jsonb_array_elements_text(${json(named)}::text::jsonb)) or not exists (
          select from turns t where t.project_id = ${projectId} and t.session_id = s.id
          union all select from traces t where t.project_id = ${projectId} and t.session_id = s.id
          union all select from subjects t where t.project_id = ${projectId} and t.session_id = s.id
          union all select from gateway_calls t where t.project_id = ${projectId} and t.session_id = s.id))
      returning s.id
    ), counters as (
      delete from gateway_counters c using gone where c.project_id = ${projectId} and c.session_id = gone.id
    ), walks as (
      delete from pipelines p using gone where p.project_id = ${projectId} and p.id = gone.id
    )
    select count(*)::int as n from gone`;
  return { sessions: row?.n ?? 0 };
}

/** People's words about what is deleted go out of the audit log; who did what and when stays. */
async function forgetWords({ sql, projectId }: Within, ids: readonly string[]): Promise<void> {
  await sql`
    update audit_events set detail = '{"deleted": true}'
    where project_id = ${projectId} and target in (select jsonb_array_elements_text(${json(ids)}::text::jsonb)) and action not like 'data.%'`;
}
