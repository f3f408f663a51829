import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import type { AlertKind } from '../alert-facts';
import { listAlerts } from '../list-alerts';
import { listFindings } from '../list-findings';
import { checkAlertsNow } from '../watch';
import { countDays } from './day-counts';
import { detectorWindow } from './window';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const dayAgo = (days: number): string =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Days of 30 verdicts of `task`, half of them on each route, tag and prompt version, until yesterday. */
async function verify({ days, fallenFor }: { days: number; fallenFor: number }): Promise<void> {
  const { sql, projectId } = project;
  await sql`
    with made as (
      select d as ago, n, 'v' || d || '_' || n as id, ((now() at time zone 'UTC')::date - d) + interval '12 hours' as at,
        case when n % 2 = 1 and d <= ${fallenFor} then n % 10 < 7 else n < 4 end as bad
      from generate_series(1, ${days}::int) d, generate_series(0, 29) n
    ), decided as (
      insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, turn_id, trace_id,
        model, outcome, action, needs_human_review, decision_state, issues, detail, excerpt, created_at, settled_at)
      select ${projectId}, id, 'task', 'task', 1, 'turn', id, 1, id, id, 'small', case when bad then 'failed' else 'passed' end,
        'accept', false, 'run', '[]', '{}', '', at, at from made returning id
    ), called as (
      insert into gateway_calls (project_id, id, turn_id, route, session_id, dialect, model, stream, status, verdict, truncated, partial,
        units, counter, duration_ms, created_at)
      select ${projectId}, id, id, case when n % 2 = 1 then 'odd' else 'even' end, 's', 'chat', 'small', false, 200, 'passed', false, false,
        1000, 1, 1, at from made returning id
    ), traced as (
      insert into traces (project_id, id, has_root, tags)
      select ${projectId}, id, true, array[case when n % 2 = 1 then 'beta' else 'stable' end, 'only ' || id] from made returning id
    ), scored as (
      insert into scores (project_id, verdict_id, ordinal, name, evaluator, state, must_pass, weight, evidence, prompt_version, cost_usd,
        latency_ms, cached)
      select ${projectId}, id, o, 'whole', 'judge', 'scored', false, 1, '[]', 'task@' || (1 + n % 2), 0, 1, false
      from made, generate_series(0, 1) o returning verdict_id
    )
    insert into verdict_rollups (project_id, day, verifier_slug, model, passed, failed)
    select ${projectId}, at::date, 'task', 'small', count(*) filter (where not bad), count(*) filter (where bad) from made group by at::date`;
}

/** Days of 20 answers of a cost, of turns and of calls to a judge, from `to` days ago on. */
async function answer(
  from: number,
  to: number,
  { usd, turns, failed }: { usd: number; turns: number; failed: number },
): Promise<void> {
  const { sql, projectId } = project;
  await sql`
    with days as (
      select d, ((now() at time zone 'UTC')::date - d) + interval '12 hours' as at from generate_series(${to}::int, ${from}::int) d
    ), answered as (
      insert into turns (project_id, id, content_hash, payload, flags, model, cost_usd, received_at)
      select ${projectId}, 't' || d || '_' || n, 'h', '{}', '{}', 'small', ${usd}::float8 * (1 + n % 3), at from days, generate_series(1, 20) n
      returning id
    ), judged as (
      insert into llm_calls (project_id, id, purpose, attempt, provider, model, state, error_class, latency_ms, created_at)
      select ${projectId}, 'c' || d || '_' || n, 'judge', 1, 'openai', 'judge', case when n <= ${failed} then 'failed' else 'answered' end,
        case when n <= ${failed} then 'timeout' end, 1, at from days, generate_series(1, 20) n
      returning id
    )
    insert into intake_rollups (project_id, day, shard, turns) select ${projectId}, at::date, 'a', ${turns}::int + d % 3 from days`;
}

async function statesOf(kind: AlertKind): Promise<Record<string, string>> {
  const { alerts } = await listAlerts(project);
  return Object.fromEntries(
    alerts.filter((each) => each.kind === kind).map(({ series, state }) => [series, state]),
  );
}

async function findingsOf(kind: AlertKind) {
  return (await listFindings(project, { kind, state: 'open', limit: 50 })).items;
}

test('a fall of a pass rate is found by route, tag and prompt version, and not where nothing fell', async () => {
  await verify({ days: 45, fallenFor: 8 });
  const { sql, projectId } = project;
  // Failed verdicts of an experiment do not count.
  await sql`
    insert into verdicts select (jsonb_populate_record(v, jsonb_build_object('id', 'x' || v.id, 'subject_id', 'x' || v.id,
      'outcome', 'failed', 'experiment_id', 'exp'))).* from verdicts v where project_id = ${projectId} and settled_at > now() - interval '9 days'`;
  await checkAlertsNow(project);
  expect(await statesOf('pass_rate_fell')).toEqual({
    'task/small': 'alerting',
    'task/route:odd': 'alerting',
    'task/route:even': 'ok',
    'task/tag:beta': 'alerting',
    'task/tag:stable': 'ok',
    'task/prompt:task@2': 'alerting',
    'task/prompt:task@1': 'ok',
  });
  const found = await findingsOf('pass_rate_fell');
  expect(found.find(({ series }) => series === 'task/route:odd')).toMatchObject({
    name: 'Task, route odd',
    message: `Task, route odd: 40% of 120 verdicts passed since ${dayAgo(8)}, and 86.7% of 555 verdicts before.`,
    href: expect.stringContaining('/gateway/calls?route=odd&from=') as string,
  });
});

