import { describe, expect, test } from 'vitest';
import { type AttemptContext, injectFeedback } from './index';
import { type Answer, scriptedClient, verdictOf } from './scripted-verdicts';

/** The loop of a checkpoint, against a scripted server. */

/** A client whose verdicts come in this order, and a generator that records its contexts. */
function setUp(verdicts: readonly (string | Answer)[], kind = 'decomposition') {
  const left = [...verdicts];
  const { assay, sent } = scriptedClient(() => {
    const next = left.shift() ?? new Error('no more answers');
    return typeof next === 'string' ? verdictOf(kind, next) : next;
  });
  const contexts: AttemptContext[] = [];
  const generate = (context: AttemptContext) => {
    contexts.push(context);
    return { draft: context.attempt };
  };
  return {
    assay,
    sent,
    contexts,
    generate,
    body: (value: object) => ({ query: 'q', decomposition: value }),
  };
}

describe('the loop', () => {
  test.each([
    ['SOAR-7 the third attempt may pass', ['RETRY', 'RETRY', 'PASS'], 2, 'passed', 3],
    ['SOAR-6 the third attempt fails', ['RETRY', 'RETRY', 'FAIL'], 2, 'failed', 3],
    ['SOAR-9 FAIL is not retried', ['FAIL'], 2, 'failed', 1],
    ['the first attempt passes', ['PASS'], 2, 'passed', 1],
    [
      'X-3 a missing verdict is not retried, and is not a pass',
      ['inconclusive'],
      2,
      'inconclusive',
      1,
    ],
    [
      'X-4 its own budget ends it before the budget of the server',
      ['RETRY', 'RETRY'],
      1,
      'failed',
      2,
    ],
    ['a budget of none', ['RETRY'], 0, 'failed', 1],
  ] as const)('%s', async (_, verdicts, budget, state, attempts) => {
    const { assay, sent, generate, body } = setUp(verdicts);
    const result = await assay.checkpoint('decomposition', { generate, body, budget });
    expect(result).toMatchObject({
      state,
      accepted: state === 'passed',
      value: { draft: attempts },
      error: null,
    });
    expect(result.attempts.map(({ value }) => value.draft)).toEqual([1, 2, 3].slice(0, attempts));
    expect(sent).toHaveLength(attempts);
  });

  test('SOAR-8 SOAR-12 each attempt receives the previous feedback, bypasses the cache, and is counted from 0', async () => {
    const { assay, sent, contexts, generate, body } = setUp(['RETRY', 'RETRY', 'PASS']);
    const { traceId, attempts } = await assay.checkpoint('decomposition', { generate, body });
    const feedback = 'PREVIOUS ATTEMPT FEEDBACK:\ntoo thin';
    expect(contexts).toMatchObject([
      { attempt: 1, retriesUsed: 0, feedback: null, previous: null, bypassCache: false },
      { attempt: 2, retriesUsed: 1, feedback, previous: { draft: 1 }, bypassCache: true },
      { attempt: 3, retriesUsed: 2, feedback, previous: { draft: 2 }, bypassCache: true },
    ]);
    expect(attempts.map((each) => each.feedback)).toEqual([feedback, feedback, null]);
    expect(sent.map(({ body: { retries_used } }) => retries_used)).toEqual([0, 1, 2]);
    expect(new Set(sent.map(({ body: { trace_id } }) => trace_id))).toEqual(new Set([traceId]));
    expect(new Set(sent.map(({ body: { id } }) => id)).size).toBe(3);
  });

  test('X-4 X-10 each call has its own counter, and attempts have the caller’s ids if it gives one', async () => {
    const { assay, sent, generate, body } = setUp(['RETRY', 'PASS', 'RETRY', 'PASS']);
    await assay.checkpoint('decomposition', {
      generate,
      body,
      id: 'plan',
      traceId: 't',
      budget: 1,
    });
    await assay.checkpoint('synthesis', { generate, body, id: 'answer', traceId: 't', budget: 1 });
    expect(
      sent.map(({ path, body: { id, retries_used, trace_id } }) => [
        path,
        id,
        retries_used,
        trace_id,
      ]),
    ).toEqual([
      ['/v1/verify/decomposition', 'plan-1', 0, 't'],
      ['/v1/verify/decomposition', 'plan-2', 1, 't'],
      ['/v1/verify/synthesis', 'answer-1', 0, 't'],
      ['/v1/verify/synthesis', 'answer-2', 1, 't'],
    ]);
  });

  test('SOAR-22 a failed synthesis returns a substitute', async () => {
    const fallback = {
      warning: 'not verified',
      reason: 'unsupported',
      agent_outputs: [{ id: 'o1' }],
    };
    const { assay, generate, body } = setUp([
      verdictOf('synthesis', 'FAIL', { fallback, warning: 'invented' }),
    ]);
    expect(await assay.checkpoint('synthesis', { generate, body })).toMatchObject({
      state: 'failed',
      fallback,
      warning: 'invented',
    });
  });
});

