// Episodes over real HTTP: a scripted main model, a scripted verifier, all three APIs, streamed and
// not. Counter and breaker are recorded.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type ScriptedCall,
  type ScriptedLlm,
  type ScriptedReply,
  startScriptedLlm,
  textOf,
} from '../../../testing/scripted-llm';
import type { GatewayDialect } from '../../domain';
import { createModelConnections, type ModelConnections } from '../../llm';
import { systemClock } from '../../platform';
import { dialectOf, readChunks } from '../dialects/dialects';
import type { ExchangeRequest, FinishedAnswer } from '../exchange';
import { createForward, type Forward } from '../proxy/forward';
import type { VerificationState } from './deps';
import {
  bufferAnswer,
  stillConnected,
  providerAt,
  prompts,
  requestBody,
  testDeps,
  testRequest,
  testRoute,
  type TestRecord,
} from './verify-fixture';
import { createFinishAnswer } from './finish-answer';
import { createJudge, type VerifierCall } from './judge';

let main: ScriptedLlm;
let verifier: ScriptedLlm;
let forward: Forward;
let connections: ModelConnections;
let asked: VerifierCall[] = [];

beforeAll(async () => {
  [main, verifier] = await Promise.all([startScriptedLlm(), startScriptedLlm()]);
  const policy = { allow: new Set([main, verifier].map(({ origin }) => new URL(origin).host)) };
  forward = createForward(policy);
  connections = createModelConnections(policy);
});
afterEach(() => {
  main.answerWith(null);
  verifier.answerWith(null);
  asked = [];
});
afterAll(async () => {
  await Promise.all([forward?.close(), connections?.close()]);
  await Promise.all([main?.close(), verifier?.close()]);
});

const note =
  'The disk was never measured. Call the tool disk for web-1 first, then answer with what it shows.';
const steers = `<steering>${note}</steering>`;
const passes = '<status>NO_STEERING_NEEDED</status>';
const shouldVerify: VerificationState = {
  shouldVerify: true,
  breakerOpen: false,
  counter: 10_000,
  retries: 0,
};

interface Case {
  readonly dialect: GatewayDialect;
  readonly stream: boolean;
}
const cases: readonly Case[] = (['chat', 'responses', 'messages'] as const).flatMap((dialect) => [
  { dialect, stream: false },
  { dialect, stream: true },
]);

function requestOf(
  { dialect, stream }: Case,
  settings: Readonly<Record<string, unknown>> = {},
  more: Partial<ExchangeRequest> = {},
): ExchangeRequest {
  const upstream = providerAt('main', dialect === 'messages' ? 'anthropic' : 'openai', main);
  const judge = providerAt('judge', 'openai', verifier);
  const route = testRoute({
    settings: { quality_verifier: { model: 'judge:gpt-4o-mini', control_share: 0 }, ...settings },
    upstream,
    providers: [judge],
  });
  return testRequest(route, dialect, requestBody(dialect, stream), more);
}

/** Queues upstream replies, buffers the first, and verifies it. */
async function finish(
  request: ExchangeRequest,
  verdicts: readonly string[],
  pieces: readonly ScriptedReply[],
  state: VerificationState = shouldVerify,
  left: AbortSignal = stillConnected,
): Promise<{ finished: FinishedAnswer; recorded: TestRecord; original: readonly Buffer[] }> {
  const replies = [...verdicts];
  verifier.answerWith(() => ({ text: replies.shift() ?? 'nothing more to say' }));
  main.queue(...pieces);
  const { deps, recorded } = testDeps({ callUpstream: (each) => forward.callUpstream(each) });
  const allDeps = {
    ...deps,
    judge: createJudge({ clock: systemClock, log: deps.log }, connections, (call) =>
      asked.push(call),
    ),
  };
  const answer = await bufferAnswer(request, forward.callUpstream(request));
  const finished = await createFinishAnswer(allDeps)(request, answer, state, left);
  return { finished, recorded, original: answer.chunks };
}

const textIn = (
  { finished }: { finished: FinishedAnswer },
  { dialect }: Case,
): string | undefined =>
  readChunks(dialectOf(dialect), finished.answer.chunks, finished.answer.form)?.text;
const outcomes = ({ events }: TestRecord): string[] =>
  events.map((event) => event.split(' ')[0] ?? '');

