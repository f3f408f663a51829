import type { Fragment, Sql, TransactionSql } from 'postgres';
import type { ProjectCtx } from '../access';
import { storableJson } from '../domain';
import { type Ctx, notifyChanged } from '../platform';
import { endRefreshes, listProjectsToRefresh, postponeRefreshes } from '../queue';
import { upsertAccountCounts, upsertDailyCounts } from './refresh-counts';
import { labelledVerdictColumns, labelledVerdictsOf } from './labelled-verdicts-of';

type Within = Pick<ProjectCtx, 'sql' | 'projectId'>;

/** Number of subjects recomputed per statement, few enough to delay no one for long. */
const subjectsAtOnce = 200;
/**
 * Number of locks per project, shared by its subjects: one lock per subject could exhaust the
 * server's lock table.
 */
const locks = 64;
/** A failed subject is retried after this time. */
const againAfter = '1 minute';

/**
 * Recomputes the labelled verdicts of some subjects and their counts, and removes their pending
 * refreshes. Serialises refreshes of one subject, to count no difference twice. Repeating it
 * changes nothing.
 * @throws storage errors; the refreshes stay pending
 */
export async function refreshLabelledVerdicts(
  ctx: Within,
  subjectIds: Iterable<string>,
): Promise<void> {
  const all = [...new Set(subjectIds)];
  for (let from = 0; from < all.length; from += subjectsAtOnce) {
    const ids = storableJson(all.slice(from, from + subjectsAtOnce));
    await ctx.sql.begin(async (sql) => refresh(within(sql, ctx.projectId), ids));
  }
}

/**
 * Runs one batch for each project with pending refreshes; every worker calls this once a second.
 * Returns the number of subjects, which is 0 when nothing is pending. A subject that cannot be
 * recomputed does not block others.
 */
export async function refreshPending(ctx: Pick<Ctx, 'sql' | 'log'>): Promise<number> {
  let done = 0;
  for (const projectId of await listProjectsToRefresh(ctx)) {
    try {
      const refreshed = await refreshBatch(ctx.sql, projectId, subjectsAtOnce);
      if (refreshed > 0) notifyChanged(ctx, projectId, 'judgements');
      done += refreshed;
    } catch (error) {
      ctx.log.warn(
        { err: error, project: projectId },
        'labelled verdicts: refresh failed, retrying subjects one by one',
      );
      done += await refreshOneByOne(ctx, projectId);
    }
  }
  return done;
}

/**
 * Skips rows that another worker has locked. Locks rows before subjects, and `refresh` never waits
 * for rows.
 */
async function refreshBatch(pool: Sql, projectId: string, limit: number): Promise<number> {
  return pool.begin(async (sql) => {
    const rows = await sql<{ subject_id: string }[]>`
      select subject_id from judgement_dues where project_id = ${projectId} and due_at <= now()
      order by due_at limit ${limit} for update skip locked`;
    const ids = [...new Set(rows.map((row) => row.subject_id))];
    if (ids.length > 0) await refresh(within(sql, projectId), storableJson(ids));
    return ids.length;
  });
}

/** Refreshes subjects one by one and defers failed ones. @throws if PostgreSQL is unavailable */
async function refreshOneByOne(ctx: Pick<Ctx, 'sql' | 'log'>, projectId: string): Promise<number> {
  const rows = await ctx.sql<{ subject_id: string }[]>`
    select distinct subject_id from judgement_dues where project_id = ${projectId} and due_at <= now() limit ${subjectsAtOnce}`;
  for (const { subject_id: subject } of rows) {
    try {
      await refreshLabelledVerdicts({ sql: ctx.sql, projectId }, [subject]);
    } catch (error) {
      ctx.log.warn(
        { err: error, project: projectId, subject },
        'labelled verdicts: refresh of a subject failed',
      );
      await postponeRefreshes(ctx.sql, { projectId, subjectId: subject }, againAfter);
    }
  }
  return rows.length;
}

/**
 * Allows a transaction to build statement parts like a pool, which is the only thing needed here.
 */
function within(sql: TransactionSql, projectId: string): Within {
  return { sql: sql as unknown as Sql, projectId };
}

/**
 * Takes locks in a first statement, because each statement has its own snapshot: the second then
 * sees the commits of earlier lock holders.
 */
async function refresh(ctx: Within, ids: string): Promise<void> {
  const { sql, projectId } = ctx;
  await sql`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(${projectId}, abs(hashtext(id)::bigint) % ${locks}) as key
      from jsonb_array_elements_text(${ids}::text::jsonb) as s(id) order by 1 offset 0
    ) as keys`;
  const subjects = sql`select id as subject_id from jsonb_array_elements_text(${ids}::text::jsonb) as s(id)`;
  const columns = columnList(sql);
  await sql`
    with subjects as materialized (${subjects}), fresh as materialized (
      select ${columns} from (${labelledVerdictsOf(ctx, sql`select subject_id from subjects`)}) as made
    ), old as materialized (
      select j.* from subjects s cross join lateral (
        select ${columns} from judgements where project_id = ${projectId} and subject_id = s.subject_id offset 0
      ) as j
    ), stale as materialized (
      select * from old except select * from fresh
    ), news as materialized (
      select * from fresh except select * from old
    ), gone as (
      delete from judgements j using stale s
      where j.project_id = ${projectId} and j.origin = s.origin and j.id = s.id
        and not exists (select from news n where n.origin = s.origin and n.id = s.id)
    ), kept as (
      insert into judgements (project_id, ${columns}) select ${projectId}, ${columns} from news order by origin, id
      on conflict (project_id, origin, id) do update set ${replaced(sql)}
    ), changes as materialized (
      select 1 as sign, * from news union all select -1, * from stale
    ), ${upsertDailyCounts(ctx)}, ${upsertAccountCounts(ctx)}, due as (
      select d.* from subjects s cross join lateral (
        select project_id, subject_id, due_at from judgement_dues
        where project_id = ${projectId} and subject_id = s.subject_id and due_at <= now() offset 0 for update skip locked
      ) as d
    )
    ${endRefreshes(sql, sql`select project_id, subject_id, due_at from due`)}`;
}

/** The names come only from this repository, never from input. */
function columnList(sql: Sql): Fragment {
  return labelledVerdictColumns
    .map((name) => sql`${sql(name)}`)
    .reduce((before, name) => sql`${before}, ${name}`);
}

function replaced(sql: Sql): Fragment {
  return labelledVerdictColumns
    .filter((name) => name !== 'origin' && name !== 'id')
    .map((name) => sql`${sql(name)} = excluded.${sql(name)}`)
    .reduce((before, name) => sql`${before}, ${name}`);
}
