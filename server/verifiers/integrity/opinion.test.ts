import { describe, expect, test } from 'vitest';
import { type Ask, IntegrityDetail, type PromptText } from '../../domain';
import { walkPlan } from '../walk';
import { resolveThresholds } from '../../thresholds';
import type { RunSetting } from '../kind';
import { IntegrityConfig, integrity, type IntegritySubject } from './index';
import { OPINION_PROMPT } from './opinion';
import { undecidedStatements } from './undecided';

const left = (output: string, envelope: unknown = null) =>
  undecidedStatements({ output, envelope }).statements.map(({ text }) => text);

test.each([
  ['The disk of web-1 is at 91.4%.', []],
  ['Sales rose to 91.4 in May.', ['Sales rose to 91.4 in May.']],
  ['Sales were 12. They doubled. It is 24 now.', ['They doubled.']],
  ['It was 31 °C, the highest since 2003.', ['It was 31 °C, the highest since 2003.']],
  ['Berlin is the capital of Germany.', ['Berlin is the capital of Germany.']],
  ['# Result\n\nHow can I help?\n\n- web-1: 91.4%\n- web-2: idle', ['web-2: idle']],
  ['', []],
])('statements that figures do not decide: %j', (answer, expected) => {
  expect(left(answer)).toEqual(expected);
});

test('of an envelope its answer is read, and places are code points', () => {
  const answer = '𝒳 is 12. Sales fell.';
  expect(undecidedStatements({ output: '', envelope: { answer, facts: [] } }).statements).toEqual([
    { text: 'Sales fell.', start: 9, end: 20 },
  ]);
});

const prompt: PromptText = {
  version: 'integrity-opinion@0',
  text: '{{query}}\n{{outputs}}\n{{answer}}\n{{claims}}\n{{format}}',
  examples: [],
};
const subject = (over: Partial<IntegritySubject> = {}): IntegritySubject => ({
  output: 'Sales were 12 in May. Sales fell after that.',
  envelope: null,
  sources: [
    {
      id: 't1',
      label: 'sales',
      format: 'text',
      text: 'May: sales 12\nJune: sales 9, which is a fall',
    },
  ],
  userText: ['How are sales?'],
  repromptUsed: false,
  ...over,
});

/** A judge whose reply has the entry of `claims` for each statement, in the requested format. */
const judge =
  (
    claims: readonly { supported_by: readonly number[]; quote: string }[],
    asked: string[] = [],
  ): Ask =>
  (request) => {
    const text = JSON.stringify(request);
    asked.push(text);
    const nonce = /code ([0-9A-Za-z-]{6,})/.exec(text)?.[1] ?? '';
    const reply = {
      nonce,
      reasoning: 'read',
      claims: claims.map((claim, i) => ({ claim: i + 1, reasoning: 'as the rows say', ...claim })),
      coherence_reasoning: 'x',
      coherence: 5,
      completeness_reasoning: 'x',
      completeness: 5,
      missing: [],
      confidence: 0.9,
    };
    const usage = {
      provider: 'p',
      model: 'judge',
      inputTokens: 100,
      outputTokens: 20,
      costUsd: 0.02,
      latencyMs: 1,
      calls: 1,
    };
    return Promise.resolve({ state: 'answered', text: JSON.stringify(reply), usage });
  };
const down: Ask = () =>
  Promise.resolve({
    state: 'failed',
    errorClass: 'breaker_open',
    message: 'down',
    retryAfterMs: 60_000,
    usage: {
      provider: 'p',
      model: 'judge',
      inputTokens: 0,
      outputTokens: 0,
      costUsd: 0,
      latencyMs: 1,
      calls: 0,
    },
  });

async function verdictOf(
  mode: string,
  ask: Ask | null,
  given = subject(),
  judges: readonly string[] = ['p:judge'],
) {
  const config = IntegrityConfig.parse({ second_opinion: mode });
  const setting: RunSetting<IntegrityConfig> = {
    config,
    thresholds: resolveThresholds({ verifier: 'integrity', missionId: null, taskId: null }, []),
    retries: { used: 0, budget: 2 },
    prompts: new Map([[OPINION_PROMPT, prompt]]),
    judges,
    fallbackJudges: [],
    whyNone: judges.length === 0 ? 'no provider' : null,
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
  };
  const plan = integrity.plan(given, setting);
  const context = { now: () => 0, signal: new AbortController().signal, ...(ask && { ask }) };
  const walk = await walkPlan(plan, context);
  const decided = integrity.decide(walk, given, setting);
  const score = walk.scores.at(-1);
  const detail = IntegrityDetail.parse(decided.detail);
  return { decided, score, asked: decided.judgeCost, cost: plan.at(-1)?.cost, detail };
}

