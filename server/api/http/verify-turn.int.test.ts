import { describe, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { drainWork } from '../../../testing/database';
import { testWithLlm as test } from '../../../testing/fixture';
import type { ScriptedLlm } from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import type { AnswerVerification, GatewayRecord } from '../../domain';
import { createAsk, createEndpoints, putProvider } from '../../llm';
import { newId } from '../../platform';
import { moveLabel, savePrompt } from '../../prompts';
import { claimSlowWork } from '../../queue';
import type { Runtime } from '../../runtime';
import { prepareTurn, type TurnOrigin } from '../../ingest';
import { verifyClaimed } from '../../verdicts';

/** Turns over HTTP with a scripted verifier, and turns that the gateway recorded. */

let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let key = '';

test.beforeAll(async ({ llm: ownLlm, runtime: ownRuntime, project: ownProject }) => {
  llm = ownLlm;
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, {
    name: 'k',
    scopes: ['verify', 'read', 'write', 'ingest'],
  }));
  const models = ['gpt-4o-mini', 'mistral-small'];
  await putProvider(project, 'house', {
    kind: 'openai',
    api_key: 'sk-test',
    enabled: true,
    base_url: llm.baseUrl,
    models,
  });
});

interface Reply {
  readonly id: string;
  readonly subject_id: string;
  readonly [member: string]: unknown;
}

async function call(
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Reply }> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await appOf(runtime).request(path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Reply };
}

const pass = '<status>NO_STEERING_NEEDED</status>';
const steer = '<steering>Read the log first.</steering>';
const asked = (more: object = {}): object => ({
  messages: [
    { role: 'system', content: 'You are a helper.' },
    { role: 'user', content: 'Why does it stop?' },
  ],
  completion: 'It is done.',
  ...more,
});

/** Requests without waiting, judges in the slow lane, and reads the verdict. */
async function judged(body: object): Promise<Reply> {
  const { body: pending } = await call('POST', '/v1/verify/turn', { ...body, wait_ms: 0 });
  expect(pending).toMatchObject({
    state: 'pending',
    kind: 'turn',
    verifier: 'turn',
    turn_id: null,
  });
  const work = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id: pending.id,
  });
  if (work === null) throw new Error('nothing waits for the slow lane');
  const askFor = (target: Parameters<typeof createAsk>[2]) =>
    createAsk(runtime.ctx, { ...runtime.asking, endpoints: createEndpoints(runtime.ctx) }, target);
  await verifyClaimed(
    runtime.ctx,
    { ...runtime.subjects, askFor },
    { owner: 'slow', claimed: [work], signal: new AbortController().signal, asks: true },
  );
  return (await call('GET', `/v1/verifications/${pending.id}`)).body;
}

