import type { Fragment, Sql, TransactionSql } from 'postgres';
import type { DecisionState } from '../domain';
import type { ClaimedWork } from './claim';
import { insertWork } from './work-rows';

/*
 * Decisions of rules and their counts by day. Other modules splice these parts into their own
 * statements; a part that stores rows takes them as a `select` of the columns named here, in order.
 */

type Statements = Sql | TransactionSql;

/**
 * Inserts decisions about turns; existing ones are unchanged.
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
 * Adds to the daily counts; negative counts subtract.
 * @param rows project_id, day, rule, state, shard, count, in the order of this key
 */
export function countDecisions(sql: Statements, rows: Fragment): Fragment {
  return sql`
    insert into decision_rollups as c (project_id, day, rule, state, shard, count) ${rows}
    on conflict (project_id, day, rule, state, shard)
    do update set count = c.count + excluded.count`;
}

/**
 * CTEs that insert pending work, its decisions and their counts: `pending`, `decided` and
 * `counted`.
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
 * Updates decisions; returns subject_id, state, verdict_id, state_before and day_before.
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
 * CTEs that change decisions from "run" to the result of the verification, and move their counts:
 * `redecided` and `recounted`.
 * @param rows project_id, subject_id, revision, rule, state, reason, verdict_id (null: no verdict
 * resulted), day, under these names
 */
export function changeDecisions(sql: Statements, rows: Fragment, shard: string): Fragment {
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

/** Work that waits for another verdict, and the verdicts that release or cancel it. */
interface DecidingParts {
  /**
   * Verdicts: project_id, subject_id, revision, verifier, outcome (null: there will be none), under
   * these names.
   */
  readonly verdicts: Fragment;
}

/**
 * CTEs of a `with recursive` that resolve work that waits for a verdict: `released` can run now;
 * `vain` is deleted, and so is the work that waits for a verdict of `vain`. `vain` has project_id,
 * subject_id, revision, rule, and the reason. A separate statement would leave a moment in which
 * the verdict is stored but the work that waits for it is not updated.
 */
export function decideHeld(sql: Statements, { verdicts }: DecidingParts): Fragment {
  return sql`
    awaited as materialized (
      select w.project_id, w.id, w.subject_id, w.revision, w.rule, w.verifier, w.awaits, s.outcome,
        coalesce(w.awaits -> 'outcomes' ? s.outcome, false) as wanted
      from (${verdicts}) as s
      join work w on w.project_id = s.project_id and w.subject_id = s.subject_id
        and w.revision = s.revision and w.state = 'held' and w.awaits ->> 'verifier' = s.verifier
    ), in_vain(project_id, id, subject_id, revision, rule, verifier, awaits, outcome) as (
      select project_id, id, subject_id, revision, rule, verifier, awaits, outcome from awaited
      where not wanted
      union
      select w.project_id, w.id, w.subject_id, w.revision, w.rule, w.verifier, w.awaits, null
      from in_vain v
      join work w on w.project_id = v.project_id and w.subject_id = v.subject_id
        and w.revision = v.revision and w.state = 'held' and w.awaits ->> 'verifier' = v.verifier
    ), released as (
      update work w set state = 'waiting', awaits = null,
        due_at = now() + (a.awaits ->> 'delay_seconds')::int * interval '1 second'
      from awaited a where a.wanted and w.project_id = a.project_id and w.id = a.id
        and w.state = 'held'
      returning w.id
    ), vain as (
      delete from work w using in_vain v
      where w.project_id = v.project_id and w.id = v.id and w.state = 'held'
      returning w.project_id, w.subject_id, w.revision, w.rule,
        'verdict: ' || case when v.outcome is null then (v.awaits ->> 'verifier') || ' gives none'
          else 'the outcome of ' || (v.awaits ->> 'verifier') || ' is ' || v.outcome end as reason
    )`;
}

/** Work that ends without a verdict, and the resulting state of its rule's decision. */
export interface UndecidedWork {
  readonly work: ClaimedWork;
  readonly state: Extract<DecisionState, 'over_budget' | 'no_subject' | 'sampled_out'>;
  /** A text for people. */
  readonly reason: string;
}

/**
 * Ends this owner's claimed work of rules without a verdict, moves its decisions and their counts
 * to the given state, and resolves the work that waited for its verdict.
 */
export async function endUndecided(
  sql: Statements,
  owner: string,
  undecided: readonly UndecidedWork[],
): Promise<void> {
  if (undecided.length === 0) return;
  const input = undecided.map(({ work, state, reason }) => ({
    p: work.projectId,
    id: work.id,
    fence: work.fence,
    st: state,
    re: reason.replaceAll('\u0000', '').toWellFormed().slice(0, 1000),
  }));
  await sql`
    with recursive ended as (
      delete from work w
      using jsonb_to_recordset(${JSON.stringify(input)}::text::jsonb) as k(
        p text, id text, fence bigint, st text, re text)
      where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner = ${owner}
      returning w.project_id, w.subject_id, w.revision, w.rule, w.verifier, k.st, k.re
    ), ${decideHeld(sql, {
      verdicts: sql`
        select project_id, subject_id, revision, verifier, null::text as outcome from ended`,
    })}
    , ${changeDecisions(
      sql,
      sql`
        select project_id, subject_id, revision, rule, st as state, re as reason,
          null::text as verdict_id, (now() at time zone 'UTC')::date as day from ended
        union all
        select project_id, subject_id, revision, rule, 'filtered', reason, null,
          (now() at time zone 'UTC')::date from vain`,
      'ended',
    )}
    select`;
}

/**
 * Deletes decisions about subjects, and subtracts them from the daily counts. Counters are sharded,
 * so a single shard may become negative. Returns how many were deleted.
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