test('a rise of costs, a fall of volume, failures of a judge and missed failures are found', async () => {
  await answer(50, 10, { usd: 0.001, turns: 200, failed: 0 });
  await answer(9, 1, { usd: 0.003, turns: 50, failed: 3 });
  const { sql, projectId } = project;
  await sql`
    insert into turns (project_id, id, content_hash, payload, flags, model, cost_usd, received_at, origin)
    select ${projectId}, 'e' || n, 'h', '{}', '{}', 'small', 50, now() - n * interval '1 day', 'experiment' from generate_series(20, 40) n`;
  await sql`
    insert into judgement_rollups (project_id, day, origin, slug, series, version, model, judge, policy, caught, missed)
    select ${projectId}, (now() at time zone 'UTC')::date - n, 'verifier', 'task', 'task', 1, '', '', 0,
      case when n > 9 then 5 else 1 end, case when n > 9 then 1 else 5 end
    from generate_series(1, 50) n`;
  await checkAlertsNow(project);
  expect(await findingsOf('cost_rose')).toMatchObject([
    {
      series: 'small',
      message: `Cost per answer of small rose from $0.002 to $0.0062 since ${dayAgo(9)}.`,
      severity: 'medium',
      href: expect.stringContaining('/traces?model=small&from=') as string,
    },
  ]);
  expect(await findingsOf('volume_fell')).toMatchObject([
    {
      series: 'turns',
      message: expect.stringMatching(
        new RegExp(
          `^Turns fell from 20[01] a day to 51 a day since ${dayAgo(9)}, compared by weekday\\.$`,
        ),
      ) as string,
    },
  ]);
  expect(await findingsOf('judge_failures_rose')).toMatchObject([
    {
      series: 'openai:judge',
      message: `Failed calls to openai:judge rose from 0% to 15% since ${dayAgo(9)}.`,
    },
  ]);
  expect(await findingsOf('catch_rate_fell')).toMatchObject([
    {
      series: 'task',
      message: `Task caught 16.7% of 54 labelled failures since ${dayAgo(9)}, and 83.3% of 246 labelled failures before.`,
    },
  ]);
  expect(await statesOf('pass_rate_fell')).toEqual({});
});

test('a day is counted once, again after its counters change, and no longer when it is too old', async () => {
  await verify({ days: 3, fallenFor: 0 });
  const { sql, projectId } = project;
  await sql`
    insert into finding_days (project_id, day, basis, counts)
    values (${projectId}, (now() at time zone 'UTC')::date - 60, 'old', '{}')`;
  const days = () => sql<{ day: string; all: unknown; version: string }[]>`
    select day::text, xmin::text as version, (
      select c from jsonb_array_elements(counts -> 'rates') c where c ->> 1 = 'all') as all
    from finding_days where project_id = ${projectId} order by day desc`;
  await checkAlertsNow(project);
  const first = await days();
  expect(first.map(({ day, all }) => [day, all])).toEqual(
    [1, 2, 3].map((ago) => [dayAgo(ago), ['task', 'all', '', 26, 30]]),
  );
  await checkAlertsNow(project);
  expect(await days()).toEqual(first);
  // The same statement as a deletion's.
  await sql`delete from verdicts where project_id = ${projectId} and id = 'v2_0'`;
  await sql`
    update verdict_rollups set failed = failed - 1
    where project_id = ${projectId} and day = (now() at time zone 'UTC')::date - 2`;
  await checkAlertsNow(project);
  const second = await days();
  expect(second[1]).toMatchObject({ all: ['task', 'all', '', 26, 29] });
  expect([second[0], second[2]]).toEqual([first[0], first[2]]);
  // Costs were recomputed after a change of prices.
  await sql`
    insert into jobs (project_id, id, kind, state, input, created_by, finished_at)
    values (${projectId}, 'j1', 'models.recount', 'done', '{}', 'a', now())`;
  await checkAlertsNow(project);
  const third = await days();
  expect(third.map(({ all }) => all)).toEqual(second.map(({ all }) => all));
  for (const [i, { version }] of third.entries()) expect(version).not.toBe(second[i]?.version);
});

test('many rows are counted by several checks, the latest day first', async () => {
  await verify({ days: 4, fallenFor: 0 });
  const { sql, projectId } = project;
  const counted = async (rowsMax: number): Promise<string[]> => {
    await countDays(project, detectorWindow(new Date()), rowsMax);
    const rows = await sql<{ day: string }[]>`
      select day::text from finding_days where project_id = ${projectId} order by day desc`;
    return rows.map(({ day }) => day);
  };
  expect(await counted(1)).toEqual([dayAgo(1)]);
  expect(await counted(60)).toEqual([dayAgo(1), dayAgo(2), dayAgo(3)]);
  expect(await counted(60)).toHaveLength(4);
});

test('a verifier whose labels are stale is found, with the day', async () => {
  const { sql, projectId } = project;
  await sql`
    insert into trust_changes (project_id, id, verifier_slug, version, judge, after, reason, created_at)
    values (${projectId}, 'c1', 'task', 1, '', 'stale', 'Its labels are old', now() - interval '3 days')`;
  await checkAlertsNow(project);
  expect(await findingsOf('trust_lost')).toMatchObject([
    { series: 'task', message: `Task is stale: Its labels are old. Since ${dayAgo(3)}.` },
  ]);
});