describe.each(cases)('$dialect stream=$stream', (kind) => {
  test('QV-9 QV-15 QV-16 QV-25 a pass delivers the original bytes and resets the counter', async () => {
    const request = requestOf(kind);
    const end = await finish(request, [passes], [{ text: 'web-1 is nearly full.' }]);
    expect(end.finished.outcome).toMatchObject({
      verdict: 'passed',
      reason: null,
      verificationId: expect.stringMatching(/^ver_/),
    });
    expect(Buffer.concat([...end.finished.answer.chunks])).toEqual(
      Buffer.concat([...end.original]),
    );
    expect(end.finished.episode).toMatchObject({ decision: 'pass', calls: 1, steer: null });
    expect(end.recorded.events).toEqual([
      `reset prj_1 ${request.sessionId}`,
      'breaker judge:gpt-4o-mini ok',
    ]);
    expect(asked).toMatchObject([
      {
        projectId: 'prj_1',
        verdictId: end.finished.outcome.verificationId,
        provider: 'judge',
        attempt: 1,
      },
    ]);
  });

  test('QV-26 QV-27 QV-29 a steered answer is regenerated in the same mode with the note as the last private message, and only the new answer goes out', async () => {
    const before = verifier.calls.length;
    const end = await finish(
      requestOf(kind),
      [steers],
      [{ text: 'It is at 91%.' }, { text: 'I must look first.' }],
    );
    expect(end.finished.outcome.verdict).toBe('steered');
    expect(textIn(end, kind)).toBe('I must look first.');
    const delivered = Buffer.concat([...end.finished.answer.chunks]).toString();
    expect(delivered).not.toContain('It is at 91%.');
    expect(delivered).not.toMatch(/steering|never measured/i);
    const regenerated = main.requests.at(-1) ?? {};
    expect(regenerated.stream === true).toBe(kind.stream);
    expect(lastMessage(regenerated, kind.dialect)).toBe(
      `Private guidance for your next answer, never to be mentioned: ${note}`,
    );
    expect(end.finished.episode?.steer).toMatchObject({
      state: 'applied',
      other_answer: 'It is at 91%.',
      problem: null,
    });
    // One judge call, one reset, one outcome: the regeneration is neither counted nor verified.
    expect(verifier.calls.length).toBe(before + 1);
    expect(outcomes(end.recorded)).toEqual(['reset', 'breaker']);
  });

  test.each([
    ['an error', 'recall_failed', { fault: { kind: 'status', status: 500 } }],
    ['a lost connection', 'recall_failed', { fault: { kind: 'reset' } }],
    ['an empty answer', 'recall_empty', { text: '' }],
    ['an answer that repeats the note', 'recall_failed', { text: `As instructed: ${note}` }],
    [
      'an answer with a tag of the verifier',
      'recall_failed',
      { text: '<steering>look first</steering>' },
    ],
  ] as const)(
    'QV-28 QV-29 QV-32 the regenerated answer is %s: the original goes out, once',
    async (_name, state, reply) => {
      const end = await finish(requestOf(kind), [steers], [{ text: 'It is at 91%.' }, reply]);
      expect(end.finished.outcome.verdict).toBe('flagged');
      expect(Buffer.concat([...end.finished.answer.chunks])).toEqual(
        Buffer.concat([...end.original]),
      );
      expect(end.finished.episode?.steer).toMatchObject({ state, problem: expect.any(String) });
      expect(end.finished.recheck).toBeNull();
      expect(outcomes(end.recorded)).toEqual(['reset', 'breaker']);
    },
  );

  test('QV-20 QV-25 QV-32 QV-35 two unreadable replies are verifier_failed, never a pass: the original, a reset, one failure', async () => {
    const end = await finish(
      requestOf(kind),
      ['fine, I think', 'still fine'],
      [{ text: 'It is at 91%.' }],
    );
    expect(end.finished.outcome).toMatchObject({ verdict: 'unavailable', reason: 'error' });
    expect(Buffer.concat([...end.finished.answer.chunks])).toEqual(
      Buffer.concat([...end.original]),
    );
    expect(end.finished.episode).toMatchObject({
      decision: 'verifier_failed',
      calls: 2,
      problem: expect.any(String),
    });
    expect(outcomes(end.recorded)).toEqual(['reset', 'breaker']);
    expect(end.recorded.events[1]).toContain('failed');
  });

  test('QV-11 QV-16 a blank text is not verified: no call, no reset', async () => {
    const before = verifier.calls.length;
    const end = await finish(requestOf(kind), [], [{ text: '  \n' }]);
    expect(end.finished.outcome).toEqual({
      verdict: 'not_verified',
      reason: 'empty_text',
      verificationId: null,
    });
    expect([end.finished.episode, end.recorded.events, verifier.calls.length]).toEqual([
      null,
      [],
      before,
    ]);
  });

  test('QV-11 QV-16 an answer of only tool calls has no text', async () => {
    const toolCalls = [{ id: 'tc1', name: 'disk', arguments: '{"host":"web-1"}' }];
    const end = await finish(requestOf(kind), [], [{ toolCalls }]);
    expect(end.finished.outcome.reason).toBe('empty_text');
    expect(end.recorded.events).toEqual([]);
  });

  test('QV-13 with an open circuit nothing is verified or reset', async () => {
    const end = await finish(requestOf(kind), [], [{ text: 'It is at 91%.' }], {
      ...shouldVerify,
      breakerOpen: true,
    });
    expect(end.finished.outcome).toEqual({
      verdict: 'not_verified',
      reason: 'circuit_open',
      verificationId: null,
    });
    expect(end.recorded.events).toEqual([]);
    expect(end.recorded.logged).toMatchObject([{ skipped: 'circuit_open' }]);
  });
});

