import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect } from 'vitest';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { until } from '../../../testing/until';
import { timeFactor } from '../../../testing/time-factor';
import type { ProjectCtx } from '../../access';
import type { AnswerVerification } from '../../domain';
import { setRuleEnabled } from '../../rules';
import type { Runtime } from '../../runtime';
import { getTurn, getTurnPage, listSessions, type TurnWriter } from '../../ingest';
import type { Captured } from '../proxy/captured';
import { chatAnswer, passed } from '../verify/verify-fixture';
import { unapplied } from '../verify/regenerate';
import { type CapturedOptions, testCaptured, testFinished, testTurns } from './captured-fixture';
import { listGatewayDays } from './list-gateway-days';
import { createRecorder, type Recorder } from './recorder';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
});

function open(writer: TurnWriter = runtime.writer): Recorder {
  return createRecorder(
    {
      ctx: runtime.ctx,
      writer,
      planVerifications: runtime.rules.planTurns,
      turns: testTurns(),
      noteMasked: () => undefined,
      startThread: null,
    },
    { gatherMs: 1, flushMs: 20, drainMs: 3000 },
  );
}

const ofProject = (options: CapturedOptions): Captured =>
  testCaptured({ ...options, route: { ...options.route, projectId: project.projectId } });

async function record(...calls: readonly Captured[]): Promise<Recorder> {
  const recorder = open();
  for (const call of calls) recorder.note(call);
  await recorder.drain();
  return recorder;
}

const rowOf = async (id: string) => {
  const [row] = await runtime.ctx
    .sql`select * from gateway_calls where project_id = ${project.projectId} and id = ${id}`;
  return row;
};
const verdictsOf = (turnId: string) =>
  runtime.ctx.sql<{ id: string; kind: string; outcome: string; verdict: string | null }[]>`
    select id, kind, outcome, verdict from verdicts where project_id = ${project.projectId} and turn_id = ${turnId} order by kind`;
const pendingOf = (turnId: string) =>
  runtime.ctx.sql<{ id: string; verifier: string; rule: string | null }[]>`
    select id, verifier, rule from work where project_id = ${project.projectId} and subject_id = ${turnId} order by verifier`;

const toolBody = {
  messages: [
    { role: 'user', content: 'How full is web-1?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'tc1', type: 'function', function: { name: 'disk', arguments: '{"host":"web-1"}' } },
      ],
    },
    {
      role: 'tool',
      tool_call_id: 'tc1',
      content: '{"rows":[{"disk_pct":91.40,"bytes":9007199254740993}]}',
    },
  ],
};

