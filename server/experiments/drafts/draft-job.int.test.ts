import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { afterAll, beforeEach, describe, expect } from 'vitest';
import { createTestProject, drainJobs, drainWork } from '../../../testing/database';
import { verifyAll } from '../../../testing/verify-all';
import { testWithLlm as test } from '../../../testing/fixture';
import { type ScriptedLlm, textOf } from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { createApp } from '../../api/http';
import { createFunctionRunner } from '../../evaluators/functions';
import { putProvider } from '../../llm';
import type { Runtime } from '../../runtime';
import { createBoxMonitor } from '../../sandbox';
import { overrideVerdict } from '../../labels';
import { cancelJob, createJob } from '../../queue';
import { getDraftTry, startDraftTry } from './draft-try';

const monitor = createBoxMonitor();
const { state: boxState } = await monitor.check();
const functions = createFunctionRunner(monitor);
afterAll(() => {
  functions.close();
  monitor.stop();
});

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let app: ReturnType<typeof createApp>;
let key = '';

test.beforeAll(({ llm: ownLlm, runtime: ownRuntime }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  app = createApp(runtime);
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'all',
    scopes: ['ingest', 'verify', 'read', 'write'],
  }));
  await putProvider(project, 'house', {
    kind: 'openai_compatible',
    api_key: 'sk-test',
    base_url: llm.baseUrl,
    models: ['gpt-4o-mini'],
    enabled: true,
  });
  llm.answerWith(({ body }) => {
    const text = textOf(body);
    const nonce = /<data nonce="([0-9a-f]{32})"/.exec(text)?.[1] ?? '';
    const answer = text.includes('free of charge') ? 'breaks' : 'follows';
    const reply = { nonce, reasoning: 'By the policy.', quotes: [], answer, confidence: 0.9 };
    return { text: JSON.stringify(reply) };
  });
});

const subjects = () => ({ ...runtime.subjects, functions });

/** A call, while a worker's jobs run. */
async function call(method: string, path: string, body?: unknown) {
  let isOver = false;
  const answering = Promise.resolve(
    app.request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  ).finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await drainJobs({ ...runtime, subjects: subjects() });
    await turnOfLoop();
  }
  const response = await answering;
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const judge = {
  name: 'Refund policy',
  kind: 'judge',
  targets: ['turn'],
  mapping: { policy: '$.context[0].content' },
  judge: {
    model: 'house:gpt-4o-mini',
    output: {
      type: 'choice',
      choices: [
        { label: 'follows', value: 1 },
        { label: 'breaks', value: 0 },
        { label: 'unclear', value: null },
      ],
    },
    prompt: 'Policy: {{policy}}\n\nAnswer: {{output}}',
  },
};
const policy = [{ id: 'p', content: 'Refunds within 30 days.' }];
const stored = async (): Promise<number> => {
  const [row] = await runtime.ctx.sql<{ n: number }[]>`
    select count(*)::int as n from verdicts where project_id = ${project.projectId}`;
  return row?.n ?? 0;
};

test('online.md 3: a draft gives verdicts on ids and subjects, and stores none', async () => {
  await call('POST', '/v1/turns', {
    turns: [{ id: 't-1', output: 'It is free of charge.', context: policy }],
  });
  const tried = await call('POST', '/v1/verifiers/refund-policy/try', {
    draft: judge,
    subjects: ['t-1', { output: 'Within 30 days.', context: policy }, 'nothing', { output: 'x' }],
  });
  expect(tried).toMatchObject({
    status: 200,
    body: {
      faults: [],
      data: [
        { subject_id: 't-1', outcome: 'failed', judge: { calls: 1 } },
        { subject_id: null, outcome: 'passed', score: 1, judge: { calls: 1 } },
        { subject_id: 'nothing', reason: 'No turn or trace has this id.' },
        { reason: expect.stringContaining('policy') },
      ],
    },
  });
  expect(await stored()).toBe(0);
  expect((await call('GET', '/v1/verifiers/refund-policy')).status).toBe(404);
});

