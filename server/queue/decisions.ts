import type { Fragment, Sql, TransactionSql } from 'postgres';
import type { DecisionState } from '../domain';
import type { ClaimedWork } from './claim';
import { insertWork } from './work-rows';

/*
 * Decisions of rules and their daily counts. Other modules include these fragments in their own
 * statements. A fragment that stores rows takes them as a `select` of the columns that its `@param`
 * lists; it uses their order unless it says that it uses their names.
 */

type SqlClient = Sql | TransactionSql;

/**
 * Inserts decisions about turns; existing ones are unchanged.
 * @param rows project_id, subject_id, revision, rule, rule_version, subject_kind, verifier, state,
 * reason, verdict_id, decided_at
 */
export function insertDecisions(sql: SqlClient, rows: Fragment): Fragment {
  return sql`
    insert into decisions (project_id, subject_id, revision, rule, rule_version, subject_kind,
      verifier, state, reason, verdict_id, decided_at)
    ${rows} on conflict do nothing
    returning project_id, subject_id, rule, state, verdict_id,
      (decided_at at time zone 'UTC')::date as day`;
}

/**
 * Adds to the daily counts; negative counts subtract.
 * @param rows project_id, day, rule, state, shard, count, sorted by the first five
 */
export function countDecisions(sql: SqlClient, rows: Fragment): Fragment {
  return sql`
    insert into decision_rollups as c (project_id, day, rule, state, shard, count) ${rows}
    on conflict (project_id, day, rule, state, shard)
    do update set count = c.count + excluded.count`;
}

/**
 * CTEs that insert pending work (`pending`), its decisions (`decided`) and their counts
 * (`counted`).
 * @param parts rows as `insertWork` and `insertDecisions` take them
 */
