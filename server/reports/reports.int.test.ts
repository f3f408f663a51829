import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import {
  createTestProject,
  drainJobs,
  drainRefreshQueue,
  drainWork,
  insertTestAnchors,
  insertTestItem,
} from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, type ProjectCtx } from '../access';
import { cancelJob, saveJobProgress, claimJob } from '../queue';
import type { Runtime } from '../runtime';
import { putThreshold } from '../thresholds';
import { createReportStep } from './report-step';
import { deleteReportSchedule } from './delete-schedule';
import { getReport, getReportMarkdown } from './get-report';
import { listReports } from './list-reports';
import { listReportSchedules, previewTiming } from './list-schedules';
import { makeReport } from './make-report';
import { measureVerifiers } from '../measures';
import { putReportSchedule } from './put-schedule';
import { reportKind } from './report-job';
import type { Report } from './report-content';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});
beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read', 'verify'] }));
});

const http = (path: string, body?: unknown): Promise<Response> | Response =>
  appOf(runtime).request(path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const dayMs = 86_400_000;
const today = (): string => new Date().toISOString().slice(0, 10);
const hostile = 'm|evil`<script>https://evil.example';

/** Turns with one figure each: flagged ones without a source, clean ones with it. */
async function sendTurns(
  prefix: string,
  model: string,
  flagged: number,
  clean: number,
): Promise<void> {
  const tools = [{ id: 'tc1', name: 'disk', result: { used: 42 } }];
  const turns = [
    ...Array.from({ length: flagged }, (_, n) => ({
      id: `${prefix}-f${n}`,
      model,
      output: 'It is 73 %.',
      tools,
    })),
    ...Array.from({ length: clean }, (_, n) => ({
      id: `${prefix}-c${n}`,
      model,
      output: 'It is 42.',
      tools,
    })),
  ];
  expect((await http('/v1/turns', { turns })).status).toBe(202);
  await drainWork(runtime);
}

async function label(good: boolean, ids: readonly string[]): Promise<void> {
  const outcomes = ids.map((id) => ({ subject_id: id, success: good }));
  expect((await http('/v1/outcomes', { outcomes })).status).toBe(202);
  await drainRefreshQueue(runtime);
}

const ids = (prefix: string, from: number, to: number): string[] =>
  Array.from({ length: to - from }, (_, n) => `${prefix}${from + n}`);

/** Moves everything in the project a week into the past. */
async function aWeekAgo(): Promise<void> {
  const { projectId } = project;
  const { sql } = runtime.ctx;
  await sql`update verdicts set settled_at = settled_at - interval '7 days' where project_id = ${projectId}`;
  await sql`update judgements set at = at - interval '7 days', day = day - 7 where project_id = ${projectId}`;
  for (const table of [
    'verdict_rollups',
    'verdict_populations',
    'judgement_rollups',
    'decision_rollups',
  ])
    await sql`update ${sql(table)} set day = day - 7 where project_id = ${projectId}`;
}

async function makeNow(sent = false): Promise<{ id: string; content: Report }> {
  const { id, state } = await makeReport(project, { lastDay: today(), days: 7, sent });
  expect(state).toBe('waiting');
  await drainJobs(runtime);
  const { content, state: after } = await getReport(project, id);
  expect(after).toBe('made');
  if (content === null) throw new Error('the report says nothing');
  return { id, content };
}

/** The rows of the table with this head in a markdown text. */
function rowsOf(markdown: string, head: string): string[] {
  const lines = markdown.split('\n');
  const at = lines.findIndex((line) => line.startsWith(`| ${head} |`));
  if (at === -1) return [];
  const end = lines.findIndex((line, n) => n > at && !line.startsWith('|'));
  return lines.slice(at + 2, end === -1 ? undefined : end);
}

async function fillProject(): Promise<void> {
  const { projectId } = project;
  const { sql } = runtime.ctx;
  await sendTurns('old', 'm-1', 5, 35);
  await label(false, ids('old-f', 0, 5));
  await aWeekAgo();
  await sendTurns('a', 'm-1', 15, 25);
  await sendTurns('b', hostile, 10, 10);
  await label(false, [...ids('a-f', 0, 12), ...ids('a-c', 0, 5), ...ids('b-f', 0, 10)]);
  await label(true, [...ids('a-f', 12, 15), ...ids('a-c', 5, 20)]);
  for (const n of [1, 2]) {
    const task = {
      id: `task-${n}`,
      task_description: 'Report',
      task_output: 'short',
      success_criteria: [{ check: 'min_length', value: 3 }],
    };
    expect((await http('/v1/verify/task', task)).status).toBe(200);
  }
  await sql`update verdicts set cost_usd = 0.02, judge_calls = 1, tokens = 100, price_unknown = id = (
    select min(id) from verdicts where project_id = ${projectId} and kind = 'task') where project_id = ${projectId} and kind = 'task'`;
  await sql`update subjects set cost_usd = 0.1 where project_id = ${projectId}`;
  await sql`update verdicts set cost_usd = 0.001 where project_id = ${projectId} and kind = 'integrity'`;
  await sql`
    insert into labels (project_id, id, kind, subject_id, success, rater, content_hash, created_by)
    select ${projectId}, s || r, 'import', s, s = 'a-f3' and r = 'two', r, '', 'test'
    from unnest(array['a-f0', 'a-f1', 'a-f2', 'a-f3']) as s, unnest(array['one', 'two']) as r`;
  const [failed] = await sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${projectId} and outcome = 'failed' limit 1`;
  await insertTestItem(runtime, project, failed?.id ?? '', 'rev_open');
  // The copy of the item's verdict is not in the period.
  await sql`update verdicts set settled_at = now() - interval '60 days' where project_id = ${projectId} and id = 'ver_rev_open'`;
  await sql`
    insert into decision_rollups (project_id, day, rule, state, shard, count)
    values (${projectId}, (now() at time zone 'UTC')::date, 'integrity', 'sampled_out', 's', 7)`;
  await sql`
    insert into trust_states (project_id, verifier_slug, version, judge, in_force, state, gaps)
    values (${projectId}, 'integrity', 1, '', true, 'provisional',
      '[{"what":"defects","text":"8 of 10 labelled defects","have":8,"need":10},{"what":"catch_rate","text":"lower bound too low","have":0.6,"need":0.7}]')`;
  await sql`
    insert into alert_states (project_id, kind, series, name, state, severity, message)
    values (${projectId}, 'catch_rate', 'integrity', 'Integrity', 'alerting', 'high', 'Catch rate 0.55 | <!channel>')`;
  await sql`
    insert into alert_events (project_id, id, kind, series, name, event, severity, message)
    values (${projectId}, 'ale_1', 'catch_rate', 'integrity', 'Integrity', 'began', 'high', 'Catch rate 0.55')`;
  await putThreshold(project, {
    verifier: 'task',
    key: 'pass_threshold',
    body: { value: 0.6, scope: { mission_id: null, task_id: null }, reason: 'too strict' },
  });
}

test('calibration.md 5.11, SOAR-32, VS-38, X-12 a report has the results of its period, next to the previous one, equal to the measures', async () => {
  await fillProject();
  const { id, content } = await makeNow(true);
  const [measured] = (
    await measureVerifiers(project, { from: new Date(content.from), to: new Date(content.to) })
  ).filter(({ verifier }) => verifier === 'integrity');
  const reported = content.verifiers.find(({ verifier }) => verifier === 'integrity');
  expect(reported?.matrix).toEqual({
    caught: 22,
    missed: 5,
    false_rejections: 3,
    right_passes: 15,
  });
  expect(reported?.rates.pass_rate).toMatchObject({ numerator: 35, denominator: 60 });
  expect(reported?.rates.catch_rate).toEqual(measured?.rates.catchRate);
  expect(reported?.rates.kappa).toEqual(measured?.rates.kappa);
  expect(reported?.rates.correlation).toEqual(measured?.rates.correlation);
  expect(reported?.rates.corrected_pass_rate).toEqual(measured?.rates.correctedPassRate);
  expect(reported?.before.pass_rate).toMatchObject({ numerator: 35, denominator: 40 });
  expect(reported?.before.pass_rate.difference?.high).toBeLessThan(0);
  expect(reported?.before.catch_rate).toEqual({ numerator: 5, denominator: 5, difference: null });
  expect(reported?.trust).toMatchObject({ state: 'provisional', version: 1, judge: null });
  // Two raters agreed on three of them, and disagreed on a fourth.
  expect(reported?.human).toMatchObject({ items: 4, raters: 2, kappa: { n: 4 } });
  expect(reported?.corrected).toMatchObject({ shown: 'rogan_gladen', disagree: false });
  // 60 verdicts at 0.001; of 25 flagged 22 of 25 were bad.
  expect(reported?.cost).toMatchObject({ verdicts: 60, costed: 0, share: null });
  expect(reported?.caught_cost).toMatchObject({
    flagged: 25,
    precision: { numerator: 22, denominator: 25 },
  });
  expect(reported?.caught_cost.usd).toBeCloseTo(0.06 / 22, 9);
  const task = content.verifiers.find(({ verifier }) => verifier === 'task');
  expect(task?.rates.catch_rate.state).toBe('no_data');
  expect(task?.trust).toEqual({ state: 'unmeasured', version: null, judge: null, gaps: [] });
  expect(task?.cost).toMatchObject({
    verdicts: 2,
    unpriced: 1,
    judge_calls: 2,
    tokens: 200,
    costed: 2,
  });
  expect(task?.cost.share).toBeCloseTo(0.2, 9);
  expect(task?.caught_cost.usd).toBeNull();
  expect(content.costs).toMatchObject({ verdicts: 62, budget_share: 0.3 });
  expect(content.costs.verifying_usd).toBeCloseTo(0.1, 9);
  expect(
    content.models.map(({ model, verifier, pass_rate: rate, before }) => [
      model,
      verifier,
      rate.numerator,
      rate.denominator,
      before.denominator,
    ]),
  ).toEqual([
    ['m-1', 'integrity', 25, 40, 40],
    [hostile, 'integrity', 10, 20, 0],
    [null, 'task', 2, 2, 0],
  ]);
  expect(content.label_debt).toMatchObject({
    open_items: 1,
    by_verifier: [{ verifier: 'integrity', open: 1, audit: 0 }],
  });
  expect(content.label_debt.missing).toEqual([
    { verifier: 'integrity', text: '8 of 10 labelled defects', have: 8, need: 10 },
  ]);
  expect(content.decisions).toEqual({
    run: 60,
    not_run: 7,
    reasons: [{ rule: 'integrity', state: 'sampled_out', count: 7 }],
  });
  expect(content.alerts.now).toMatchObject([{ kind: 'catch_rate', series: 'integrity' }]);
  expect(content.alerts.events).toMatchObject([{ event: 'began' }]);
  expect(content.changes).toMatchObject([
    { action: 'thresholds.update', target: 'task/pass_threshold', by: 'test' },
  ]);
  expect(content.changes[0]?.detail).toContain('value 0.6');
  expect(content).toMatchObject({ version: 1, is_over: false, earlier: [], differences: [] });

  const notices = await project.sql<
    { subject: string; text: string; data: { report_id: string; url: string } }[]
  >`
    select subject, text, data from notices where project_id = ${project.projectId}`;
  expect(notices).toHaveLength(1);
  expect(notices[0]?.subject).toBe(`Report: ${content.from.slice(0, 10)} to ${today()}`);
  expect(notices[0]?.data).toMatchObject({
    report_id: id,
    url: `${runtime.ctx.env.webUrl}/p/${project.projectSlug}/reports/${id}`,
  });
  expect(notices[0]?.text).toBe(await getReportMarkdown(project, id));
});

test('S-63 SOAR-32 X-1 as markdown its tables are tables, whatever the names contain; counts under 20 have no rate', async () => {
  await fillProject();
  const { id } = await makeNow();
  const markdown = await getReportMarkdown(project, id);
  expect(rowsOf(markdown, 'Verifier').map((row) => row.split(' | ').length)).toEqual([8, 8]);
  expect(rowsOf(markdown, 'Verifier')[0]).toMatch(
    /^\| `integrity` \| provisional \| 58\.3% \(.*%\), 35\/60 \| 62\.6% \(.*\), n 45 \| 81\.5% .*22\/27 \| 3\/18 \| no data \| \$0\.0027 \|$/,
  );
  expect(rowsOf(markdown, 'Against the period before')[0]).toMatch(
    /^\| Pass rate \| 58\.3%.*\| 35\/40 \| fell −29\.2 points/,
  );
  const [, evil] = rowsOf(markdown, 'Model');
  expect(evil).toContain('`` m\\|evil`<script>https://evil.example ``');
  expect(rowsOf(markdown, 'Rule')).toEqual(['| `integrity` | left out by sampling | 7 |']);
  const [, opening] = markdown.split('\n\n');
  expect(opening).toBe('## Findings');
  expect(markdown.split('\n\n')[2]).toMatch(
    /^- \*\*Catch rate: .*\*\* \(\w+, since .* UTC\): Catch rate 0\.55 \\\| \\<\\!channel\\>/,
  );
  expect(rowsOf(markdown, 'At')[0]).toContain('| began |');
  expect(markdown).not.toMatch(/false positive/i);
  expect(markdown).not.toMatch(/NaN|undefined|Infinity/);
  for (const [path, status] of [
    [`/v1/reports/${id}.md`, 200],
    ['/v1/reports/nobodys.md', 404],
    ['/v1/reports/nobodys', 404],
  ] as const) {
    const response = await http(path);
    expect([path, response.status]).toEqual([path, status]);
  }
  const asked = await http(`/v1/reports/${id}.md`);
  expect(asked.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
  expect(await asked.text()).toBe(markdown);
  const listed = (await (await http('/v1/reports?limit=1')).json()) as {
    data: { id: string; state: string }[];
  };
  expect(listed.data).toMatchObject([{ id, state: 'made', title: 'Report', schedule_id: null }]);
  const one = (await (await http(`/v1/reports/${id}`)).json()) as { content: Report };
  expect(one.content).toEqual((await getReport(project, id)).content);
});

test('R-77 S-35 late data changes no report: a new one of the period includes it, and names the previous one and the limited accounts', async () => {
  await sendTurns('a', 'm-1', 20, 20);
  await label(false, ids('a-f', 0, 10));
  const first = await makeNow();
  const same = await makeNow();
  expect(same.content).toMatchObject({ earlier: [{ id: first.id }], differences: [] });
  await label(true, ids('a-f', 10, 13));
  await label(false, ids('a-c', 0, 2));
  const { projectId } = project;
  await runtime.ctx.sql`
    insert into judgement_accounts (project_id, slug, account, ruled, overruled)
    values (${projectId}, 'integrity', 'one@example.org', 100, 90), (${projectId}, 'integrity', 'a', 15, 1), (${projectId}, 'integrity', 'b', 15, 1)`;
  await runtime.ctx.sql`
    insert into judgements (project_id, origin, id, slug, series, version, kind, at, day, subject_id, model, judge, word, cost_usd, excerpt, contested,
      policy, overruled, account, ruled_at, unread)
    select ${projectId}, 'verifier', 'ruled-' || n, 'integrity', 'integrity', 1, 'integrity', now(), now()::date, 'gone-' || n, '', '', 'unsourced', 0,
      '', false, 0, true, 'one@example.org', now(), false from generate_series(1, 40) as n`;
  const late = await makeNow();
  expect(late.content.earlier.map(({ id }) => id)).toEqual([same.id, first.id]);
  expect(late.content.differences).toEqual([
    'integrity: 0 → 2 missed failures, 0 → 3 false rejections.',
  ]);
  const reported = late.content.verifiers.find(({ verifier }) => verifier === 'integrity');
  expect(reported?.outweighing).toEqual([
    {
      by: 'one@example.org',
      rulings: 100,
      overruled: 90,
      counted: 30,
      others: 30,
      others_overruled: 2,
    },
  ]);
  expect(rowsOf(await getReportMarkdown(project, late.id), 'Account')).toEqual([
    '| `one@example.org` | 100 | 90 | 30 | 30 | 2 |',
  ]);
  // The first one is unchanged.
  expect((await getReport(project, first.id)).content).toEqual(first.content);
  expect((await listReports(project, { limit: 2 })).items.map(({ id }) => id)).toEqual([
    late.id,
    same.id,
  ]);
});

test('R-48 a report requested twice is one, a repeated step stores nothing twice, and a cancelled one is not stored', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(() => makeReport(project, { lastDay: today(), days: 1, sent: true })),
  );
  expect(one?.id).toBe(other?.id);
  expect((await http(`/v1/reports/${one?.id}.md`)).status).toBe(409);
  const step = createReportStep(runtime.ctx);
  const signal = new AbortController().signal;
  const claimed = await claimJob(runtime.ctx, { owner: 'one', kinds: [reportKind] });
  if (claimed === null) throw new Error('no job');
  const dones: number[] = [];
  let job = claimed;
  for (;;) {
    const progress = await step(job, signal);
    dones.push(progress.done);
    // The worker dies here, so its end is not recorded.
    if (progress.cursor === null) break;
    expect(await saveJobProgress(runtime.ctx, { owner: 'one', job }, progress)).toBe(true);
    job = { ...job, cursor: progress.cursor, done: progress.done, total: progress.total };
  }
  expect(dones).toEqual([1, 2, 3]);
  expect((await step(job, signal)).cursor).toBeNull();
  const count = async (table: string) =>
    (
      await runtime.ctx
        .sql`select from ${runtime.ctx.sql(table)} where project_id = ${project.projectId}`
    ).length;
  expect([await count('reports'), await count('notices')]).toEqual([1, 1]);
  const audit = await project.sql<{ action: string }[]>`
    select action from audit_events where project_id = ${project.projectId} and action like 'reports.%' order by id`;
  expect(audit.map(({ action }) => action)).toEqual(['reports.start', 'reports.make']);
  await runtime.ctx
    .sql`update jobs set state = 'done', owner = null where project_id = ${project.projectId}`;

  const given = await makeReport(project, { lastDay: today(), days: 2, sent: true });
  await cancelJob(project, given.id);
  await step(
    { ...job, id: given.id, cursor: { verifiers: [], days: 2, costs: [], told: 0 } },
    signal,
  );
  expect(await getReport(project, given.id)).toMatchObject({ state: 'cancelled', content: null });
  expect(await count('notices')).toBe(1);
  const tomorrow = new Date(Date.now() + 2 * dayMs).toISOString().slice(0, 10);
  await expect(
    makeReport(project, { lastDay: tomorrow, days: 1, sent: false }),
  ).rejects.toMatchObject({ code: 'refused' });
});