test('online.md 3: a judge is stored with its prompt, judges traffic by a rule, and its prompt is edited like others', async () => {
  const path = '/v1/verifiers/refund-policy';
  expect((await call('PUT', path, judge)).body).toMatchObject({
    version: 1,
    created: true,
    prompt: { version: 1, state: 'production' },
  });
  expect((await call('PUT', path, judge)).body).toMatchObject({ version: 1, created: false });
  expect((await call('GET', path)).body).toMatchObject({ judge: judge.judge });
  await call('PUT', '/v1/rules/refunds', { verifier: 'refund-policy', target: 'turn' });
  await call('POST', '/v1/turns', {
    turns: [
      {
        id: 't-1',
        output: 'It is free of charge.',
        context: policy,
        model: 'anthropic/claude-opus',
      },
      { id: 't-2', output: 'Within 30 days.', context: policy, model: 'openai/gpt-4o' },
      { id: 't-3', output: 'No policy here.' },
    ],
  });
  await drainWork(runtime);
  await verifyAll(runtime);
  const { data } = (await call('GET', '/v1/verifications?verifier=refund-policy')).body as {
    data: { turn_id: string; outcome: string; judge: unknown }[];
  };
  expect(new Map(data.map(({ turn_id: id, outcome }) => [id, outcome]))).toEqual(
    new Map([
      ['t-1', 'failed'],
      ['t-2', 'passed'],
    ]),
  );
  const changed = {
    ...judge,
    judge: { ...judge.judge, prompt: 'Judge {{output}} by {{policy}}.' },
  };
  expect((await call('PUT', path, changed)).body).toMatchObject({
    version: 2,
    created: true,
    prompt: { version: 2, state: 'production' },
  });
  expect((await call('GET', '/v1/prompts/refund-policy')).status).toBe(200);
});

test.each([
  ['an unknown variable', { ...judge.judge, prompt: '{{polcy}} {{output}}' }],
  ['no variable', { ...judge.judge, prompt: 'Is it right?' }],
  ['no output', { ...judge.judge, output: undefined }],
  [
    'a value above 1',
    { ...judge.judge, output: { type: 'choice', choices: [{ label: 'a', value: 2 }] } },
  ],
])('online.md 3: refuses a judge with %s', async (_what, wrong) => {
  const answer = await call('PUT', '/v1/verifiers/wrong', { ...judge, judge: wrong });
  expect(answer.status).toBe(400);
});

describe.runIf(boxState === 'ready')('functions', () => {
  const define = (source: string, language = 'python') => ({
    kind: 'function',
    function: { language, source },
  });

  test('online.md 3: a function is saved only after its check, and its verdict has its label', async () => {
    const broken = await call(
      'PUT',
      '/v1/verifiers/short',
      define('def evaluate(output:\n  return 1'),
    );
    expect(broken).toMatchObject({
      status: 422,
      body: { error: { details: [{ path: 'function.source' }] } },
    });
    const source =
      'def evaluate(output):\n  return {"score": 1.0 if len(output) < 9 else 0.0, "label": "len"}';
    expect((await call('PUT', '/v1/verifiers/short', define(source))).body).toMatchObject({
      version: 1,
      created: true,
    });
    const tried = await call('POST', '/v1/verifiers/short/try', {
      subjects: [{ output: 'short' }, { output: 'much too long' }],
    });
    expect(tried.body).toMatchObject({
      data: [
        { outcome: 'passed', function: { label: 'len' } },
        { outcome: 'failed', function: { label: 'len' } },
      ],
    });
  });

  test('X-3 an exception of a function is a failure, never a pass', async () => {
    const source = 'def evaluate(output):\n  raise ValueError("no " + output)';
    await call('PUT', '/v1/verifiers/raises', define(source));
    const tried = await call('POST', '/v1/verifiers/raises/try', { subjects: [{ output: 'a' }] });
    expect(tried.body).toMatchObject({
      data: [
        { outcome: 'inconclusive', verdict: null, score: null, scores: [{ state: 'failed' }] },
      ],
    });
    expect(JSON.stringify(tried.body)).toContain('ValueError: no a');
  });
});

