import { describe, expect, test } from 'vitest';
import type { UndeliveredVerdict } from '../../verdicts';
import type { FinishedAnswer } from '../exchange';
import type { TurnVerifier, VerificationDeps } from './deps';
import { createFinishAnswer } from './finish-answer';
import {
  chatAnswer,
  requestBody,
  stillConnected,
  testDeps,
  testRequest,
  testRoute,
  type TestRecord,
} from './verify-fixture';

const settled: UndeliveredVerdict = { outcome: 'passed', feedback: null, advisory: null };
const failed: UndeliveredVerdict = {
  outcome: 'failed',
  feedback: 'Name a source.',
  advisory: null,
};

interface Given {
  readonly mode?: 'hold' | 'steer';
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly verdict?: UndeliveredVerdict | null;
  readonly verifier?: Partial<TurnVerifier>;
  readonly deps?: Parameters<typeof testDeps>[0];
  readonly answer?: ReturnType<typeof chatAnswer>;
  readonly shouldVerify?: boolean;
  readonly signal?: AbortSignal;
}

interface Finished {
  readonly finished: FinishedAnswer;
  readonly recorded: TestRecord;
  readonly started: readonly Parameters<TurnVerifier['start']>[1][];
}

async function finish({
  mode = 'hold',
  settings = {},
  verdict = settled,
  verifier = {},
  deps: more = {},
  answer = chatAnswer('It is 91% full.'),
  shouldVerify = false,
  signal = stillConnected,
}: Given): Promise<Finished> {
  const started: Parameters<TurnVerifier['start']>[1][] = [];
  const turnVerifier: TurnVerifier = {
    start(_project, input) {
      started.push(input);
      return Promise.resolve({ state: 'started', verdictId: 'ver_route' });
    },
    verdictOf: () => Promise.resolve(verdict),
    ...verifier,
  };
  const { deps, recorded } = testDeps({ turnVerifier, ...more });
  const verify = { verifier: 'refunds', mode, frequency: 1 };
  const route = testRoute({ settings: { verify, integrity: { mode: 'off' }, ...settings } });
  const request = testRequest(route, 'chat', requestBody('chat', false));
  const state = { shouldVerify, breakerOpen: false, routeShouldVerify: true };
  const finished = await createFinishAnswer(deps)(request, answer, state, signal);
  return { finished, recorded, started };
}

const answersWith = (text: string): VerificationDeps['callUpstream'] => {
  const { chunks } = chatAnswer(text);
  return () => () =>
    Promise.resolve({ state: 'answered', status: 200, contentType: 'application/json', chunks });
};

test.each([
  ['passed', 'passed', null],
  ['failed', 'flagged', null],
  ['needs_review', 'flagged', null],
  ['inconclusive', 'unavailable', 'error'],
  ['skipped', 'unavailable', 'error'],
] as const)('a verdict %s is delivered as %s, with its id', async (outcome, verdict, reason) => {
  const { finished, recorded } = await finish({ verdict: { ...settled, outcome } });
  expect(finished.outcome).toEqual({ verdict, reason, verificationId: 'ver_route' });
  expect(finished.routed).toMatchObject({
    isOpen: false,
    verification: { verifier: 'refunds', verdict_id: 'ver_route', verdict, steer: null },
  });
  expect(recorded.events).toEqual([expect.stringMatching(/^reset prj_1 {2}verify session-/)]);
});

test('the verifier reads the turn as the recorder will store it', async () => {
  const { started } = await finish({});
  const [{ verifier, turn } = { verifier: '', turn: null }] = started;
  expect(verifier).toBe('refunds');
  expect(turn).toMatchObject({ id: expect.stringMatching(/^call_/), source: 'gateway' });
  expect(JSON.parse(turn?.payload ?? '')).toMatchObject({
    id: turn?.id,
    output: 'It is 91% full.',
    input: [
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'How full is web-1?' },
    ],
    metadata: { gateway_route: 'main' },
  });
});