test('calibration.md 5.9 the drift of a report is that of the runs that had ended by the end of its period', async () => {
  const { projectId } = project;
  await sendTurns('a', 'm-1', 3, 3);
  await aWeekAgo();
  await insertTestAnchors(runtime, project, 'anc_1');
  for (const [run, daysAgo, flagged] of [
    ['run_1', 20, 5],
    ['run_2', 10, 7],
    ['run_3', 0, 1],
  ] as const) {
    await runtime.ctx.sql`
      insert into anchor_runs (project_id, id, set_id, verifier_version, started_at, ended_at)
      select ${projectId}, ${run}, 'anc_1', 1, at, at from (select now() - ${daysAgo} * interval '1 day' as at) as t`;
    await runtime.ctx.sql`
      insert into anchor_results (project_id, run_id, ordinal, outcome, cost_usd)
      select ${projectId}, ${run}, n, case when n < ${flagged} then 'failed' else 'passed' end, 0 from generate_series(0, 9) as n`;
  }
  const lastDay = new Date(Date.now() - 5 * dayMs).toISOString().slice(0, 10);
  const { id } = await makeReport(project, { lastDay, days: 7, sent: false });
  await drainJobs(runtime);
  const { content } = await getReport(project, id);
  const [reported] = content?.verifiers ?? [];
  expect(reported?.drift).toMatchObject({
    set: { name: 'anc_1', items: 10 },
    before: { run: 'run_1' },
    after: { run: 'run_2' },
    flips: { numerator: 2, denominator: 10 },
    better: 0,
    worse: 2,
    judge_part: { n: 10 },
  });
  expect(content).toMatchObject({ is_over: true });
  expect(await getReportMarkdown(project, id)).toContain(
    '2/10 decided otherwise, 0 became right, 2 became wrong',
  );
});