describe('work that is not accepted always has a warning', () => {
  const issues = [
    { code: 'output_shortened', message: 'cut', severity: 'low', path: null },
    { code: 'no_judge', message: 'No judge can be asked', severity: 'high', path: null },
  ];
  const withIssues = (verdict: string, more: object = {}): Answer => {
    const answer = verdictOf('decomposition', verdict);
    return answer instanceof Error
      ? answer
      : { ...answer, body: { ...(answer.body as object), issues, ...more } };
  };
  test.each([
    [
      'X-3 undecided work',
      withIssues('inconclusive'),
      2,
      'inconclusive',
      'It could not be decided: No judge can be asked',
    ],
    ['X-3 the same without issues', 'inconclusive', 2, 'inconclusive', 'It could not be decided'],
    [
      'work that a person must review',
      withIssues('inconclusive', { outcome: 'needs_review' }),
      2,
      'inconclusive',
      'A person must decide on it: No judge can be asked',
    ],
    [
      'X-4 a RETRY that a budget of none ended',
      withIssues('RETRY'),
      0,
      'failed',
      'It was not accepted, and its budget of 0 retries is used up: No judge can be asked',
    ],
    [
      'X-4 the same with no more than feedback',
      'RETRY',
      0,
      'failed',
      'It was not accepted, and its budget of 0 retries is used up: too thin',
    ],
    ['a FAIL without feedback', 'FAIL', 2, 'failed', 'It was not accepted'],
  ] as const)('%s', async (_, verdict, budget, state, warning) => {
    const { assay, generate, body } = setUp([verdict]);
    expect(await assay.checkpoint('decomposition', { generate, body, budget })).toMatchObject({
      state,
      accepted: false,
      warning,
    });
  });

  test('X-4 a budget of one', async () => {
    const one = setUp(['RETRY', 'RETRY']);
    expect((await one.assay.checkpoint('decomposition', { ...one, budget: 1 })).warning).toContain(
      'its budget of 1 retry is used up',
    );
  });
});

describe('failures', () => {
  const refused: Answer = {
    status: 422,
    body: { error: { code: 'refused', message: 'no such agent' } },
  };
  test.each([
    ['fail', false],
    ['accept', true],
  ] as const)('no verdict available: %s', async (onUnreachable, accepted) => {
    const { assay, generate, body } = setUp([refused]);
    const result = await assay.checkpoint('decomposition', { generate, body, onUnreachable });
    expect(result).toMatchObject({
      state: 'unreachable',
      accepted,
      verification: null,
      warning: 'It was not verified: no such agent',
      error: { code: 'refused', status: 422 },
    });
  });

  test('a server that does not answer, and one without this API', async () => {
    const { assay, generate, body } = setUp([]);
    expect(
      await assay.checkpoint('decomposition', { generate, body, timeoutMs: 20 }),
    ).toMatchObject({ state: 'unreachable' });
    const other = setUp([{ status: 200, body: { hello: 1 } }]);
    expect(await other.assay.checkpoint('decomposition', other)).toMatchObject({
      state: 'unreachable',
      error: { code: 'unreachable' },
    });
  });

  test('a pending verdict is requested again by the same call, until the timeout', async () => {
    const pending = {
      status: 202,
      body: { id: 'ver_1', state: 'pending', outcome: null, verdict: null, action: 'none' },
    };
    const { assay, sent, generate, body } = setUp([pending, 'PASS']);
    expect(await assay.checkpoint('decomposition', { generate, body })).toMatchObject({
      state: 'passed',
    });
    expect(sent.map(({ body: { id } }) => id)).toEqual([sent[0]?.body.id, sent[0]?.body.id]);
    const slow = setUp([pending]);
    const late = await slow.assay.checkpoint('decomposition', { ...slow, timeoutMs: 100 });
    expect(late).toMatchObject({
      state: 'unreachable',
      accepted: false,
      verification: { id: 'ver_1' },
      error: { code: 'pending' },
    });
  });

  test('an error of the caller’s function is rethrown', async () => {
    const { assay, body } = setUp([]);
    const generate = () => Promise.reject(new Error('out of ideas'));
    await expect(assay.checkpoint('decomposition', { generate, body })).rejects.toThrow(
      'out of ideas',
    );
  });

  test('SOAR-20 an agent that throws produces an output with an error, and is retried', async () => {
    const { assay, sent } = setUp(['RETRY', 'PASS'], 'agent-output');
    let calls = 0;
    const generate = () =>
      calls++ === 0 ? Promise.reject(new Error('no connection')) : { summary: 'done' };
    const result = await assay.checkpoint('agent-output', {
      generate,
      body: (output) => ({ output }),
    });
    expect(sent.map(({ body: { output } }) => output)).toEqual([
      { error: 'no connection' },
      { summary: 'done' },
    ]);
    expect(result).toMatchObject({ state: 'passed', value: { summary: 'done' } });
  });
});

test('SOAR-12 injectFeedback appends the feedback to the prompt, and nothing when there is none', () => {
  expect(injectFeedback('Plan it.', 'PREVIOUS ATTEMPT FEEDBACK:\nx')).toBe(
    'Plan it.\n\nPREVIOUS ATTEMPT FEEDBACK:\nx',
  );
  expect(injectFeedback('Plan it.', null)).toBe('Plan it.');
});
