import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { startFaultline } from '../../testing/faultline';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../testing/mock-upstream';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { type RawAnswer, sendRaw } from '../../testing/raw-answer';
import { type ScriptedLlm, startScriptedLlm, textOf } from '../../testing/scripted-llm';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { createKey } from '../access';
import { putProvider } from '../llm';

// Routes that name a verifier, at a real edge with a worker, an upstream and a judge on loopback.

let upstream: MockUpstream;
let judge: ScriptedLlm;
let stack: Stack;
let edge: Edge;
let key = '';
let dataDir = '';
let calls = 0;

const completion = (content: string) =>
  JSON.stringify({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'gpt-4o',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
  });
const frame = (content: string) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'gpt-4o', choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** The upstream answers one call after another with these texts, then with the last one. */
function answerWith(...texts: readonly string[]): void {
  let at = 0;
  upstream.script((request) => {
    const text = texts[Math.min(at++, texts.length - 1)] ?? '';
    return request.body.includes('"stream":true')
      ? answerStream([frame(text), 'data: [DONE]\n\n'])(request)
      : answerJson(completion(text))(request);
  });
}

const variablesOf = (name: string, more: Readonly<Record<string, string>> = {}) => ({
  ...stack.variables,
  ASSAY_OUTBOUND_ALLOW: [upstream.origin, judge.origin]
    .map((origin) => new URL(origin).host)
    .join(','),
  ASSAY_DATA_DIR: join(dataDir, name),
  ASSAY_REPLICA: name,
  ...more,
});

beforeAll(async () => {
  [upstream, judge, stack] = await Promise.all([
    startMockUpstream(answerJson(completion('You get a refund.'))),
    startScriptedLlm(),
    createStack(inject('databaseUrl')),
  ]);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-routes-'));
  [edge] = await Promise.all([startEdge(variablesOf('edge')), startWorker(variablesOf('worker'))]);
  const env = { ...stack.project.env, outboundAllow: new Set([new URL(judge.origin).host]) };
  await putProvider({ ...stack.project, env }, 'judge', {
    kind: 'openai_compatible',
    base_url: judge.baseUrl,
    api_key: 'sk-judge-stored-0001',
    models: ['gpt-4o-mini'],
    enabled: true,
  });
  ({ key } = await createKey(stack.project, { name: 'gateway', scopes: ['gateway'] }));
  const checks = [{ check: 'contains', value: 'refund', must_pass: true }];
  for (const [slug, more] of [
    ['refunds', { checks }],
    ['with-policy', { checks, mapping: { policy: '$.metadata.policy' } }],
    ['traces-only', { checks, targets: ['trace'] }],
    ['old', { checks }],
  ] as const)
    await api('PUT', `/v1/verifiers/${slug}`, { kind: 'checks', ...more });
  await api('PUT', '/v1/verifiers/polite', {
    kind: 'judge',
    judge: {
      model: 'judge:gpt-4o-mini',
      output: { type: 'boolean' },
      prompt: 'Is this answer polite? {{output}}',
    },
  });
});

afterEach(() => {
  judge.answerWith(null);
  answerWith('You get a refund.');
});

afterAll(async () => {
  await stack?.close();
  await Promise.all([upstream?.close(), judge?.close()]);
  rmSync(dataDir, { recursive: true, force: true });
});

