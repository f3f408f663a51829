import type { Fragment, Sql, TransactionSql } from 'postgres';
import type { ClaimedWork } from './claim';
import { insertWork } from './work-rows';

/*
 * Decisions of rules and their counts by day. Other rooms splice these parts into statements of
 * their own; a part that stores rows takes them as a `select` of the columns named here, in order.
 */

type Statements = Sql | TransactionSql;

/**
 * Inserts decisions about turns; those that exist stay.
 * @param rows project_id, subject_id, revision, rule, rule_version, subject_kind, verifier, state,
 * reason, verdict_id, decided_at
 */
export function insertDecisions(sql: Statements, rows: Fragment): Fragment {
  return sql`
    insert into decisions (project_id, subject_id, revision, rule, rule_version, subject_kind,
      verifier, state, reason, verdict_id, decided_at)
    ${rows} on conflict do nothing
    returning project_id, subject_id, rule, state, verdict_id,
      (decided_at at time zone 'UTC')::date as day`;
}

/**
 * Adds to the counts by day; what is taken away is negative.
 * @param rows project_id, day, rule, state, shard, count, in the order of this key
 */
export function countDecisions(sql: Statements, rows: Fragment): Fragment {
  return sql`
    insert into decision_rollups as c (project_id, day, rule, state, shard, count) ${rows}
    on conflict (project_id, day, rule, state, shard)
    do update set count = c.count + excluded.count`;
}

/**
 * Parts of a `with` that insert pending work, its decisions and their counts: `pending`, `decided`
 * and `counted`.
 * @param parts rows as `insertWork` and `insertDecisions` take them
 */
export function enqueueDecided(
  sql: Statements,
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
 * Decides again: returns subject_id, state, verdict_id, state_before and day_before.
 * @param rows project_id, subject_id, revision, rule, rule_version, verifier, state, reason,
 * verdict_id, state_before, day_before, under these names
 */
export function replaceDecisions(sql: Statements, rows: Fragment): Fragment {
  return sql`
    update decisions d set rule_version = r.rule_version, verifier = r.verifier, state = r.state,
      reason = r.reason, verdict_id = r.verdict_id, decided_at = now()
    from (${rows}) as r
    where d.project_id = r.project_id and d.subject_id = r.subject_id and d.revision = r.revision
      and d.rule = r.rule
    returning d.subject_id, d.state, d.verdict_id, r.state_before, r.day_before`;
}

/**
 * Parts of a `with` that change decisions from "run" to what the verification gave, and move their
 * counts: `redecided` and `recounted`.
 * @param rows project_id, subject_id, revision, rule, state, reason, day, under these names
 */
export function changeDecisions(sql: Statements, rows: Fragment, shard: string): Fragment {
  return sql`
    redecided as (
      update decisions d set state = s.state, reason = s.reason from (${rows}) as s
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

/** Work of one project and rule that is beyond the rule's budget. */
export interface OverBudget {
  readonly projectId: string;
  readonly owner: string;
  readonly name: string;
  readonly works: readonly ClaimedWork[];
  readonly reason: string;
}

/**
 * Ends work that this owner still holds, and turns its decisions and their counts into
 * `over_budget`.
 */
export async function endOverBudget(
  sql: TransactionSql,
  { projectId, owner, name, works, reason }: OverBudget,
): Promise<void> {
  const keys = JSON.stringify(works.map((work) => ({ id: work.id, fence: work.fence })));
  await sql`
    with ended as (
      delete from work w using jsonb_to_recordset(${keys}::text::jsonb) as k(id text, fence bigint)
      where w.project_id = ${projectId} and w.id = k.id and w.fence = k.fence and w.owner = ${owner}
      returning w.subject_id, w.revision
    ), decided as (
      update decisions d set state = 'over_budget', reason = ${reason}, verdict_id = null from ended
      where d.project_id = ${projectId} and d.subject_id = ended.subject_id
        and d.revision = ended.revision and d.rule = ${name} and d.state = 'run'
      returning (d.decided_at at time zone 'UTC')::date as day
    )
    ${countDecisions(
      sql,
      sql`select ${projectId}, day, ${name}, each.state, 'budget', sum(each.n)
        from decided, lateral (values ('over_budget', 1), ('run', -1)) as each(state, n)
        group by day, each.state order by day, each.state`,
    )}`;
}

/**
 * Deletes decisions about subjects, and takes them out of the counts by day: counters are kept in
 * shards, and one of them may well be negative. Returns how many.
 */
export async function deleteDecisions(
  sql: Statements,
  projectId: string,
  subjectIds: readonly string[],
): Promise<number> {
  const ids = JSON.stringify(subjectIds);
  const [row] = await sql<{ n: number }[]>`
    with gone as (
      delete from decisions t using jsonb_array_elements_text(${ids}::text::jsonb) as k(id)
      where t.project_id = ${projectId} and t.subject_id = k.id
      returning t.project_id, (t.decided_at at time zone 'UTC')::date as day, t.rule, t.state
    ), uncounted as (${countDecisions(
      sql,
      sql`select project_id, day, rule, state, 'deleted', -count(*) from gone
        group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
    )})
    select count(*)::int as n from gone`;
  return row?.n ?? 0;
}