describe('POST /v1/verify/turn', () => {
  test('QV-24 QV-37 a named verifier lets an answer pass; it is not stored as a turn', async () => {
    llm.queue({ text: pass, usage: { input: 900, output: 10 } });
    const verdict = await judged(
      asked({
        verifier_model: 'house:gpt-4o-mini?temperature=0.3',
        executor_model: 'mistral-small',
      }),
    );
    expect(verdict).toMatchObject({
      state: 'settled',
      outcome: 'passed',
      verdict: 'pass',
      action: 'accept',
      score: null,
      threshold: null,
      judge: { calls: 1, model: 'house/gpt-4o-mini', cross_model: 'enforced' },
      scores: [{ evaluator: 'judge.turn@1', value: 1, prompt_version: 'turn-verifier@0' }],
      turn: { decision: 'pass', note: null, calls: 1, problem: null, steer: null },
    });
    expect(llm.calls.at(-1)?.body).toMatchObject({
      temperature: 0.3,
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'user' },
        { content: expect.stringContaining('\n"It is done."\n') },
      ],
    });
    const [row] = await project.sql<{ kind: string; turns: number }[]>`
      select kind, (select count(*)::int from turns where project_id = ${project.projectId}) as turns
      from subjects where project_id = ${project.projectId} and id = ${verdict.subject_id}`;
    expect(row).toEqual({ kind: 'exchange', turns: 0 });
  });

  test('QV-20 QV-21 a note is returned after one correction, and the answering model may judge itself', async () => {
    llm.queue({ text: 'Looks fine to me.' }, { text: steer });
    const verdict = await judged(
      asked({
        verifier_model: 'gpt-4o-mini',
        executor_model: 'openai/gpt-4o-mini',
        session_id: 's-1',
      }),
    );
    expect(verdict).toMatchObject({
      outcome: 'steered',
      verdict: 'steer',
      action: 'retry',
      feedback: 'Read the log first.',
      session_id: 's-1',
      judge: { calls: 2, cross_model: 'self' },
      turn: { decision: 'steer', note: 'Read the log first.', calls: 2 },
    });
    const calls =
      await project.sql`select purpose, prompt_version from llm_calls where verdict_id = ${verdict.id}`;
    expect(calls).toMatchObject([
      { purpose: 'turn verifier', prompt_version: 'turn-verifier@0' },
      { purpose: 'turn verifier', prompt_version: 'turn-verifier@0' },
    ]);
  });

  test('QV-25 X-3 an unreadable verifier reply gives no verdict', async () => {
    llm.queue({ text: 'fine' }, { text: 'fine' });
    expect(await judged(asked())).toMatchObject({
      outcome: 'inconclusive',
      verdict: null,
      action: 'none',
      turn: { decision: 'verifier_failed', note: null, calls: 2 },
    });
  });

  test('QV-16 an empty completion is skipped at once', async () => {
    const before = llm.calls.length;
    const { status, body } = await call('POST', '/v1/verify/turn', asked({ completion: '' }));
    expect([status, body]).toMatchObject([
      200,
      { outcome: 'skipped', verdict: null, turn: { decision: 'skipped', calls: 0 } },
    ]);
    expect(llm.calls.length).toBe(before);
  });

  test('X-10 the same call under one id is one verification', async () => {
    llm.queue({ text: pass });
    const first = await judged(asked({ id: 'mine' }));
    const again = await call('POST', '/v1/verify/turn', asked({ id: 'mine' }));
    expect([again.status, again.body.id, again.body.subject_id]).toEqual([
      200,
      first.id,
      first.subject_id,
    ]);
    expect(
      (await call('POST', '/v1/verify/turn', asked({ id: 'mine', completion: 'Other.' }))).status,
    ).toBe(409);
  });

  test('QV-40 X-8 an edited prompt reaches the verifier, and the score names its version', async () => {
    const slug = 'turn-verifier';
    const defaults = runtime.subjects.prompts;
    const mark = 'Problems you should look for:\n\n';
    const body = (defaults.get(slug)?.body ?? '').replace(
      mark,
      `${mark}- **Rhymes:** it answers in verse.\n`,
    );
    const { version } = await savePrompt(project, defaults, { slug, body, message: 'rhymes' });
    await moveLabel(project, defaults, { slug, label: 'production', version });
    const reminder = (defaults.get('turn-reminder')?.body ?? '').split('\n---\n')[0] ?? '';
    const silent = await savePrompt(project, defaults, {
      slug: 'turn-reminder',
      body: `${reminder}\n---\n`,
      message: 'silent',
    });
    await moveLabel(project, defaults, {
      slug: 'turn-reminder',
      label: 'production',
      version: silent.version,
    });
    llm.queue({ text: pass });
    expect(await judged(asked())).toMatchObject({
      scores: [{ prompt_version: `${slug}@${version}` }],
    });
    const messages = (llm.calls.at(-1)?.body.messages ?? []) as {
      role: string;
      content: unknown;
    }[];
    expect(JSON.stringify(messages[0])).toContain('it answers in verse');
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    await expect(
      savePrompt(project, defaults, {
        slug,
        body: body.slice(0, body.indexOf('You are the second')),
        message: '',
      }),
    ).rejects.toMatchObject({
      code: 'refused',
    });
  });
});

const episode: AnswerVerification = {
  decision: 'steer',
  note: 'Read the log first.',
  problem: null,
  calls: 2,
  model: 'house/gpt-4o-mini',
  prompt_version: 'turn-verifier@2',
  input_tokens: 900,
  output_tokens: 60,
  cost_usd: 0.004,
  latency_ms: 812,
  steer: {
    state: 'applied',
    problem: null,
    recall_ms: 900,
    recall_input_tokens: 1,
    recall_output_tokens: 1,
    recall_cost_usd: null,
    other_answer: 'It is done.',
    after: null,
    unsourced_before: null,
    unsourced_after: null,
  },
};