function lastMessage(body: Record<string, unknown>, dialect: GatewayDialect): unknown {
  if (dialect === 'messages') {
    const { system } = body;
    return Array.isArray(system) ? (system.at(-1) as { text: unknown }).text : system;
  }
  const list = (dialect === 'chat' ? body.messages : body.input) as {
    role: string;
    content: unknown;
  }[];
  const last = list.at(-1);
  expect(last?.role).toBe('system');
  return last?.content;
}

const chat = { dialect: 'chat', stream: true } as const;

test('QV-32 a verifier that is down, or late with its first token, leaves the original', async () => {
  const request = requestOf(chat, {
    quality_verifier: { model: 'judge:gpt-4o-mini', ttft_timeout_seconds: 0.2 },
  });
  for (const fault of [
    { kind: 'status', status: 503 },
    { kind: 'hang' },
    { kind: 'reset' },
  ] as const) {
    const promise = finish(request, [], [{ text: 'It is at 91%.' }]);
    verifier.answerWith(() => ({ fault }));
    const end = await promise;
    expect(end.finished.outcome, fault.kind).toMatchObject({
      verdict: 'unavailable',
      reason: 'error',
    });
    expect(end.finished.episode?.decision).toBe('verifier_failed');
    expect(outcomes(end.recorded)).toEqual(['reset', 'breaker']);
  }
});

test('QV-15 at the total deadline the original goes out, and the verification has failed', async () => {
  const request = requestOf(chat, { total_seconds: 0.3 });
  const promise = finish(request, [], [{ text: 'It is at 91%.' }]);
  verifier.answerWith(() => ({ fault: { kind: 'hang' } }));
  const end = await promise;
  expect(end.finished.outcome).toMatchObject({ verdict: 'unavailable', reason: 'error' });
  expect(textIn(end, chat)).toBe('It is at 91%.');
  expect(outcomes(end.recorded)).toEqual(['reset', 'breaker']);
});

test('QV-28 an incomplete regenerated answer is dropped: only the original goes out', async () => {
  const promise = finish(
    requestOf(chat),
    [steers],
    [{ text: 'It is at 91%.' }, { fault: { kind: 'early_close' } }],
  );
  const end = await promise;
  expect(end.finished.outcome.verdict).toBe('flagged');
  expect(textIn(end, chat)).toBe('It is at 91%.');
});

test('QV-37 without a provider in its name the verifier uses the call’s upstream and the client’s key', async () => {
  const upstream = providerAt('main', 'openai', main);
  const route = {
    ...testRoute({ settings: { quality_verifier: { model: 'gpt-4o-mini' } }, upstream }),
    provider: null,
  };
  const seen: ScriptedCall[] = [];
  const request = testRequest(
    { ...route, project: { ...route.project, providers: [] } },
    'chat',
    requestBody('chat', false),
    {
      headers: ['authorization', 'Bearer sk-of-the-client'],
    },
  );
  main.answerWith((call) => {
    seen.push(call);
    return { text: textOf(call.body).includes(prompts.verifier.text) ? passes : 'It is at 91%.' };
  });
  const { deps } = testDeps({ callUpstream: (each) => forward.callUpstream(each) });
  const judge = createJudge({ clock: systemClock, log: deps.log }, connections, (call) =>
    asked.push(call),
  );
  const answer = await bufferAnswer(request, forward.callUpstream(request));
  const finished = await createFinishAnswer({ ...deps, judge })(
    request,
    answer,
    shouldVerify,
    stillConnected,
  );
  expect(finished.outcome.verdict).toBe('passed');
  expect(seen.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer sk-of-the-client',
    'Bearer sk-of-the-client',
  ]);
});

test('a recheck of the delivered answer shows whether the note fixed it', async () => {
  const end = await finish(
    requestOf(chat),
    [steers, passes],
    [{ text: 'It is at 91%.' }, { text: 'I must look first.' }],
  );
  const episode = await end.finished.recheck?.();
  expect(episode?.steer).toMatchObject({
    state: 'applied',
    after: { decision: 'pass' },
    unsourced_before: 1,
    unsourced_after: 0,
  });
  expect(textOf(verifier.requests.at(-1) ?? {})).toContain('I must look first.');
});