describe('a call becomes a turn', () => {
  test('with its session, trace, exact sources, tokens and verdict', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = ['traceparent', `00-${trace}-00f067aa0ba902b7-01`];
    const call = ofProject({
      body: toolBody,
      answer: chatAnswer('web-1 is at 91.4% with 9007199254740993 bytes.'),
      request: { headers, sessionId: 'chat-7' },
    });
    await record(call);
    const { id } = call.request();
    const turn = await getTurn(project, id);
    expect(turn).toMatchObject({
      id,
      sessionId: 'chat-7',
      traceId: trace,
      source: 'gateway',
      model: 'gpt-4o',
    });
    expect(turn.content.output).toBe('web-1 is at 91.4% with 9007199254740993 bytes.');
    expect(turn.content.tools).toMatchObject([
      { id: 'tc1', name: 'disk', result: '{"rows":[{"disk_pct":91.40,"bytes":9007199254740993}]}' },
    ]);
    expect(turn.content.gateway).toMatchObject({
      call_id: id,
      route: 'main',
      verdict: 'not_verified',
      reason: 'disabled',
      stream: false,
    });
    expect(await rowOf(id)).toMatchObject({
      turn_id: id,
      session_id: 'chat-7',
      verdict: 'not_verified',
      reason: 'disabled',
      counter: 3000,
    });
    await drainWork(runtime);
    expect(await verdictsOf(id)).toMatchObject([{ kind: 'integrity', outcome: 'passed' }]);
    expect((await getTurnPage(project, id)).origin).toBe('gateway');
    expect((await listSessions(project, {})).items.map((session) => session.id)).toContain(
      'chat-7',
    );
  });

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)(
    'an answer in %s is read, and a capture that was cut off in it as far as it goes',
    async (contentEncoding, pack) => {
      const answer = chatAnswer('The disk is nearly full.');
      const packed = pack(Buffer.concat([...answer.chunks]));
      const call = ofProject({
        answer,
        more: { contentEncoding, chunks: [packed.subarray(0, 40), packed.subarray(40)] },
      });
      const odd = ofProject({
        answer,
        more: { contentEncoding, chunks: [Buffer.from('not packed at all')] },
      });
      const words = Array.from({ length: 4_000 }, () => `${Math.random().toString(36)} `);
      const frames = words.map(
        (content) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`,
      );
      const stream = pack(Buffer.from(frames.join('')));
      const half = {
        contentEncoding,
        form: 'sse',
        truncated: true,
        chunks: [stream.subarray(0, stream.length >> 1)],
      } as const;
      const cut = ofProject({ answer, more: half });
      await record(call, odd, cut);
      expect((await getTurn(project, call.request().id)).content.output).toBe(
        'The disk is nearly full.',
      );
      expect(await rowOf(odd.request().id)).toMatchObject({ turn_id: null });
      const { output } = (await getTurn(project, cut.request().id)).content;
      expect(output.length).toBeGreaterThan(words.join('').length / 4);
      expect(words.join('').startsWith(output)).toBe(true);
    },
  );

  test('R-65 R-63 a partial or truncated answer is stored with its flag and not verified', async () => {
    const answer = chatAnswer('It is at 55%.');
    const partial = ofProject({ answer, more: { partial: true } });
    const truncated = ofProject({ answer, more: { truncated: true } });
    await record(partial, truncated);
    expect((await getTurn(project, partial.request().id)).content.gateway).toMatchObject({
      partial: true,
      truncated: false,
    });
    expect((await getTurn(project, truncated.request().id)).content.gateway).toMatchObject({
      partial: false,
      truncated: true,
    });
    for (const call of [partial, truncated]) expect(await pendingOf(call.request().id)).toEqual([]);
    const [decision] = await runtime.ctx.sql`
      select state, reason from decisions where project_id = ${project.projectId} and subject_id = ${partial.request().id}`;
    expect(decision).toMatchObject({
      state: 'blocked',
      reason: expect.stringContaining('not whole'),
    });
  });

  test('INT-14 an answer with tool calls is no turn, but its call has a row', async () => {
    const tool_calls = [{ id: 't', type: 'function', function: { name: 'disk', arguments: '{}' } }];
    const call = ofProject({ answer: chatAnswer('Let me look.', { tool_calls }) });
    await record(call);
    expect(await rowOf(call.request().id)).toMatchObject({ turn_id: null, status: 200 });
  });

  test('an invalid request is recorded as far as it can be read, and hostile text is storable', async () => {
    const call = ofProject({
      answer: chatAnswer('NUL \u0000 and \ud800'),
      request: { body: Buffer.from('{"a":'), sessionId: 'a\u0000b' },
    });
    await record(call);
    expect((await getTurn(project, call.request().id)).content.output).toBe(
      'NUL \u2400 and \ufffd',
    );
    expect(await rowOf(call.request().id)).toMatchObject({ session_id: 'a\u2400b' });
  });
});

const steered: AnswerVerification = {
  ...passed,
  decision: 'steer',
  note: 'Look first.',
  steer: { ...unapplied('applied'), other_answer: 'It is at 91%.' },
};

describe('pending verifications of a turn', () => {
  test('the judge’s verdict, under the id sent to the client', async () => {
    const answer = chatAnswer('I look first.');
    const outcome = { verdict: 'steered', reason: null, verificationId: 'ver_episode' } as const;
    const call = ofProject({
      answer,
      more: {
        outcome,
        deliveryDelayMs: 40,
        finished: testFinished(answer, { outcome, episode: steered }),
      },
    });
    await record(call);
    const { id } = call.request();
    expect(await pendingOf(id)).toMatchObject([
      { verifier: 'integrity', rule: 'integrity' },
      { id: 'ver_episode', verifier: 'turn', rule: null },
    ]);
    await drainWork(runtime);
    // Integrity cannot trace anything, since the call has no source.
    expect(await verdictsOf(id)).toMatchObject([
      { id: 'ver_episode', kind: 'turn', outcome: 'steered', verdict: 'steer' },
    ]);
    expect(await rowOf(id)).toMatchObject({
      decision: 'steer',
      verification_id: 'ver_episode',
      episode: { steer: { state: 'applied' } },
    });
  });

  test('X-10 a call recorded twice is one turn, one row and one verdict', async () => {
    const answer = chatAnswer('Fine.');
    const outcome = { verdict: 'passed', reason: null, verificationId: 'ver_twice' } as const;
    const call = ofProject({
      answer,
      more: {
        outcome,
        finished: testFinished(answer, { outcome, episode: { ...passed, steer: null } }),
      },
    });
    await record(call, call);
    expect((await pendingOf(call.request().id)).map(({ verifier }) => verifier)).toEqual([
      'integrity',
      'turn',
    ]);
  });

  test('figures checked before delivery: integrity under the id sent, of the text without marks', async () => {
    const answer = chatAnswer('It is at 55%\u26a0\ufe0f.');
    const outcome = { verdict: 'flagged', reason: null, verificationId: 'ver_figures' } as const;
    const integrity = {
      integrity_mode: 'fallback_scan',
      integrity_unsourced: 1,
      integrity_reprompt_used: true,
      integrity_parse_ok: false,
      retries: 0,
    } as const;
    const finished = testFinished(answer, { outcome, integrity, plainText: 'It is at 55%.' });
    const call = ofProject({
      answer,
      route: { settings: { integrity: { mode: 'hold' } } },
      more: { outcome, finished },
    });
    await record(call);
    expect(await pendingOf(call.request().id)).toMatchObject([
      { id: 'ver_figures', verifier: 'integrity', rule: 'integrity' },
    ]);
    await drainWork(runtime);
    expect(await verdictsOf(call.request().id)).toMatchObject([
      { id: 'ver_figures', kind: 'integrity', outcome: 'failed' },
    ]);
    expect((await getTurn(project, call.request().id)).content.output).toBe('It is at 55%.');
  });

  test('figures checked before delivery, without an integrity rule: integrity is pending all the same', async () => {
    await setRuleEnabled(project, runtime.rules, 'integrity', false);
    const answer = chatAnswer('It is at 55%.');
    const outcome = {
      verdict: 'unavailable',
      reason: 'error',
      verificationId: 'ver_late',
    } as const;
    const call = ofProject({
      answer,
      more: { outcome, finished: testFinished(answer, { outcome }) },
    });
    await record(call);
    expect(await pendingOf(call.request().id)).toMatchObject([
      { id: 'ver_late', verifier: 'integrity', rule: null },
    ]);
    await setRuleEnabled(project, runtime.rules, 'integrity', true);
  });

  test('no integrity on a route that turns it off, and the decision says so', async () => {
    const call = ofProject({
      answer: chatAnswer('It is at 55%.'),
      route: { settings: { integrity: { mode: 'off' } } },
    });
    await record(call);
    expect(await pendingOf(call.request().id)).toEqual([]);
    const [decision] = await runtime.ctx.sql`
      select state, reason from decisions where project_id = ${project.projectId} and subject_id = ${call.request().id}`;
    expect(decision).toMatchObject({
      state: 'blocked',
      reason: 'integrity is off on the route "main"',
    });
  });

  test('the result of a recheck is in the record of its call', async () => {
    const answer = chatAnswer('I look first.');
    const outcome = { verdict: 'steered', reason: null, verificationId: 'ver_looked' } as const;
    const rechecked: AnswerVerification = {
      ...steered,
      steer: { ...unapplied('applied'), after: passed, unsourced_before: 1, unsourced_after: 0 },
    };
    const finished = testFinished(answer, {
      outcome,
      episode: steered,
      recheck: () => Promise.resolve(rechecked),
    });
    const never = testFinished(answer, {
      outcome,
      episode: steered,
      recheck: () => new Promise(() => undefined),
    });
    const calls = [finished, never].map((each) =>
      ofProject({
        answer,
        more: { outcome: { ...outcome, verificationId: null }, finished: each },
      }),
    );
    await record(...calls);
    expect(await rowOf(calls[0]?.request().id ?? '')).toMatchObject({
      episode: { steer: { after: { decision: 'pass' }, unsourced_after: 0 } },
    });
    expect(await rowOf(calls[1]?.request().id ?? '')).toMatchObject({
      episode: { steer: { after: null } },
    });
  });
});

test('a stored call counts once in its day, with the result of its steer and its time held', async () => {
  const other = await createTestProject(runtime);
  const answer = chatAnswer('I look first.');
  const outcome = { verdict: 'steered', reason: null, verificationId: null } as const;
  const steer = (more: Partial<NonNullable<AnswerVerification['steer']>>): AnswerVerification => ({
    ...steered,
    steer: { ...unapplied('applied'), ...more },
  });
  const episodes: readonly (AnswerVerification | null)[] = [
    steer({ after: passed }),
    steer({ after: passed, unsourced_before: 0, unsourced_after: 1 }),
    steer({}),
    steer({ state: 'control', after: passed }),
    steer({ state: 'recall_failed' }),
    null,
  ];
  const calls = episodes.map((episode) =>
    testCaptured({
      answer,
      route: { projectId: other.projectId },
      more: { outcome, deliveryDelayMs: 40, finished: testFinished(answer, { outcome, episode }) },
    }),
  );
  await record(...calls.slice(0, 3));
  await record(...calls);
  const days = await listGatewayDays(other, { days: 1 });
  expect(days).toMatchObject([
    {
      steers: { fixed: 1, not_fixed: 0, worse: 1, unknown: 1 },
      withheld: 1,
      undelivered: 1,
      deliveryDelay: { n: 6 },
    },
  ]);
  expect(days[0]?.deliveryDelay.p50).toBeGreaterThan(39);
  expect(days[0]?.deliveryDelay.p50).toBeLessThan(41);
  expect(await listGatewayDays(project, { days: 30 })).toHaveLength(30);
});

const countOf = async (route: string): Promise<{ calls: number; dropped: number }> => {
  const [row] = await runtime.ctx.sql<{ calls: number; dropped: number }[]>`
    select coalesce(sum(calls), 0)::int as calls, coalesce(sum(dropped), 0)::int as dropped
    from gateway_rollups where project_id = ${project.projectId} and route = ${route}`;
  return row ?? { calls: 0, dropped: 0 };
};
const routed = (name: string, options: CapturedOptions = {}): Captured => {
  const call = ofProject(options);
  const route = { ...call.route, name };
  const request = call.request();
  return { ...call, route, request: () => ({ ...request, route }) };
};

test('R-67 with the writer blocked the queue fills, further calls are dropped and counted, and none waits; counts are exact', async () => {
  let unblock = (): void => undefined;
  const blocked = new Promise<void>((resolve) => {
    unblock = resolve;
  });
  const recorder = open({
    async write(rows) {
      await blocked;
      return runtime.writer.write(rows);
    },
  });
  const call = routed('flood');
  const ids = Array.from({ length: 12_000 }, (_, at) => `call_flood_${at}`);
  const request = call.request();
  const began = performance.now();
  for (const id of ids) recorder.note({ ...call, request: () => ({ ...request, id }) });
  expect(performance.now() - began).toBeLessThan(timeFactor * 2_000);
  expect(recorder.stats.queued).toBe(10_000);
  expect(recorder.stats.dropped).toBe(2_000);
  await until('the counts are stored', async () =>
    (await countOf('flood')).calls === 12_000 ? true : null,
  );
  expect(await countOf('flood')).toEqual({ calls: 12_000, dropped: 2_000 });
  unblock();
  await until('all that waited is stored', () =>
    recorder.stats.recorded === 10_000 ? true : null,
  );
  await recorder.drain();
});

test('R-67 the queue is also bounded in bytes', async () => {
  const recorder = open({ write: () => new Promise(() => undefined) });
  const chunk = Buffer.alloc(1024 * 1024);
  for (let at = 0; at < 100; at++) recorder.note(routed('large', { more: { chunks: [chunk] } }));
  expect(recorder.stats.queuedBytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  expect(recorder.stats.dropped).toBeGreaterThanOrEqual(36);
  await recorder.drain();
});

test('storage down: known after a failed write, nothing that fits into the queue is lost, and the recovery is known', async () => {
  let isDown = true;
  const ctx = { ...runtime.ctx, sql: runtime.ctx.sql };
  const failing = ((...given: Parameters<typeof runtime.ctx.sql>) => {
    const query = runtime.ctx.sql(...given);
    if (!isDown) return query;
    // As in the client, a part of a query that is not awaited does not cause an unhandled
    // rejection.
    const refuse = () => Promise.reject(Object.assign(new Error('down'), { code: 'ECONNREFUSED' }));
    const wait = (...outcome: Parameters<typeof query.then>) => refuse().then(...outcome);
    return new Proxy(query, {
      get: (target, key) => (key === 'then' ? wait : (Reflect.get(target, key) as unknown)),
    });
  }) as unknown as typeof runtime.ctx.sql;
  const recorder = createRecorder(
    {
      ctx: { ...ctx, sql: failing },
      writer: runtime.writer,
      planVerifications: runtime.rules.planTurns,
      turns: testTurns(),
      noteMasked: () => undefined,
      startThread: null,
    },
    { gatherMs: 1, flushMs: 20, drainMs: 3000 },
  );
  const call = routed('away');
  recorder.note(call);
  recorder.count(call.route, { verdict: 'not_verified', reason: 'error', verificationId: null });
  await until('it is known', () => (recorder.isUnavailable() ? true : null));
  isDown = false;
  await until('it is back', () => (recorder.isUnavailable() ? null : true));
  await until('the call is stored', async () =>
    (await rowOf(call.request().id)) === undefined ? null : true,
  );
  await until('the counts are stored', async () =>
    (await countOf('away')).calls === 2 ? true : null,
  );
  expect(recorder.stats).toMatchObject({ recorded: 1, dropped: 0, failed: 0 });
  await recorder.drain();
});

test('X-11 a verifier’s model call is recorded under the verdict id sent to the client', async () => {
  const recorder = open();
  recorder.recordVerifierCall({
    projectId: project.projectId,
    verdictId: 'ver_asked',
    provider: 'judge',
    model: 'small',
    attempt: 1,
    costUsd: 0.002,
    purpose: 'turn verifier',
    promptVersion: 'turn-verifier@3',
    report: {
      state: 'answered',
      text: 'ok',
      status: 200,
      inputTokens: 9,
      outputTokens: 3,
      latencyMs: 5,
      reply: 'ok',
    },
  });
  await recorder.drain();
  const rows = await runtime.ctx
    .sql`select purpose, cost_usd, input_tokens from llm_calls where verdict_id = 'ver_asked'`;
  expect(rows).toMatchObject([{ purpose: 'turn verifier', cost_usd: 0.002, input_tokens: 9 }]);
});
