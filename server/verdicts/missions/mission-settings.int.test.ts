import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import { type ScriptedCall, type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { putProvider } from '../../llm';
import { claimSlowWork } from '../../queue';
import type { Runtime } from '../../runtime';
import { updateSettings } from '../settings';
import { verifyClaimed } from '../verify';

/** A judge per mission, and human review above a mission's cost. */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  llm.answerWith(reply);
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['verify', 'read', 'write'] }));
  const models = ['gpt-4o-mini', 'mistral-small', 'claude-haiku-4-5'];
  await putProvider(project, 'house', {
    kind: 'openai_compatible',
    api_key: 'sk-test',
    base_url: llm.baseUrl,
    models,
    enabled: true,
  });
  await updateSettings(project, { defaultJudge: 'house:gpt-4o-mini' });
});

function reply({ body }: ScriptedCall): { readonly text: string } {
  const nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
  const criteria = [{ criterion: 1, reasoning: 'Seen.', quotes: [], met: true, confidence: 0.9 }];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }) };
}

interface Reply {
  readonly id: string;
  readonly state: string;
  readonly outcome: string | null;
  readonly verdict: string | null;
  readonly action: string;
  readonly needs_human_review: boolean;
  readonly issues: readonly {
    readonly code: string;
    readonly message: string;
    readonly path: string | null;
  }[];
  readonly judge: { readonly model: string | null; readonly cross_model: string };
  readonly task: { readonly verification_status: string };
  readonly awaiting_review: number;
  readonly error: {
    readonly message: string;
    readonly details: readonly { readonly path: string }[];
  };
}

async function call(
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly reply: Reply }> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, reply: (await response.json()) as Reply };
}

/** Work that needs a judge. */
async function judged(work: object): Promise<Reply> {
  const asked = {
    success_criteria: ['Is clear'],
    scoring_mode: 'binary',
    task_output: 'A plan.',
    wait_ms: 0,
    ...work,
  };
  const { id } = (await call('POST', '/v1/verify/task', asked)).reply;
  const claimed = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id,
  });
  if (claimed === null) throw new Error('nothing waits for the slow lane');
  await verifyClaimed(runtime.ctx, runtime.subjects, {
    owner: 'slow',
    claimed: [claimed],
    signal: new AbortController().signal,
    asks: true,
  });
  return (await call('GET', `/v1/verifications/${id}`)).reply;
}

/** Work that is decided by checks. */
async function checked(work: object): Promise<Reply> {
  const asked = {
    task_output: 'The plan is whole.',
    success_criteria: [{ check: 'keywords', value: ['plan'] }],
    ...work,
  };
  return (await call('POST', '/v1/verify/task', asked)).reply;
}

const bad = { success_criteria: [{ check: 'keywords', value: ['budget'] }] };
const settings = (mission: string) => `/v1/missions/${encodeURIComponent(mission)}/settings`;

test('VS-33 the judge of the mission judges its work, the judge of a call has precedence, and other missions keep the default judge', async () => {
  const put = await call('PUT', settings('m-1'), { judge: 'house:mistral-small?temperature=0.2' });
  expect(put).toEqual({
    status: 200,
    reply: { judge: 'house:mistral-small?temperature=0.2', review_above_usd: null },
  });
  const work = { mission_id: 'm-1', executor_model: 'google/gemini-2.5-pro' };
  expect((await judged(work)).judge).toMatchObject({
    model: 'house/mistral-small',
    cross_model: 'enforced',
  });
  expect(llm.calls.at(-1)?.body).toMatchObject({ model: 'mistral-small', temperature: 0.2 });
  expect(
    (await judged({ ...work, task_output: 'b', verifier_model: 'house:claude-haiku-4-5' })).judge
      .model,
  ).toBe('house/claude-haiku-4-5');
  expect((await judged({ ...work, task_output: 'c', mission_id: 'm-2' })).judge.model).toBe(
    'house/gpt-4o-mini',
  );
  await call('PUT', settings('m-1'), { judge: null });
  expect((await judged({ ...work, task_output: 'd' })).judge.model).toBe('house/gpt-4o-mini');
});

test.each(['mistral/mistral-small', 'mistral/mistral-large-2411'])(
  'VS-34 the judge of the mission does not judge work by %s: another one does, and the verdict names both',
  async (executor) => {
    await call('PUT', settings('m-1'), { judge: 'house:mistral-small' });
    const verdict = await judged({ mission_id: 'm-1', executor_model: executor });
    expect(verdict.judge.cross_model).toBe('enforced');
    const notice = verdict.issues.find(({ code }) => code === 'judge_replaced');
    expect(notice?.message).toMatch(
      /^The mission's judge house:mistral-small does not judge this work: it .*; house:gpt-4o-mini judges instead$/,
    );
    expect(verdict.judge.model).toBe('house/gpt-4o-mini');
  },
);

test.each([
  ['an unknown provider', { judge: 'nowhere:gpt-4o' }, 'judge', 'house'],
  ['an unknown family', { judge: 'house:our-own-model' }, 'judge', 'claude'],
])('%s is 422 and lists the known ones', async (_what, body, path, known) => {
  const { status, reply } = await call('PUT', settings('m-1'), { ...body, review_above_usd: 3 });
  expect(status).toBe(422);
  expect(reply.error.details.map((each) => each.path)).toEqual([path]);
  expect(reply.error.message).toContain(known);
  expect((await call('GET', settings('m-1'))).reply).toEqual({
    judge: null,
    review_above_usd: null,
  });
});

