import type { Fragment, Sql, TransactionSql } from 'postgres';

/* Writes to work rows and jobs, for other modules to include in their own statements. */

type SqlClient = Sql | TransactionSql;

/**
 * Inserts pending work.
 * @param rows project_id, id, subject_kind, subject_id, revision, verifier, rule, owner, fence,
 *   attempts, due_at, awaits (null if it waits for no verdict), experiment_id (null for live work),
 *   lane (`slow`: a model is called in any case), in this order
 * @param options.urgent a caller waits for the verdict: if a model must be called, it overtakes
 * work without a waiting caller
 */
export function insertWork(
  sql: SqlClient,
  rows: Fragment,
  options: { readonly urgent?: boolean } = {},
): Fragment {
  return sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, rule, owner,
      fence, attempts, due_at, awaits, experiment_id, lane, state, priority)
    select r.*, case when r.awaits is null then 'waiting' else 'held' end,
      ${options.urgent === true ? 0 : 1}::int
    from (${rows}) as r(project_id, id, subject_kind, subject_id, revision, verifier, rule, owner,
      fence, attempts, due_at, awaits, experiment_id, lane)
    returning project_id, id, subject_kind, subject_id, revision, verifier, rule, owner, due_at,
      lane, created_at`;
}

/** The verifier name of work that assembles a trace. */
export const assembleVerifier = 'assemble';

/**
 * Inserts or postpones the work of assembling traces: a trace that keeps growing is assembled at
 * most `longestWaitMs` after it began. Returns due_at.
 * @param rows project_id, trace id, due_at, in this order
 */
export function insertAssembly(sql: SqlClient, rows: Fragment, longestWaitMs: number): Fragment {
  return sql`
    insert into work as w (project_id, id, subject_kind, subject_id, revision, verifier, due_at)
    select r.project_id, 'trace:' || r.id, 'trace', r.id, 1, ${assembleVerifier}, r.due_at
    from (${rows}) as r(project_id, id, due_at) order by 1, 2
    on conflict (project_id, id) do update set revision = w.revision + 1, due_at = case
      when w.owner is null
        then least(excluded.due_at, w.created_at + ${longestWaitMs} * interval '1 millisecond')
      else w.due_at end
    returning due_at`;
}

/**
 * Changes the subject kind of work.
 * @param rows project_id, id and kind, under these names
 */
export function turnWorkOver(sql: SqlClient, rows: Fragment): Fragment {
  return sql`
    update work w set subject_kind = r.kind from (${rows}) as r
    where w.project_id = r.project_id and w.id = r.id`;
}

/** @param rows project_id and id of completed work, under these names */
export function endWork(sql: SqlClient, rows: Fragment): Fragment {
  return sql`
    delete from work w using (${rows}) as ended
    where w.project_id = ended.project_id and w.id = ended.id`;
}

/**
 * Returns work to be run later.
 * @param rows project_id and id, under these names
 */
export function postponeWork(sql: SqlClient, rows: Fragment, waitMs: number): Fragment {
  return sql`
    update work w set owner = null, attempts = 0,
      due_at = now() + ${waitMs} * interval '1 millisecond'
    from (${rows}) as later where w.project_id = later.project_id and w.id = later.id`;
}

/**
 * Deletes the work of subjects, and of assembling traces. Returns id, and `verdict`: whether it
 * would have produced one.
 */
export function deleteWork(
  sql: SqlClient,
  projectId: string,
  { subjects, traces }: { readonly subjects: string; readonly traces: string },
): Fragment {
  return sql`
    delete from work where project_id = ${projectId} and (
      (verifier <> ${assembleVerifier}
        and subject_id in (select jsonb_array_elements_text(${subjects}::text::jsonb)))
      or (verifier = ${assembleVerifier}
        and subject_id in (select jsonb_array_elements_text(${traces}::text::jsonb))))
    returning id, verifier <> ${assembleVerifier} as verdict`;
}

/** Deletes the pending work of an experiment. */
export async function dropExperimentWork(
  sql: SqlClient,
  projectId: string,
  experimentId: string,
): Promise<void> {
  await sql`delete from work where project_id = ${projectId} and experiment_id = ${experimentId}`;
}

/** Cancels the waiting and running jobs of a kind. */
export async function cancelJobs(
  sql: SqlClient,
  projectId: string,
  { kind, reason }: { readonly kind: string; readonly reason: string },
): Promise<void> {
  await sql`
    update jobs set state = 'cancelled', owner = null, finished_at = now(), reason = ${reason}
    where project_id = ${projectId} and kind = ${kind} and state in ('waiting', 'running')`;
}

/**
 * Releases all work and jobs after a restore, since the workers of the backup no longer exist. They
 * are ready at once, under a fence that no worker has.
 */
export async function freeLeases(sql: SqlClient): Promise<void> {
  await sql`
    update work set owner = null, hinted_at = null, fence = fence + 1, due_at = least(due_at, now())
    where owner is not null or hinted_at is not null`;
  await sql`
    update jobs set owner = null, fence = fence + 1, due_at = now() where owner is not null`;
}