async function api(method: string, path: string, body?: unknown) {
  const response = await fetch(edge.url + path, {
    method,
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Stores a route to the upstream; its name is new each time, as is the session of its calls. */
async function openRoute(
  verify: object | null,
  more: object = {},
  prefix = 'route',
): Promise<string> {
  const route = `${prefix}-${++calls}`;
  const stored = await api('PUT', `/v1/gateway/routes/${route}`, {
    upstream: `${upstream.origin}/v1`,
    integrity: { mode: 'off' },
    verify,
    ...more,
  });
  expect(stored, JSON.stringify(stored.body)).toMatchObject({ status: 200, body: { verify } });
  await untilKnown(edge, route, key);
  return route;
}

/** Waits until the gateway has loaded a route; its API runs in threads. */
const untilKnown = (to: Edge, route: string, bearer: string): Promise<true> =>
  until(`the route ${route}`, async () => {
    const answer = await fetch(`${to.url}/gateway/${route}/v1/models`, {
      headers: { authorization: `Bearer ${bearer}` },
    });
    return answer.status === 200 ? true : null;
  });

interface Sent {
  readonly stream?: boolean;
  readonly messages?: readonly object[];
  readonly to?: Edge;
}

function send(
  route: string,
  {
    stream = false,
    messages = [{ role: 'user', content: 'May I return it?' }],
    to = edge,
  }: Sent = {},
): Promise<RawAnswer> {
  return sendRaw(Number(new URL(to.url).port), {
    path: `/gateway/${route}/v1/chat/completions`,
    headers: [
      ['authorization', `Bearer ${key}`],
      ['x-assay-session', route],
    ],
    body: JSON.stringify({ model: 'gpt-4o', messages, ...(stream && { stream }) }),
  });
}

/** The outcome as the client received it: in headers, or in the comment of a stream. */
function outcomeIn({ headers, body }: RawAnswer) {
  const comment = new Map(
    [...body.toString().matchAll(/(x-assay-[a-z]+): ([^;\n]+)/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  );
  const read = (name: string): string | null =>
    headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? comment.get(name) ?? null;
  return {
    verdict: read('x-assay-verdict'),
    reason: read('x-assay-reason'),
    id: read('x-assay-verification') ?? '',
  };
}

const verdictsOf = (turnId: string) =>
  stack.sql<
    { id: string; outcome: string; verifier_slug: string; decision_reason: string | null }[]
  >`
    select id, outcome, verifier_slug, decision_reason from verdicts
    where project_id = ${stack.project.projectId} and turn_id = ${turnId} order by settled_at`;

/** The turns of a route's session in order, once this many are stored. */
const turnsOf = (route: string, count: number): Promise<string[]> =>
  until(`${count} turns of ${route}`, async () => {
    const rows = await stack.sql<{ id: string }[]>`
      select id from turns where project_id = ${stack.project.projectId} and session_id = ${route}
      order by id`;
    return rows.length === count ? rows.map(({ id }) => id) : null;
  });

/** Waits until the edge applies a rule with the verifier `refunds` to routes `repeats-…`. */
async function untilRuled(): Promise<void> {
  const filter = { metadata: { gateway_route: 'repeats-*' } };
  await api('PUT', '/v1/rules/repeats', { verifier: 'refunds', target: 'turn', filter });
  await until('the rule applies', async () => {
    const route = await openRoute(null, {}, 'repeats');
    await send(route);
    const [turn = ''] = await turnsOf(route, 1);
    const decided = await stack.sql`select 1 from decisions where subject_id = ${turn}`;
    return decided.length > 0 ? true : null;
  });
}

describe('observe', () => {
  test('online.md 3: every second turn of a session is verified after delivery', async () => {
    const route = await openRoute({ verifier: 'refunds', mode: 'observe', frequency: 2 });
    answerWith('A refund.', 'Nothing.', 'A refund.', 'A refund.', 'Nothing.');
    for (const stream of [false, true, false, true]) {
      const answer = await send(route, { stream });
      expect([answer.status, outcomeIn(answer)]).toEqual([
        200,
        { verdict: 'not_verified', reason: 'disabled', id: '' },
      ]);
    }
    const turns = await turnsOf(route, 4);
    await stack.drained();
    const found = await Promise.all(turns.map(verdictsOf));
    expect(found.map((each) => each.map(({ outcome }) => outcome))).toEqual([
      [],
      ['failed'],
      [],
      ['passed'],
    ]);
  });

  test('a turn without a value for the mapping has a skipped verdict with the reason', async () => {
    const route = await openRoute({ verifier: 'with-policy', mode: 'observe', frequency: 1 });
    await send(route);
    const [turn = ''] = await turnsOf(route, 1);
    await stack.drained();
    expect(await verdictsOf(turn)).toEqual([
      {
        id: expect.stringMatching(/^ver_/),
        outcome: 'skipped',
        verifier_slug: 'with-policy',
        decision_reason: expect.stringContaining('no value for the variable "policy"'),
      },
    ]);
    const [verdict] = await verdictsOf(turn);
    expect((await api('GET', `/v1/verifications/${verdict?.id}`)).body).toMatchObject({
      outcome: 'skipped',
      kind: 'checks',
    });
  });

  test('tool follow-ups are not verified; a rule does not repeat the verifier', async () => {
    const verify = { verifier: 'refunds', mode: 'observe', frequency: 1 };
    const route = await openRoute(verify, {}, 'repeats');
    const asked = { role: 'user', content: 'May I return it?' };
    const tool = [
      asked,
      {
        role: 'assistant',
        tool_calls: [{ id: 't1', type: 'function', function: { name: 'find', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 't1', content: 'yes' },
    ];
    await untilRuled();
    await send(route, { messages: [asked] });
    const [first = ''] = await turnsOf(route, 1);
    const follows = await openRoute(verify);
    await send(follows, { messages: tool });
    const [followup = ''] = await turnsOf(follows, 1);
    await stack.drained();
    expect(await verdictsOf(first)).toHaveLength(1);
    expect(await verdictsOf(followup)).toEqual([]);
  });
});

describe.each([false, true])('hold, stream=%s', (stream) => {
  test.each([
    ['A refund, of course.', 'passed', 'passed'],
    ['No.', 'flagged', 'failed'],
  ])(
    'online.md 3: "%s" is delivered as %s, with a verdict that leads to its turn',
    async (text, verdict, outcome) => {
      const route = await openRoute({ verifier: 'refunds', mode: 'hold', frequency: 1 });
      answerWith(text);
      const answer = await send(route, { stream });
      expect(answer.body.toString()).toContain(text);
      const received = outcomeIn(answer);
      expect(received).toMatchObject({ verdict, reason: null, id: expect.stringMatching(/^ver_/) });
      const [turn = ''] = await turnsOf(route, 1);
      await stack.drained();
      // Verified once, since the record plans no second verification.
      expect(await verdictsOf(turn)).toMatchObject([{ id: received.id, outcome }]);
      expect((await api('GET', `/v1/verifications/${received.id}`)).body).toMatchObject({
        verifier: 'refunds@1',
        turn_id: turn,
        outcome,
      });
      const { body } = await api('GET', '/v1/verifications?verifier=refunds');
      expect(JSON.stringify(body)).toContain(turn);
    },
  );

  test('a judge decides, asked by the worker', async () => {
    const route = await openRoute({ verifier: 'polite', mode: 'hold', frequency: 1 });
    judge.answerWith(({ body }) => {
      const nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
      return {
        text: JSON.stringify({
          nonce,
          reasoning: 'It is rude.',
          quotes: ['Go away'],
          answer: false,
          confidence: 0.95,
        }),
      };
    });
    answerWith('Go away.');
    const answer = await send(route, { stream });
    expect(outcomeIn(answer)).toMatchObject({ verdict: 'flagged', reason: null });
    expect(answer.body.toString()).toContain('Go away.');
  });

  test('steer: the feedback of a failed verdict replaces the answer, which is verified again', async () => {
    const route = await openRoute({ verifier: 'refunds', mode: 'steer', frequency: 1 });
    answerWith('No.', 'You get a refund.');
    const answer = await send(route, { stream });
    expect(answer.body.toString()).toContain('You get a refund.');
    expect(answer.body.toString()).not.toContain('No.');
    const received = outcomeIn(answer);
    expect(received).toMatchObject({ verdict: 'steered', reason: null });
    const again = upstream.requests.at(-1)?.body.toString() ?? '';
    expect(again).toContain('Fix these points and keep the rest');
    const [turn = ''] = await turnsOf(route, 1);
    await stack.drained();
    expect(await verdictsOf(turn)).toMatchObject([
      { id: received.id, outcome: 'failed' },
      { outcome: 'passed', verifier_slug: 'refunds' },
    ]);
  });

  test('R-68 without a verdict in time the answer is delivered, or refused if the route fails closed', async () => {
    // The mapping finds no value, so nothing can be scored.
    const verify = { verifier: 'with-policy', mode: 'hold', frequency: 1 } as const;
    const open = await openRoute(verify);
    const answer = await send(open, { stream });
    expect([answer.status, outcomeIn(answer)]).toEqual([
      200,
      { verdict: 'unavailable', reason: 'error', id: '' },
    ]);
    expect(answer.body.toString()).toContain('You get a refund.');
    const closed = await openRoute(verify, { fail_closed: true });
    const refused = await send(closed, { stream });
    expect(refused.body.toString()).toContain('not_verified');
    expect(refused.body.toString()).not.toContain('You get a refund.');
    // The delivered answer is verified after delivery, here with the reason why it is skipped.
    const [turn = ''] = await turnsOf(open, 1);
    await stack.drained();
    expect(await verdictsOf(turn)).toMatchObject([{ outcome: 'skipped' }]);
  });
});

test('hold: a rule with the same verifier has the decision "duplicate"', async () => {
  await untilRuled();
  const verify = { verifier: 'refunds', mode: 'hold', frequency: 1 };
  const route = await openRoute(verify, {}, 'repeats');
  const received = outcomeIn(await send(route));
  const [turn = ''] = await turnsOf(route, 1);
  await stack.drained();
  expect(await verdictsOf(turn)).toMatchObject([{ id: received.id, outcome: 'passed' }]);
  const [decision] = await stack.sql<
    { state: string; reason: string; verdict_id: string | null }[]
  >`
    select state, reason, verdict_id from decisions where subject_id = ${turn} and rule = 'repeats'`;
  expect(decision).toMatchObject({ state: 'duplicate', verdict_id: null });
});

test('hold verifies every third turn; the others pass at once', async () => {
  const route = await openRoute({ verifier: 'refunds', mode: 'hold', frequency: 3 });
  const verdicts = [];
  for (let n = 0; n < 6; n++) verdicts.push(outcomeIn(await send(route)).verdict);
  expect(verdicts).toEqual([
    'not_verified',
    'not_verified',
    'passed',
    'not_verified',
    'not_verified',
    'passed',
  ]);
  const sessions = await api('GET', '/v1/gateway/sessions');
  expect(JSON.stringify(sessions.body)).not.toContain(' verify ');
});

test('R-80 the deletion of a session deletes its counters, also those of a route’s verifier', async () => {
  const route = await openRoute({ verifier: 'refunds', mode: 'hold', frequency: 5 });
  await send(route);
  const counters = async (): Promise<number> =>
    (await stack.sql`select 1 from gateway_counters where session_id like ${`% ${route}`}`).length;
  await turnsOf(route, 1);
  await until('the counter is stored', async () => ((await counters()) > 0 ? true : null));
  await api('DELETE', `/v1/sessions/${route}`);
  await until('the counter is deleted', async () => ((await counters()) === 0 ? true : null));
  expect(await counters()).toBe(0);
});

test('a route whose verifier is archived later keeps answering, as unavailable', async () => {
  const route = await openRoute({ verifier: 'old', mode: 'hold', frequency: 1 });
  const observed = await openRoute({ verifier: 'old', mode: 'observe', frequency: 1 });
  expect(outcomeIn(await send(route)).verdict).toBe('passed');
  await api('DELETE', '/v1/verifiers/old');
  const answer = await send(route);
  expect([answer.status, outcomeIn(answer).verdict]).toEqual([200, 'unavailable']);
  await send(observed);
  const [turn = ''] = await turnsOf(observed, 1);
  await stack.drained();
  expect(await verdictsOf(turn)).toMatchObject([
    { outcome: 'skipped', decision_reason: 'the verifier "old" is archived' },
  ]);
});

test('R-66 without a worker, and without PostgreSQL, the answer is delivered as unavailable', async () => {
  const lone = await createStack(inject('databaseUrl'));
  try {
    const url = new URL(lone.database.url);
    const line = await startFaultline({ host: url.hostname, port: Number(url.port) });
    url.hostname = '127.0.0.1';
    url.port = String(line.port);
    const away = await startEdge(variablesOf('lone', { DATABASE_URL: url.href }));
    const { key: own } = await createKey(lone.project, {
      name: 'all',
      scopes: ['gateway', 'read', 'write'],
    });
    const put = (path: string, body: object) =>
      fetch(away.url + path, {
        method: 'PUT',
        headers: { authorization: `Bearer ${own}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await put('/v1/verifiers/refunds', {
      kind: 'checks',
      checks: [{ check: 'contains', value: 'refund' }],
    });
    const stored = await put('/v1/gateway/routes/main', {
      upstream: `${upstream.origin}/v1`,
      integrity: { mode: 'off' },
      verify: { verifier: 'refunds', mode: 'hold', frequency: 1 },
      total_seconds: 1,
    });
    expect(stored.status).toBe(200);
    await untilKnown(away, 'main', own);
    const ask = () =>
      sendRaw(Number(new URL(away.url).port), {
        path: '/gateway/main/v1/chat/completions',
        headers: [['authorization', `Bearer ${own}`]],
        body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'Hi' }] }),
      });
    const late = await ask();
    expect([late.status, outcomeIn(late)]).toEqual([
      200,
      { verdict: 'unavailable', reason: 'error', id: expect.stringMatching(/^ver_/) },
    ]);
    line.blackHole();
    for (let n = 0; n < 3; n++) {
      const answer = await ask();
      expect([answer.status, outcomeIn(answer).verdict]).toEqual([200, 'unavailable']);
      expect(answer.body.toString()).toBe(completion('You get a refund.'));
    }
    line.restore();
  } finally {
    await lone.runtime.close();
    await lone.database.drop();
  }
});

test.each([
  ['no-such', 'names no verifier of this project'],
  ['traces-only', 'reads no turn'],
  ['consistency', 'reads no turn'],
  ['integrity', 'set "integrity.mode" instead'],
  ['turn', 'set "quality_verifier.model" instead'],
])('PUT refuses the verifier "%s" with field, problem and fix', async (verifier, message) => {
  const answer = await api('PUT', '/v1/gateway/routes/refused', {
    upstream: `${upstream.origin}/v1`,
    verify: { verifier, mode: 'hold' },
  });
  expect(answer).toMatchObject({
    status: 422,
    body: {
      error: {
        details: [{ path: 'verify.verifier', message: expect.stringContaining(message) }],
      },
    },
  });
});

test('PUT refuses an archived verifier and a wrong mode; null is the default', async () => {
  const put = (verify: unknown) =>
    api('PUT', '/v1/gateway/routes/refused', { upstream: `${upstream.origin}/v1`, verify });
  await api('PUT', '/v1/verifiers/gone', {
    kind: 'checks',
    checks: [{ check: 'contains', value: 'a' }],
  });
  await api('DELETE', '/v1/verifiers/gone');
  expect(await put({ verifier: 'gone' })).toMatchObject({
    status: 422,
    body: { error: { details: [{ message: expect.stringContaining('is archived') }] } },
  });
  expect((await put({ verifier: 'refunds', mode: 'block' })).status).toBe(400);
  expect(await put({ verifier: 'refunds' })).toMatchObject({
    body: { verify: { verifier: 'refunds', mode: 'observe', frequency: 1 } },
  });
  expect((await put(null)).body).toMatchObject({ verify: null });
});