/** Stores a turn with a pending verification of kind `turn`, and runs a worker on it. */
async function record(origin: TurnOrigin, recorded: AnswerVerification | null): Promise<Reply> {
  const now = runtime.ctx.clock.now();
  const verdictId = newId('ver', now);
  const gateway: GatewayRecord = {
    call_id: newId('call', now),
    route: 'openai',
    dialect: 'chat',
    stream: false,
    status: 200,
    verdict: 'steered',
    reason: null,
    verification_id: verdictId,
    truncated: false,
    partial: false,
    first_byte_ms: 1,
    duration_ms: 2,
    held_ms: 3,
    episode: recorded,
    integrity: null,
    verification: null,
  };
  const wire = {
    id: gateway.call_id,
    session_id: 's-2',
    model: 'gpt-4o-mini',
    output: 'The log says so.',
    gateway,
  };
  const turn = prepareTurn(Buffer.from(JSON.stringify(wire)), true, { now, idSeed: null });
  const planned = {
    verdicts: [{ verdictId, verifier: 'turn', rule: null, delaySeconds: 0 }],
    decisions: [],
  };
  await runtime.writer.write([
    { projectId: project.projectId, turn, origin, planned, owner: null },
  ]);
  await drainWork(runtime);
  return (await call('GET', `/v1/verifications/${verdictId}`)).body;
}

describe('turns that the gateway recorded', () => {
  test('QV-35 X-11 the verdict is read from the record: one outcome, with its cost, and no model is asked', async () => {
    const before = llm.calls.length;
    expect(await record('gateway', episode)).toMatchObject({
      state: 'settled',
      kind: 'turn',
      outcome: 'steered',
      verdict: 'steer',
      action: 'accept',
      feedback: 'Read the log first.',
      judge: { calls: 2, model: 'house/gpt-4o-mini', cross_model: 'self' },
      cost: { usd: 0.004, tokens: 960, usd_at_least: false },
      scores: [
        {
          evaluator: 'judge.turn@1',
          value: 0,
          prompt_version: 'turn-verifier@2',
          cost_usd: 0.004,
          latency_ms: 812,
        },
      ],
      turn: {
        decision: 'steer',
        note: 'Read the log first.',
        calls: 2,
        steer: { state: 'applied' },
      },
    });
    expect(llm.calls.length).toBe(before);
  });

  test('QV-25 a verifier that failed is inconclusive, not a pass', async () => {
    const failed = {
      ...episode,
      decision: 'verifier_failed' as const,
      note: null,
      problem: 'timeout: no first token',
      steer: null,
    };
    expect(await record('gateway', failed)).toMatchObject({
      outcome: 'inconclusive',
      verdict: null,
      action: 'none',
      needs_human_review: false,
      scores: [{ state: 'failed', reasoning: 'timeout: no first token' }],
    });
  });

  test.each<[string, TurnOrigin, AnswerVerification | null]>([
    ['a client forged', 'api', episode],
    ['holds no episode', 'gateway', null],
  ])(
    'X-9 a record that %s is invalid: skipped with the reason, and done',
    async (_what, origin, recorded) => {
      expect(await record(origin, recorded)).toMatchObject({
        state: 'settled',
        outcome: 'skipped',
        verdict: null,
        decision: {
          state: 'filtered',
          reason: 'the turn has no verification that the gateway recorded',
        },
        turn: { decision: 'skipped', calls: 0 },
      });
      const [left] = await project.sql<
        { count: number }[]
      >`select count(*)::int as count from work where project_id = ${project.projectId}`;
      expect(left?.count).toBe(0);
    },
  );

  test('INT-11 switching integrity off does not switch off the verifier of turns', async () => {
    expect((await call('PUT', '/v1/settings', { integrity_enabled: false })).status).toBe(200);
    expect(await record('gateway', episode)).toMatchObject({ outcome: 'steered' });
  });

  test('a rule may send it turns and sessions, and nothing else', async () => {
    for (const target of ['turn', 'session'])
      expect(
        (
          await call('PUT', `/v1/rules/steer-${target}`, {
            verifier: 'turn',
            target,
            enabled: false,
          })
        ).status,
      ).toBe(200);
    for (const target of ['trace', 'mission'])
      expect(await call('PUT', '/v1/rules/steer', { verifier: 'turn', target })).toMatchObject({
        status: 422,
        body: { error: { details: [{ path: 'target' }] } },
      });
    expect(
      (
        await call('PUT', '/v1/rules/proxied', {
          verifier: 'integrity',
          filter: { origin: 'gateway' },
        })
      ).status,
    ).toBeLessThan(300);
  });
});
