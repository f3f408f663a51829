import { randomInt } from 'node:crypto';
import type { Fragment, Sql } from 'postgres';
import { changeDecisions, decideHeld } from '../queue';

/**
 * The shard of the counters written on settling, chosen per process: few enough shards, with rare
 * contention.
 */
const shard = `v${randomInt(8)}`;

/**
 * The part of the settling statement that counts, to follow an open parenthesis of `with`:
 * work held for these verdicts, decisions that came out otherwise than "run", verdicts by day and model, and by hour, those that
 * decided by all that reports can be narrowed to, and integrity's own figures. Reads its parts
 * `input` and `stored`.
 */
export function counted(sql: Sql): Fragment {
  return sql`
    ), ${decideHeld(sql, {
      verdicts: sql`
        select project_id, subject_id, revision, verifier_slug as verifier, outcome from stored`,
    })}
    , ${changeDecisions(
      sql,
      sql`
      select project_id, subject_id, revision, rule, decision_state as state,
        decision_reason as reason, id as verdict_id, day
      from stored where decision_state <> 'run'
      union all
      select project_id, subject_id, revision, rule, 'filtered', reason, null,
        (now() at time zone 'UTC')::date
      from vain`,
      shard,
    )}
    , rolled as (
      insert into verdict_rollups as r (
        project_id, day, verifier_slug, model, passed, failed, needs_review, steered, inconclusive, skipped, self_passed, self_failed)
      select project_id, day, verifier_slug, model,
        count(*) filter (where outcome = 'passed'), count(*) filter (where outcome = 'failed'),
        count(*) filter (where outcome = 'needs_review'), count(*) filter (where outcome = 'steered'),
        count(*) filter (where outcome = 'inconclusive'), count(*) filter (where outcome = 'skipped'),
        count(*) filter (where outcome = 'passed' and self), count(*) filter (where outcome = 'failed' and self)
      from stored group by 1, 2, 3, 4 order by 1, 2, 3, 4
      on conflict (project_id, day, verifier_slug, model) do update set
        passed = r.passed + excluded.passed, failed = r.failed + excluded.failed,
        needs_review = r.needs_review + excluded.needs_review, steered = r.steered + excluded.steered,
        inconclusive = r.inconclusive + excluded.inconclusive, skipped = r.skipped + excluded.skipped,
        self_passed = r.self_passed + excluded.self_passed, self_failed = r.self_failed + excluded.self_failed
    ), houred as (
      insert into verdict_hours as r (project_id, hour, verifier_slug, passed, failed, needs_review, steered, inconclusive, skipped)
      select project_id, hour, verifier_slug,
        count(*) filter (where outcome = 'passed'), count(*) filter (where outcome = 'failed'),
        count(*) filter (where outcome = 'needs_review'), count(*) filter (where outcome = 'steered'),
        count(*) filter (where outcome = 'inconclusive'), count(*) filter (where outcome = 'skipped')
      from stored group by 1, 2, 3 order by 1, 2, 3
      on conflict (project_id, hour, verifier_slug) do update set
        passed = r.passed + excluded.passed, failed = r.failed + excluded.failed,
        needs_review = r.needs_review + excluded.needs_review, steered = r.steered + excluded.steered,
        inconclusive = r.inconclusive + excluded.inconclusive, skipped = r.skipped + excluded.skipped
    ), populated as (
      insert into verdict_populations as r (project_id, verifier_slug, day, version, model, judge, self, part, passed, failed)
      select project_id, verifier_slug, day, version, model, judge, self, part, count(*) filter (where outcome = 'passed'),
        count(*) filter (where outcome = 'failed')
      from stored where outcome in ('passed', 'failed') group by 1, 2, 3, 4, 5, 6, 7, 8 order by 1, 2, 3, 4, 5, 6, 7, 8
      on conflict (project_id, verifier_slug, day, version, model, judge, self, part) do update set
        passed = r.passed + excluded.passed, failed = r.failed + excluded.failed
    ), integrity as (
      insert into integrity_rollups as r (project_id, day, model, answers, fallback_scans, figures, unsourced, reprompts, reprompts_helped)
      select stored.project_id, stored.day, stored.model, sum(i.ran), sum(i.fallback), sum(i.figures), sum(i.unsourced), sum(i.reprompt),
        sum(case when i.reprompt = 1 and i.unsourced = 0 then 1 else 0 end)
      from stored join input i on i.p = stored.project_id and i.id = stored.id
      where i.ran = 1 group by 1, 2, 3 order by 1, 2, 3
      on conflict (project_id, day, model) do update set
        answers = r.answers + excluded.answers, fallback_scans = r.fallback_scans + excluded.fallback_scans,
        figures = r.figures + excluded.figures, unsourced = r.unsourced + excluded.unsourced,
        reprompts = r.reprompts + excluded.reprompts, reprompts_helped = r.reprompts_helped + excluded.reprompts_helped`;
}

/**
 * The part that notifies missions of the end of their verifications (VS-46), to follow an open
 * parenthesis of `with`. Reads its part `stored`.
 */
export function toldMissions(sql: Sql): Fragment {
  return sql`
    ), told as (
      insert into mission_events (project_id, mission_id, id, task_id, event, verdict_id, score, status, created_at)
      select s.project_id, s.mission_id, s.id || ':' || e.event, s.task_id, e.event, s.id, s.score, s.verdict, s.settled_at
      from stored s, lateral (values
        (case s.outcome when 'inconclusive' then 'failed' when 'skipped' then 'skipped' else 'completed' end, true),
        ('human_review_requested', s.needs_human_review), ('over_budget', s.over_budget)) as e(event, happened)
      where s.mission_id is not null and e.happened
      order by 1, 2, 3
      on conflict do nothing`;
}