describe('the second opinion', () => {
  const supported = judge([{ supported_by: [1], quote: 'June: sales 9, which is a fall' }]);
  const unsupported = judge([{ supported_by: [], quote: '' }]);
  const invented = judge([{ supported_by: [1], quote: 'sales went down' }]);

  test.each([
    ['report', supported, 'sourced', { state: 'scored', value: 1, met: true }],
    ['report', unsupported, 'sourced', { state: 'scored', value: 0, met: false }],
    ['report', invented, 'sourced', { state: 'scored', value: 0, met: false }],
    ['report', down, 'sourced', { state: 'failed', value: null, met: null }],
    ['decides', supported, 'sourced', { state: 'scored', value: 1, met: true }],
    ['decides', unsupported, 'unsourced', { state: 'scored', value: 0, met: false }],
    ['decides', invented, 'unsourced', { state: 'scored', value: 0, met: false }],
    ['decides', down, null, { state: 'failed', value: null, met: null }],
  ])('%s: the verdict and the score of the node', async (mode, ask, verdict, score) => {
    const found = await verdictOf(mode, ask);
    expect(found.decided.verdict).toBe(verdict);
    expect(found.score).toMatchObject({ evaluator: 'judges.opinion@1', weight: 0, ...score });
    expect(found.detail.second_opinion?.decides).toBe(mode === 'decides');
  });

  test('its cost is counted, on the node and for the verdict', async () => {
    const { score, asked, detail } = await verdictOf('report', supported);
    expect(score).toMatchObject({
      cost_usd: 0.02,
      model: 'p/judge',
      prompt_version: 'integrity-opinion@0',
    });
    expect(asked).toMatchObject({
      calls: 1,
      tokens: 120,
      costUsd: 0.02,
      model: 'p/judge',
      retryAfterMs: null,
    });
    expect(detail.second_opinion).toMatchObject({
      state: 'judged',
      statements: [
        { text: 'Sales fell after that.', start: 22, end: 44, supported: true, sources: ['t1'] },
      ],
    });
  });

  test('an unsupported statement is an issue with its place, and goes into the feedback', async () => {
    const { decided, score } = await verdictOf('decides', unsupported);
    expect(score?.reasoning).toContain(
      '0 of 1 statements that figures do not decide rest on a source; not supported: “Sales fell after that.”',
    );
    expect(decided).toMatchObject({
      action: 'retry',
      issues: [{ code: 'unsupported_statement', path: 'output:22-44' }],
    });
    expect(decided.feedback).toContain('- Sales fell after that.');
    const again = await verdictOf('decides', unsupported, subject({ repromptUsed: true }));
    expect(again.decided.action).toBe('accept_with_warning');
  });

  test.each(['report', 'decides'])(
    '%s: no judge is called if figures decide every statement',
    async (mode) => {
      const asked: string[] = [];
      const found = await verdictOf(
        mode,
        judge([], asked),
        subject({ output: 'Sales were 12 in May.' }),
      );
      expect([asked, found.cost, found.decided.verdict]).toEqual([[], 0, 'sourced']);
      expect(found.score).toMatchObject({
        state: 'unscored',
        reasoning: 'no judge was asked: figures decide every statement',
      });
    },
  );

  test.each([
    ['report', 'sourced'],
    ['decides', null],
  ])(
    '%s: without a judge, and with more statements than one can read, nothing passes for judged',
    async (mode, verdict) => {
      const none = await verdictOf(mode, null, subject(), []);
      expect([none.cost, none.decided.verdict]).toEqual([0, verdict]);
      expect(none.score).toMatchObject({
        state: 'failed',
        reasoning: 'no judge can be asked: no provider',
      });
      const output = Array.from(
        { length: 81 },
        (_, i) => `Host ${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10)]} is idle.`,
      ).join(' ');
      const many = await verdictOf(mode, supported, subject({ output }));
      expect([many.cost, many.decided.verdict, many.score?.state]).toEqual([
        0,
        verdict,
        'unscored',
      ]);
    },
  );

  test('a wrong figure stays unsourced whatever the judge answers', async () => {
    const output = 'Sales were 15 in May. Sales fell after that.';
    for (const ask of [supported, unsupported, down]) {
      expect((await verdictOf('decides', ask, subject({ output }))).decided.verdict).toBe(
        'unsourced',
      );
    }
  });
});