export function enqueueWithDecisions(
  sql: SqlClient,
  parts: { readonly work: Fragment; readonly decisions: Fragment; readonly shard: string },
): Fragment {
  return sql`
    pending as (${insertWork(sql, parts.work)}
    ), decided as (${insertDecisions(sql, parts.decisions)}
    ), counted as (${countDecisions(
      sql,
      sql`select project_id, day, rule, state, ${parts.shard}, count(*) from decided
        group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    )})`;
}

/**
 * Updates decisions; returns subject_id, state, verdict_id, state_before and day_before.
 * @param rows project_id, subject_id, revision, rule, rule_version, verifier, state, reason,
 * verdict_id, state_before, day_before, by name
 */
export function updateDecisions(sql: SqlClient, rows: Fragment): Fragment {
  return sql`
    update decisions d set rule_version = r.rule_version, verifier = r.verifier, state = r.state,
      reason = r.reason, verdict_id = r.verdict_id, decided_at = now()
    from (${rows}) as r
    where d.project_id = r.project_id and d.subject_id = r.subject_id and d.revision = r.revision
      and d.rule = r.rule
    returning d.subject_id, d.state, d.verdict_id, r.state_before, r.day_before`;
}

/**
 * CTEs that change decisions from "run" to the result of the verification (`redecided`), and move
 * their counts (`recounted`).
 * @param rows project_id, subject_id, revision, rule, state, reason, verdict_id (null if there is
 * no verdict), day, by name
 */
export function completeRunDecisions(sql: SqlClient, rows: Fragment, shard: string): Fragment {
  return sql`
    redecided as (
      update decisions d set state = s.state, reason = s.reason, verdict_id = s.verdict_id
      from (${rows}) as s
      where d.project_id = s.project_id and d.subject_id = s.subject_id
        and d.revision = s.revision and d.rule = s.rule and d.state = 'run'
      returning d.project_id, s.day, d.rule, d.state
    ), recounted as (${countDecisions(
      sql,
      sql`select project_id, day, rule, each.state, ${shard}, sum(each.n)
        from redecided, lateral (values (redecided.state, 1), ('run', -1)) as each(state, n)
        group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    )})`;
}

interface AwaitingParts {
  /**
   * The verdicts that release or cancel waiting work: project_id, subject_id, revision, verifier,
   * outcome (null if there will be no verdict), by name.
   */
  readonly verdicts: Fragment;
}

/**
 * CTEs of a `with recursive` that resolve work that waits for a verdict. Work in `released` can run
 * now. Work in `cancelled` is deleted, because its verdict has another outcome or will not exist;
 * this includes work that waits for a verdict of cancelled work. `cancelled` has project_id,
 * subject_id, revision, rule and reason. In a separate statement, the verdict would be stored for a
 * moment while the work that waits for it is not updated.
 */
export function resolveAwaiting(sql: SqlClient, { verdicts }: AwaitingParts): Fragment {
  return sql`
    awaited as materialized (
      select w.project_id, w.id, w.subject_id, w.revision, w.rule, w.verifier, w.awaits, s.outcome,
        coalesce(w.awaits -> 'outcomes' ? s.outcome, false) as wanted
      from (${verdicts}) as s
      join work w on w.project_id = s.project_id and w.subject_id = s.subject_id
        and w.revision = s.revision and w.state = 'held' and w.awaits ->> 'verifier' = s.verifier
    ), unreachable(project_id, id, subject_id, revision, rule, verifier, awaits, outcome) as (
      select project_id, id, subject_id, revision, rule, verifier, awaits, outcome from awaited
      where not wanted
      union
      select w.project_id, w.id, w.subject_id, w.revision, w.rule, w.verifier, w.awaits, null
      from unreachable u
      join work w on w.project_id = u.project_id and w.subject_id = u.subject_id
        and w.revision = u.revision and w.state = 'held' and w.awaits ->> 'verifier' = u.verifier
    ), released as (
      update work w set state = 'waiting', awaits = null,
        due_at = now() + (a.awaits ->> 'delay_seconds')::int * interval '1 second'
      from awaited a where a.wanted and w.project_id = a.project_id and w.id = a.id
        and w.state = 'held'
      returning w.id
    ), cancelled as (
      delete from work w using unreachable u
      where w.project_id = u.project_id and w.id = u.id and w.state = 'held'
      returning w.project_id, w.subject_id, w.revision, w.rule,
        'verdict: ' || case when u.outcome is null then (u.awaits ->> 'verifier') || ' gives none'
          else 'the outcome of ' || (u.awaits ->> 'verifier') || ' is ' || u.outcome end as reason
    )`;
}

/** Work that ends without a verdict, and the resulting state of the decision. */
export interface UndecidedWork {
  readonly work: ClaimedWork;
  readonly state: Extract<DecisionState, 'over_budget' | 'no_subject' | 'sampled_out'>;
  /** Shown to users. */
  readonly reason: string;
}

/**
 * Ends, without a verdict, work of rules that this owner has claimed. Moves its decisions and their
 * counts to the given state, and resolves the work that waits for its verdict.
 */
export async function endUndecided(
  sql: SqlClient,
  owner: string,
  undecided: readonly UndecidedWork[],
): Promise<void> {
  if (undecided.length === 0) return;
  const input = undecided.map(({ work, state, reason }) => ({
    project_id: work.projectId,
    id: work.id,
    fence: work.fence,
    state,
    reason: reason.replaceAll('\u0000', '').toWellFormed().slice(0, 1000),
  }));
  await sql`
    with recursive ended as (
      delete from work w
      using jsonb_to_recordset(${JSON.stringify(input)}::text::jsonb) as k(
        project_id text, id text, fence bigint, state text, reason text)
      where w.project_id = k.project_id and w.id = k.id and w.fence = k.fence and w.owner = ${owner}
      returning w.project_id, w.subject_id, w.revision, w.rule, w.verifier, k.state, k.reason
    ), ${resolveAwaiting(sql, {
      verdicts: sql`
        select project_id, subject_id, revision, verifier, null::text as outcome from ended`,
    })}
    , ${completeRunDecisions(
      sql,
      sql`
        select project_id, subject_id, revision, rule, state, reason,
          null::text as verdict_id, (now() at time zone 'UTC')::date as day from ended
        union all
        select project_id, subject_id, revision, rule, 'filtered', reason, null,
          (now() at time zone 'UTC')::date from cancelled`,
      'ended',
    )}
    select`;
}

/**
 * Deletes decisions about subjects, and subtracts them from the daily counts. Returns the number of
 * deleted decisions. Counts are sharded, so the count of a single shard may become negative.
 */
export async function deleteDecisions(
  sql: SqlClient,
  projectId: string,
  subjectIds: readonly string[],
): Promise<number> {
  const ids = JSON.stringify(subjectIds);
  const [row] = await sql<{ n: number }[]>`
    with deleted as (
      delete from decisions t using jsonb_array_elements_text(${ids}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.subject_id = k.id
      returning t.project_id, (t.decided_at at time zone 'UTC')::date as day, t.rule, t.state
    ), subtracted as (${countDecisions(
      sql,
      sql`select project_id, day, rule, state, 'deleted', -count(*) from deleted
        group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    )})
    select count(*)::int as n from deleted`;
  return row?.n ?? 0;
}