test.each([
  ['no model', { judge: 'two words' }, 'judge'],
  ['a negative limit', { review_above_usd: -1 }, 'review_above_usd'],
  ['a limit that is no number', { review_above_usd: 'much' }, 'review_above_usd'],
  ['an unknown member', { review_above: 3 }, 'review_above'],
])('%s is 400 and names the field', async (_what, body, path) => {
  const { status, reply } = await call('PUT', settings('m-1'), body);
  expect(status).toBe(400);
  expect(reply.error.details.map((each) => each.path)).toEqual([path]);
});

test('VS-45 above the limit every further verdict of the mission needs a person, and states the cost and the limit', async () => {
  await call('PUT', settings('m-1'), { review_above_usd: 1.5 });
  const work = { mission_id: 'm-1', cost_usd: 0.75 };
  expect(await checked({ ...work, id: 'a' })).toMatchObject({
    needs_human_review: false,
    action: 'accept',
    issues: [],
  });
  expect(await checked({ ...work, id: 'b' })).toMatchObject({
    needs_human_review: false,
    action: 'accept',
    issues: [],
  });
  const over = await checked({ ...work, id: 'c', cost_usd: 0.25 });
  expect(over).toMatchObject({
    verdict: 'pass',
    outcome: 'passed',
    needs_human_review: true,
    action: 'escalate',
  });
  expect(over.task.verification_status).toBe('awaiting_human');
  expect(over.issues).toMatchObject([{ code: 'mission_cost', path: 'mission_id' }]);
  expect(over.issues[0]?.message).toMatch(
    /m-1 cost \$1\.75 \(work \$1\.75, judging \$0\.00\), above its limit of \$1\.50/,
  );
  const failed = await checked({ ...work, id: 'd', ...bad });
  expect(failed).toMatchObject({
    verdict: 'fail',
    outcome: 'failed',
    needs_human_review: true,
    action: 'escalate',
  });
  expect(await checked({ ...work, id: 'e', mission_id: 'm-2' })).toMatchObject({
    needs_human_review: false,
  });
  expect((await call('GET', '/v1/missions/m-1')).reply).toMatchObject({
    awaiting_review: 2,
    settings: { judge: null, review_above_usd: 1.5 },
  });
  await call('PUT', settings('m-1'), { review_above_usd: null });
  expect(await checked({ ...work, id: 'f' })).toMatchObject({
    needs_human_review: false,
    action: 'accept',
  });
});

test('VS-45 the cost of judging counts, including that of the verdict itself', async () => {
  await putProvider(project, 'house', {
    kind: 'openai_compatible',
    base_url: llm.baseUrl,
    models: ['gpt-4o-mini'],
    enabled: true,
    prices: [{ model: 'gpt-4o-mini', usd_per_million: { input: 1000, output: 1000 } }],
  });
  await updateSettings(project, { costBudgetShare: 10 });
  await call('PUT', settings('m-1'), { review_above_usd: 1 });
  const verdict = await judged({
    mission_id: 'm-1',
    cost_usd: 1,
    executor_model: 'google/gemini-2.5-pro',
  });
  expect(verdict).toMatchObject({ verdict: 'pass', needs_human_review: true });
  expect(verdict.issues.find(({ code }) => code === 'mission_cost')?.message).toMatch(
    /work \$1\.00, judging \$0\.[0-9]*[1-9]/,
  );
});

test('skipped work notifies no person at any mission cost', async () => {
  await call('PUT', settings('m-1'), { review_above_usd: 0 });
  await updateSettings(project, { bypassBelowUsd: 5 });
  const skipped = await checked({
    mission_id: 'm-1',
    cost_usd: 1,
    success_criteria: ['Names an owner'],
  });
  expect(skipped).toMatchObject({ outcome: 'skipped', needs_human_review: false });
});

test('settings belong to one project, omitted members are unchanged, and each change leaves one audit row', async () => {
  await call('PUT', settings('m/1 ü'), { judge: 'house:mistral-small' });
  const put = await call('PUT', settings('m/1 ü'), {
    review_above_usd: 2,
    reason: 'A costly mission.',
  });
  expect(put.reply).toEqual({ judge: 'house:mistral-small', review_above_usd: 2 });
  await call('PUT', settings('m/1 ü'), { review_above_usd: 2 });
  const rows = await runtime.ctx.sql<{ target: string; detail: object }[]>`
    select target, detail from audit_events where project_id = ${project.projectId} and action = 'settings.mission' order by id`;
  expect(rows.map(({ target }) => target)).toEqual(['m/1 ü', 'm/1 ü']);
  expect(rows[1]?.detail).toMatchObject({
    before: { reviewAboveUsd: null },
    after: { reviewAboveUsd: 2 },
    reason: 'A costly mission.',
  });
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['read'] }));
  expect((await call('GET', settings('m/1 ü'))).reply).toEqual({
    judge: null,
    review_above_usd: null,
  });
});