const weekly = {
  name: 'Weekly',
  cron: '0 6 * * 1',
  zone: 'Europe/Berlin',
  days: 7,
  enabled: true,
  sent: true,
};

test('R-48 schedules: repeating one changes nothing, a change of the timing drops due periods, and an invalid one is refused by its field', async () => {
  const { projectId } = project;
  const [one, same] = await Promise.all([
    putReportSchedule(project, weekly),
    putReportSchedule(project, weekly),
  ]);
  expect(same.id).toBe(one.id);
  expect(one.next).toHaveLength(3);
  expect(one.next.map((at) => at.getUTCDay())).toEqual([1, 1, 1]);
  const since = async () => {
    const [row] = await project.sql<{ updated_at: string }[]>`
      select updated_at from report_schedules where project_id = ${projectId} and id = ${one.id}`;
    return new Date(row?.updated_at ?? 0).toISOString().slice(0, 10);
  };
  await runtime.ctx
    .sql`update report_schedules set updated_at = '2026-01-01' where project_id = ${projectId}`;
  await putReportSchedule(project, {
    ...weekly,
    id: one.id,
    name: 'Renamed',
    days: 14,
    sent: false,
  });
  expect(await since()).toBe('2026-01-01');
  await putReportSchedule(project, { ...weekly, id: one.id, enabled: false });
  expect(await since()).toBe(today());
  const { schedules, takers } = await listReportSchedules(project);
  expect([schedules.length, schedules[0]?.next, takers]).toEqual([1, [], 0]);
  for (const [change, field] of [
    [{ cron: '0 6 * *' }, 'cron'],
    [{ cron: '0 0 31 2 *' }, 'cron'],
    [{ zone: 'Nowhere/Else' }, 'zone'],
  ] as const) {
    await expect(putReportSchedule(project, { ...weekly, ...change })).rejects.toMatchObject({
      code: 'refused',
      details: [{ path: field }],
    });
  }
  await expect(
    putReportSchedule(project, { ...weekly, id: 'rps_nobodys', name: 'x' }),
  ).rejects.toMatchObject({ code: 'not_found' });
  for (let n = 2; n <= 20; n++) await putReportSchedule(project, { ...weekly, name: `${n}` });
  await expect(
    putReportSchedule(project, { ...weekly, name: 'one too many' }),
  ).rejects.toMatchObject({ code: 'refused' });
  await deleteReportSchedule(project, { id: one.id });
  await expect(deleteReportSchedule(project, { id: one.id })).rejects.toMatchObject({
    code: 'not_found',
  });
  // The local time of the zone: the hour is the same after a time change.
  const clock = { ...runtime.ctx.clock, now: () => new Date('2026-10-20T00:00:00Z') };
  expect(previewTiming({ clock }, weekly).map((at) => at.toISOString())).toEqual([
    '2026-10-26T05:00:00.000Z',
    '2026-11-02T05:00:00.000Z',
    '2026-11-09T05:00:00.000Z',
  ]);
});

test('S-2 reports and schedules of another project do not exist', async () => {
  const { id } = await makeReport(project, { lastDay: today(), days: 1, sent: false });
  const schedule = await putReportSchedule(project, weekly);
  const other = await createTestProject(runtime);
  await expect(getReport(other, id)).rejects.toMatchObject({ code: 'not_found' });
  await expect(deleteReportSchedule(other, { id: schedule.id })).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await listReports(other)).toEqual({ items: [], nextCursor: null });
  expect(await listReportSchedules(other)).toEqual({ schedules: [], takers: 0 });
});