describe('without a verdict in time the answer is delivered as unavailable', () => {
  test.each<[string, Partial<TurnVerifier>, string | null, boolean]>([
    ['no worker made one', { verdictOf: () => Promise.resolve(null) }, 'ver_route', false],
    [
      'it cannot be read',
      { start: () => Promise.resolve({ state: 'refused', problem: 'archived' }) },
      null,
      true,
    ],
    ['PostgreSQL failed', { start: () => Promise.reject(new Error('down')) }, null, true],
    [
      'PostgreSQL failed while waiting',
      { verdictOf: () => Promise.reject(new Error('down')) },
      'ver_route',
      false,
    ],
    ['the start hangs', { start: () => new Promise(() => undefined) }, null, false],
    ['the wait hangs', { verdictOf: () => new Promise(() => undefined) }, 'ver_route', false],
  ])('%s', async (_why, verifier, id, isOpen) => {
    const { finished } = await finish({ verifier, settings: { total_seconds: 0.05 } });
    expect(finished.outcome).toEqual({
      verdict: 'unavailable',
      reason: 'error',
      verificationId: id,
    });
    expect(finished.answer.read.text).toBe('It is 91% full.');
    expect(finished.routed).toMatchObject({ isOpen, verification: { verdict_id: id } });
  });

  test('after a disconnect the verification stays due', async () => {
    const { recorded } = await finish({ verdict: null, signal: AbortSignal.abort() });
    expect(recorded.events).toEqual([]);
  });
});

test.each([
  ['empty text', chatAnswer(''), 'empty_text'],
  [
    'a tool call',
    chatAnswer('I look.', {
      tool_calls: [{ id: 't', type: 'function', function: { name: 'disk', arguments: '{}' } }],
    }),
    'not_due',
  ],
])('an answer with %s is not eligible and resets nothing', async (_what, answer, reason) => {
  const { finished, recorded, started } = await finish({ answer });
  expect(finished.outcome).toEqual({ verdict: 'not_verified', reason, verificationId: null });
  expect([finished.routed, started, recorded.events]).toEqual([null, [], []]);
});

test('a turn that is too long is delivered unverified, and verified after delivery', async () => {
  const { finished, started } = await finish({ answer: chatAnswer('long '.repeat(200_000)) });
  expect(finished.outcome).toMatchObject({ verdict: 'unavailable', reason: 'overflow' });
  expect([finished.routed?.isOpen, started]).toEqual([true, []]);
});

describe('steer', () => {
  test('the feedback replaces the answer, and the new answer is open', async () => {
    const callUpstream = answersWith('It is 91% full, by df.');
    const { finished } = await finish({ mode: 'steer', verdict: failed, deps: { callUpstream } });
    expect(finished.outcome).toEqual({
      verdict: 'steered',
      reason: null,
      verificationId: 'ver_route',
    });
    expect(finished.answer.read.text).toBe('It is 91% full, by df.');
    expect(finished.routed).toMatchObject({
      isOpen: true,
      verification: { steer: { state: 'applied', other_answer: 'It is 91% full.' } },
    });
  });

  test.each([
    ['hold', failed],
    ['steer', { ...failed, feedback: null }],
    ['steer', settled],
  ] as const)('%s: nothing is regenerated without a reason', async (mode, verdict) => {
    const { finished } = await finish({ mode, verdict, deps: { callUpstream: answersWith('x') } });
    expect(finished.answer.read.text).toBe('It is 91% full.');
    expect(finished.routed?.verification.steer).toBeNull();
  });

  test('a verifier without authority only flags', async () => {
    const verdict = { ...failed, advisory: 'Its trust is unmeasured.' };
    const { finished } = await finish({ mode: 'steer', verdict });
    expect(finished.outcome.verdict).toBe('flagged');
    expect(finished.routed?.verification.steer).toMatchObject({
      state: 'not_qualified',
      problem: 'Its trust is unmeasured.',
    });
  });

  test('the original is delivered if the new answer failed', async () => {
    const { finished } = await finish({ mode: 'steer', verdict: failed });
    expect(finished.outcome.verdict).toBe('flagged');
    expect(finished.routed).toMatchObject({
      isOpen: false,
      verification: { steer: { state: 'recall_failed' } },
    });
  });

  test('an answer that the Quality Verifier replaced is not replaced again', async () => {
    const { finished } = await finish({
      mode: 'steer',
      verdict: failed,
      shouldVerify: true,
      settings: { quality_verifier: { model: 'judge:gpt-4o-mini', control_share: 0 } },
      deps: {
        callUpstream: answersWith('It was measured: 91%.'),
        judgeCalls: [{ decision: 'steer', note: 'Measure first.' }],
      },
    });
    expect(finished.answer.read.text).toBe('It was measured: 91%.');
    expect(finished.episode?.steer?.state).toBe('applied');
    expect(finished.routed?.verification).toMatchObject({ verdict: 'flagged', steer: null });
    // The id is that of the judge call, under which its verdict is planned.
    expect(finished.outcome.verdict).toBe('flagged');
    expect(finished.outcome.verificationId).not.toBe('ver_route');
  });
});
