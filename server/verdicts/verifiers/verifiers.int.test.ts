import { beforeEach, expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import type { ProjectCtx } from '../../access';
import { archiveVerifier, putVerifier, readDefinition } from '../../catalog';
import type { Runtime } from '../../runtime';
import { findVerdictSubject, getJudging, getVerifier, listVerifiers, updateSettings } from '..';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const content = (output: string): string =>
  JSON.stringify({
    subject: {
      task_description: 'Say hello',
      success_criteria: [{ text: 'Polite', weight: 3, must_pass: true }],
      task_output: output,
    },
    facts: { retries_used: 0, has_dependents: false },
  });

async function putSubject(
  id: string,
  costUsd: number | null,
  text = content(`hello ${id}`),
): Promise<void> {
  await runtime.ctx.sql`
    insert into subjects (project_id, kind, id, content, content_hash, mission_id, cost_usd)
    values (${project.projectId}, 'task', ${id}, ${text}, ${id}, 'm', ${costUsd})`;
}

async function putVerdict(
  id: string,
  judge: { costUsd: number; calls: number; daysAgo: number },
): Promise<void> {
  await runtime.ctx.sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, issues, detail, excerpt, created_at, settled_at, judge_calls, cost_usd, tokens, price_unknown)
    values (${project.projectId}, ${`ver_${id}`}, 'task', 'task', 1, 'task', ${id}, 1, 'passed', 'pass', 'accept', false, 'run', '[]',
      ${JSON.stringify({ verification_status: 'verified' })}::text::jsonb, '', now(), now() - ${judge.daysAgo} * interval '1 day',
      ${judge.calls}, ${judge.costUsd}, ${100 * judge.calls}, ${judge.calls > 0 && judge.costUsd === 0})`;
}

async function putWork(
  id: string,
  state: { lane: string; owner: string | null; scheduledInS: number; reason: string | null },
): Promise<void> {
  await runtime.ctx.sql`
    insert into work (project_id, id, subject_kind, subject_id, revision, verifier, lane, owner, due_at, reason)
    values (${project.projectId}, ${`ver_${id}`}, 'task', ${id}, 1, 'task', ${state.lane}, ${state.owner},
      now() + ${state.scheduledInS} * interval '1 second', ${state.reason})`;
}

test('the subject of a given or pending verdict; in another project it does not exist', async () => {
  await putSubject('done', 0.2);
  await putVerdict('done', { costUsd: 0.01, calls: 1, daysAgo: 0 });
  expect(await findVerdictSubject(project, 'ver_done')).toMatchObject({
    id: 'done',
    missionId: 'm',
    costUsd: 0.2,
    progress: null,
    content: { description: 'Say hello', outputs: [{ name: 'output', text: 'hello done' }] },
    detail: { status: 'verified' },
  });
  expect(await findVerdictSubject(project, 'ver_nobodys')).toBeNull();
  expect(await findVerdictSubject(await createTestProject(runtime), 'ver_done')).toBeNull();
});

test.each([
  ['waiting', { lane: 'slow', owner: null, scheduledInS: -1, reason: null }],
  ['in_hand', { lane: 'slow', owner: 'worker', scheduledInS: 30, reason: null }],
  ['parked', { lane: 'slow', owner: null, scheduledInS: 60, reason: 'the judge is down' }],
  ['waiting', { lane: 'fast', owner: null, scheduledInS: -1, reason: null }],
] as const)('R-58 the progress of one without a verdict: %s %j', async (state, work) => {
  await putSubject('s', null);
  await putWork('s', work);
  expect((await findVerdictSubject(project, 'ver_s'))?.progress).toMatchObject({
    state,
    lane: work.lane,
    reason: work.reason,
  });
});

test('S-28 the correlation of scores with the length of the output is reported, for verdicts that a judge scored', async () => {
  expect(await getVerifier(project, runtime.subjects, 'task')).toMatchObject({ length: null });
  for (let n = 1; n <= 24; n++) {
    await putSubject(`l${n}`, null, content('x'.repeat(n * 10)));
    await putVerdict(`l${n}`, { costUsd: 0.01, calls: n === 24 ? 0 : 1, daysAgo: 1 });
    await runtime.ctx
      .sql`update verdicts set score = ${n === 24 ? 0 : n / 30} where project_id = ${project.projectId} and id = ${`ver_l${n}`}`;
  }
  expect(await getVerifier(project, runtime.subjects, 'task')).toMatchObject({
    length: { value: 1, n: 23, days: 30 },
  });
  expect(await getVerifier(project, runtime.subjects, 'integrity')).toMatchObject({ length: null });
});

test('VS-38 the cost of judging is shown next to the cost of the work; the share covers work with a known cost', async () => {
  for (const [id, work, judge] of [
    ['a', 1, { costUsd: 0.1, calls: 1, daysAgo: 1 }],
    ['b', 3, { costUsd: 0.3, calls: 2, daysAgo: 10 }],
    ['c', null, { costUsd: 5, calls: 1, daysAgo: 2 }],
    ['f', null, { costUsd: 0, calls: 1, daysAgo: 2 }],
    ['d', 100, { costUsd: 9, calls: 1, daysAgo: 40 }],
    ['e', 1, { costUsd: 0, calls: 0, daysAgo: 3 }],
  ] as const) {
    await putSubject(id, work);
    await putVerdict(id, judge);
  }
  const { costs } = await getVerifier(project, runtime.subjects, 'task');
  expect(costs).toEqual([
    {
      days: 7,
      verdicts: 4,
      judged: 3,
      judgingUsd: expect.closeTo(5.1) as number,
      tokens: 300,
      unpriced: 1,
      priced: 2,
      workUsd: 2,
      share: expect.closeTo(0.05) as number,
    },
    {
      days: 30,
      verdicts: 5,
      judged: 4,
      judgingUsd: expect.closeTo(5.4) as number,
      tokens: 500,
      unpriced: 1,
      priced: 3,
      workUsd: 5,
      share: expect.closeTo(0.08) as number,
    },
  ]);
});

test('nothing judged is no share, not zero', async () => {
  const { costs } = await getVerifier(project, runtime.subjects, 'task');
  expect(costs?.map(({ verdicts, share }) => [verdicts, share])).toEqual([
    [0, null],
    [0, null],
  ]);
});

test('VS-8 the plan is that of the latest subject, with its weights; without one that of an example, and without a provider too', async () => {
  const example = (await getVerifier(project, runtime.subjects, 'task')).plan;
  expect(example?.verdictId).toBeNull();
  expect(example?.steps.map(({ cost }) => cost)).toContain('judge');
  await putSubject('odd', null, 'no JSON that could be read');
  await putSubject('late', null);
  await putVerdict('late', { costUsd: 0, calls: 0, daysAgo: 1 });
  const { plan, hasModels } = await getVerifier(project, runtime.subjects, 'task');
  expect(hasModels).toBe(false);
  expect(plan?.verdictId).toBe('ver_late');
  expect(plan?.steps.find(({ name }) => name === 'criterion 1')).toMatchObject({
    weight: 3,
    mustPass: true,
    cost: 'judge',
  });
});

test.each(['task', 'consistency', 'mission'])(
  'VS-8 VS-42 before anything was judged the plan of %s is that of an example',
  async (slug) => {
    const { plan } = await getVerifier(project, runtime.subjects, slug);
    expect(plan?.verdictId).toBeNull();
    expect(plan?.steps.filter(({ cost }) => cost === 'judge').length).toBeGreaterThan(0);
  },
);

test('a verifier of turns has a plan and no cost; an unknown one is not found', async () => {
  const integrity = await getVerifier(project, runtime.subjects, 'integrity');
  expect(integrity.plan?.steps.map(({ name, cost }) => [name, cost])).toEqual([
    ['envelope', 'free'],
    ['figures', 'free'],
    ['citations', 'free'],
  ]);
  expect(integrity.costs).toBeNull();
  await expect(getVerifier(project, runtime.subjects, 'constructor')).rejects.toMatchObject({
    code: 'not_found',
  });
  await updateSettings(project, { allowUserFigures: true });
  const versions = (await listVerifiers(project)).map(({ slug, version }) => [slug, version]);
  expect(versions).toContainEqual(['integrity', 2]);
  expect(versions).toContainEqual(['task', 1]);
});

test('online.md 3: verifiers of the project follow those of the release, and have a page', async () => {
  const definition = {
    name: 'No data',
    kind: 'checks',
    targets: ['turn'],
    checks: [{ check: 'pii' }],
  };
  const read = readDefinition('no-data', definition);
  await putVerifier(project, runtime.subjects.prompts, read);
  const listed = await listVerifiers(project);
  const kinds = ['judge', 'checks', 'function'];
  expect(listed.filter(({ slug }) => kinds.includes(slug))).toEqual([]);
  expect(listed.at(-1)).toMatchObject({
    slug: 'no-data',
    kind: 'checks',
    name: 'No data',
    targets: ['turn'],
    isCustom: true,
    archived: false,
    version: 1,
  });
  const page = await getVerifier(project, runtime.subjects, 'no-data');
  expect(page).toMatchObject({
    slug: 'no-data',
    isCustom: true,
    config: { version: 1, fields: [] },
  });
  await archiveVerifier(project, 'no-data');
  expect((await listVerifiers(project)).at(-1)).toMatchObject({ slug: 'no-data', archived: true });
  await expect(getVerifier(project, runtime.subjects, 'checks')).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('VS-29 VS-38 VS-39 how a project has work judged: the defaults, then people’s settings', async () => {
  expect(await getJudging(project)).toMatchObject({
    defaultJudge: null,
    jury: [],
    bypassBelowUsd: 0.1,
    costBudgetShare: 0.3,
    retries: 2,
    models: [],
  });
  await updateSettings(project, {
    defaultJudge: 'openai:gpt-4o',
    jury: ['anthropic:claude'],
    retries: 0,
  });
  expect(await getJudging(project)).toMatchObject({
    defaultJudge: 'openai:gpt-4o',
    jury: ['anthropic:claude'],
    retries: 0,
  });
});
