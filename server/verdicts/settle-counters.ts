import { randomInt } from 'node:crypto';
import type { Fragment, Sql } from 'postgres';
import { Outcome } from '../domain';
import { completeRunDecisions, resolveAwaiting } from '../queue';

/** This process's shard of the counters that settling writes: a few shards make contention rare. */
const shard = `v${randomInt(8)}`;

/**
 * The common table expressions of the settling statement that update counters; the text before them
 * leaves a parenthesis open. They decide work that waits for these verdicts, and count decisions
 * other than "run", verdicts by day and model and by hour, passed and failed verdicts by every
 * filter of the reports, and the figures of integrity. Read `stored` and `counting`.
 */
export function counted(sql: Sql): Fragment {
  return sql`
    ), ${resolveAwaiting(sql, {
      verdicts: sql`
        select project_id, subject_id, revision, verifier_slug as verifier, outcome from stored`,
    })}
    , ${completeRunDecisions(
      sql,
      sql`
      select project_id, subject_id, revision, rule, decision_state as state,
        decision_reason as reason, id as verdict_id, day
      from stored where decision_state <> 'run'
      union all
      select project_id, subject_id, revision, rule, 'filtered', reason, null,
        (now() at time zone 'UTC')::date
      from cancelled`,
      shard,
    )}
    , rolled as (
      insert into verdict_rollups as r (
        project_id, day, verifier_slug, model, ${list(sql, outcomes)}, self_passed, self_failed)
      select project_id, day, verifier_slug, model, ${outcomeSums(sql)},
        ${signed(sql, sql`outcome = 'passed' and self`)},
        ${signed(sql, sql`outcome = 'failed' and self`)}
      from counting c where sign = 1 or exists (select from verdict_rollups k
        where k.project_id = c.project_id and k.day = c.day and k.verifier_slug = c.verifier_slug
          and k.model = c.model)
      group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (project_id, day, verifier_slug, model)
      do update set ${added(sql, [...outcomes, 'self_passed', 'self_failed'])}
    ), houred as (
      insert into verdict_hours as r (project_id, hour, verifier_slug, ${list(sql, outcomes)})
      select project_id, hour, verifier_slug, ${outcomeSums(sql)}
      from counting c where sign = 1 or exists (select from verdict_hours k
        where k.project_id = c.project_id and k.hour = c.hour and k.verifier_slug = c.verifier_slug)
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (project_id, hour, verifier_slug) do update set ${added(sql, outcomes)}
    ), populated as (
      insert into verdict_populations as r (
        project_id, verifier_slug, day, version, model, judge, self, part, passed, failed)
      select project_id, verifier_slug, day, version, model, judge, self, part,
        ${signed(sql, sql`outcome = 'passed'`)}, ${signed(sql, sql`outcome = 'failed'`)}
      from counting c
      where outcome in ('passed', 'failed') and (sign = 1 or exists (
        select from verdict_populations k
        where k.project_id = c.project_id and k.verifier_slug = c.verifier_slug and k.day = c.day
          and k.version = c.version and k.model = c.model and k.judge = c.judge
          and k.self = c.self and k.part = c.part))
      group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8
      on conflict (project_id, verifier_slug, day, version, model, judge, self, part)
      do update set ${added(sql, ['passed', 'failed'])}
    ), integrity as (
      insert into integrity_rollups as r (project_id, day, model, ${list(sql, integrityCounts)})
      select project_id, day, model, sum(sign * ran), sum(sign * fallback), sum(sign * figures),
        sum(sign * unsourced), sum(sign * reprompt),
        sum(case when reprompt = 1 and unsourced = 0 then sign else 0 end)
      from counting c where ran = 1 and (sign = 1 or exists (select from integrity_rollups k
        where k.project_id = c.project_id and k.day = c.day and k.model = c.model))
      group by 1, 2, 3 order by 1, 2, 3
      on conflict (project_id, day, model) do update set ${added(sql, integrityCounts)}`;
}

const outcomes = Outcome.options;
const integrityCounts = [
  'answers',
  'fallback_scans',
  'figures',
  'unsourced',
  'reprompts',
  'reprompts_helped',
] as const;

const list = (sql: Sql, names: readonly string[]): Fragment =>
  names.map((name) => sql`${sql(name)}`).reduce((before, name) => sql`${before}, ${name}`);

/** The number of verdicts that meet a condition, minus the superseded ones. */
const signed = (sql: Sql, condition: Fragment): Fragment =>
  sql`coalesce(sum(sign) filter (where ${condition}), 0)`;

const outcomeSums = (sql: Sql): Fragment =>
  outcomes
    .map((outcome) => signed(sql, sql`outcome = ${outcome}`))
    .reduce((before, sum) => sql`${before}, ${sum}`);

/** A count never falls below 0: verdicts of a release without this count need no subtraction. */
const added = (sql: Sql, names: readonly string[]): Fragment =>
  names
    .map((name) => sql`${sql(name)} = greatest(0, r.${sql(name)} + excluded.${sql(name)})`)
    .reduce((before, each) => sql`${before}, ${each}`);

/**
 * The common table expression that records the end of verifications as events of their missions
 * (VS-46); the text before it leaves a parenthesis open. Reads `stored`.
 */
export function notifiedMissions(sql: Sql): Fragment {
  return sql`
    ), mission_events_stored as (
      insert into mission_events (project_id, mission_id, id, task_id, event, verdict_id, score, status, created_at)
      select s.project_id, s.mission_id, s.id || ':' || e.event, s.task_id, e.event, s.id, s.score, s.verdict, s.settled_at
      from stored s, lateral (values
        (case s.outcome when 'inconclusive' then 'failed' when 'skipped' then 'skipped' else 'completed' end, true),
        ('human_review_requested', s.needs_human_review), ('over_budget', s.over_budget)) as e(event, happened)
      where s.mission_id is not null and e.happened
      order by 1, 2, 3
      on conflict do nothing`;
}