describe('a draft on stored subjects', () => {
  const start = (subjects: 'turn' | 'labelled', definition: unknown = judge) =>
    startDraftTry(project, { slug: 'refund-policy', definition, subjects });
  const turns = (count: number) =>
    Array.from({ length: count }, (_, n) => ({
      id: `t-${10 + n}`,
      output: n % 2 === 0 ? `Within 30 days, case ${n}.` : `It is free of charge, case ${n}.`,
      context: policy,
    }));

  test('the newest turns are judged in steps, with their labels, agreement and cost', async () => {
    await call('POST', '/v1/turns', { turns: turns(25) });
    await call('POST', '/v1/outcomes', {
      outcomes: [
        { turn_id: 't-34', success: true },
        { turn_id: 't-33', success: false },
        { turn_id: 't-32', success: false },
      ],
    });
    const { id } = await start('turn');
    expect(await getDraftTry(project, id)).toMatchObject({
      state: 'waiting',
      done: 0,
      total: 20,
      rows: [],
      agreement: null,
      costPer1000: null,
      definition: judge,
    });
    await drainJobs(runtime);
    const tried = await getDraftTry(project, id);
    expect(tried).toMatchObject({ state: 'done', done: 20, total: 20, subjects: 'turn' });
    expect(tried.rows.map(({ subjectId }) => subjectId).sort()).toEqual(
      turns(25)
        .slice(5)
        .map((turn) => turn.id)
        .sort(),
    );
    const byId = new Map(tried.rows.map((row) => [row.subjectId, row]));
    expect(Object.keys(tried.definition)).toEqual(Object.keys(judge));
    expect(byId.get('t-34')).toMatchObject({
      outcome: 'passed',
      score: 1,
      good: true,
      reason: 'By the policy.',
    });
    expect(byId.get('t-33')).toMatchObject({ outcome: 'failed', good: false, target: 'turn' });
    expect(byId.get('t-32')).toMatchObject({ outcome: 'passed', good: false });
    expect(byId.get('t-31')).toMatchObject({ outcome: 'failed', good: null });
    expect(tried.agreement).toMatchObject({ numerator: 2, denominator: 3 });
    expect(tried.costPer1000?.usd).toBeGreaterThan(0);
    expect(await stored()).toBe(0);
  });

  test('the labelled subjects of the stored verifier are judged by the draft', async () => {
    await call('PUT', '/v1/verifiers/refund-policy', judge);
    const verified = await call('POST', '/v1/verify/refund-policy', {
      subject: { output: 'It is free of charge.', context: policy },
      wait_ms: 0,
    });
    await drainWork({ ...runtime, subjects: subjects() });
    const sent = await call('POST', '/v1/outcomes', {
      outcomes: [{ verification_id: verified.body.id, success: true }],
    });
    expect(sent.body).toMatchObject({ accepted: 1 });
    const { id } = await start('labelled');
    await drainJobs(runtime);
    expect(await getDraftTry(project, id)).toMatchObject({
      state: 'done',
      rows: [{ outcome: 'failed', good: true }],
      agreement: { numerator: 0, denominator: 1 },
    });
  });

  test('a ruling on the verdict of another verifier is no label', async () => {
    await call('PUT', '/v1/verifiers/refund-policy', judge);
    await call('POST', '/v1/turns', { turns: turns(1) });
    const { body } = await call('POST', '/v1/verify/integrity', {
      id: 't-other',
      output: 'It costs 5 EUR.',
      mode: 'sync',
    });
    await overrideVerdict(project, {
      verdictId: String(body.id),
      verdict: 'pass',
      reason: 'It is right.',
    });
    const { id } = await start('turn');
    await drainJobs(runtime);
    const { rows } = await getDraftTry(project, id);
    expect(rows.map(({ good }) => good)).toEqual([null, null]);
    await expect(start('labelled')).rejects.toThrow(/has no labelled subjects/);
  });

  test('a cancelled try keeps its results, and an unknown one is not found', async () => {
    await call('POST', '/v1/turns', { turns: turns(20) });
    const { id } = await start('turn');
    let answered = 0;
    llm.answerWith(async () => {
      answered += 1;
      if (answered === 5) await cancelJob(project, id);
      return { text: 'no' };
    });
    await drainJobs(runtime);
    const tried = await getDraftTry(project, id);
    expect(tried.state).toBe('cancelled');
    expect(tried.rows.length).toBeLessThan(20);
    await expect(getDraftTry(project, 'job_nothing')).rejects.toThrow(/^no such/);
    const other = await createJob(project, { kind: 'rules.backfill', input: {} });
    await expect(getDraftTry(project, other.id)).rejects.toThrow(/^no such/);
  });

  test('without subjects the error gives the fix', async () => {
    await expect(start('turn')).rejects.toThrow('the project has no turns yet; send some');
  });
});
