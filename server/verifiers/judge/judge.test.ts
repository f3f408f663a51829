import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import {
  contextWith,
  plainPrompt,
  type Script,
  scriptedAsk,
  type SeenQuestion,
} from '../../../testing/scripted-judge';
import type { CustomOutput } from '../../evaluators/judges';
import { noJudgeCost, CustomSubject } from '../custom';
import { walkPlan } from '../walk';
import { JudgeConfig } from './definition';
import { JudgeDetail, judgeKind } from './index';
import type { JudgeSetting } from './question';

const policy: CustomOutput = {
  type: 'choice',
  choices: [
    { label: 'follows', value: 1 },
    { label: 'breaks', value: 0 },
    { label: 'unclear', value: null },
  ],
};

interface Given {
  readonly judge?: object;
  readonly prompt?: string;
  readonly thresholds?: Record<string, number>;
  readonly setting?: Partial<JudgeSetting>;
}

function settingOf({ judge, prompt, thresholds = {}, setting }: Given): JudgeSetting {
  return {
    config: JudgeConfig.parse({
      name: 'Refund policy',
      judge: { output: policy, prompt: 'refund-policy', ...judge },
    }),
    thresholds: new Map(
      Object.entries(thresholds).map(([key, value]) => [
        key,
        { value, source: 'project' as const, version: 1 },
      ]),
    ),
    retries: { used: 0, budget: 2 },
    prompts: new Map([
      ['refund-policy', plainPrompt(prompt ?? 'Policy: {{policy}}\nAnswer: {{output}}')],
    ]),
    judges: ['j:one'],
    fallbackJudges: [],
    whyNone: null,
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
    ...setting,
  };
}

const turn = (more: object = {}): CustomSubject =>
  CustomSubject.parse({
    subject: { target: 'turn', input: 'May I return it?', output: 'Within 60 days.', ...more },
    variables: { policy: 'Refunds within 30 days.' },
  });

const answer = ({ nonce }: SeenQuestion, value: unknown, more: object = {}): string =>
  JSON.stringify({
    nonce,
    reasoning: 'It says 60 days.',
    quotes: [],
    answer: value,
    confidence: 0.9,
    ...more,
  });

const says =
  (value: unknown, more: object = {}): Script =>
  (seen) =>
    answer(seen, value, more);

const never: Script = () => {
  throw new Error('no judge may be asked');
};

/**
 * Verifies with a scripted judge; the detail, and the decision under the same thresholds, agree.
 */
async function verify(script: Script, given: Given = {}, subject = turn()) {
  const setting = settingOf(given);
  const { ask, requests } = scriptedAsk(script);
  const walk = await walkPlan(judgeKind.plan(subject, setting), contextWith(ask));
  const decided = judgeKind.decide(walk, subject, setting);
  expect(JudgeDetail.parse(decided.detail)).toEqual(decided.detail);
  const again = judgeKind.rederive?.(JSON.parse(JSON.stringify(decided.basis)))?.(
    setting.thresholds,
  );
  expect(again).toMatchObject({
    verdict: decided.verdict,
    needsHumanReview: decided.needsHumanReview,
  });
  return { decided, walk, requests, setting, outcome: again?.outcome };
}

describe('the value decides', () => {
  it.each<[string, string, string | null, string, number | null, string]>([
    ['follows', 'follows', 'pass', 'accept', 1, 'passed'],
    ['breaks', 'breaks', 'fail', 'retry', 0, 'failed'],
    ['unclear', 'unclear', null, 'none', null, 'inconclusive'],
  ])('%s', async (_name, choice, verdict, action, score, outcome) => {
    const found = await verify(says(choice));
    expect(found.decided).toMatchObject({ verdict, action, score, confidence: 0.9 });
    expect(found.decided.detail).toMatchObject({ output: choice, choice, criteria: [] });
    expect(found.decided.detail.votes).toMatchObject([{ model: 'scripted/one', value: score }]);
    expect(found.outcome).toBe(outcome);
  });

  it('any output and threshold: pass from the threshold up, and no second rule', async () => {
    const mark = fc.integer({ min: 0, max: 10 });
    await fc.assert(
      fc.asyncProperty(mark, fc.integer({ min: 0, max: 10 }), async (given, threshold) => {
        const { decided } = await verify(says(given), {
          judge: { output: { type: 'scale', min: 0, max: 10 } },
          thresholds: { pass_threshold: threshold / 10 },
        });
        expect(decided.score).toBe(given / 10);
        expect(decided.verdict).toBe(given >= threshold ? 'pass' : 'fail');
      }),
      { numRuns: caseCount(200) },
    );
  });

  it('a verdict of low confidence goes to a person', async () => {
    const { decided } = await verify(says('follows', { confidence: 0.2 }));
    expect(decided).toMatchObject({ verdict: 'pass', needsHumanReview: true, action: 'escalate' });
  });

  it('VS-28 a failed verdict has the reasons as feedback', async () => {
    const { decided } = await verify(says('breaks'));
    expect(decided.feedback).toContain('Attempt 1 of 3 failed "Refund policy"');
    expect(decided.feedback).toContain('It says 60 days.');
    expect((await verify(says('follows'))).decided.feedback).toBeNull();
  });
});

describe('criteria', () => {
  const criteria = [
    { name: 'tone', text: 'Is it polite?', weight: 3 },
    { name: 'truth', text: 'Is it true?', must_pass: true },
  ];
  const answers =
    (...given: readonly unknown[]): Script =>
    ({ nonce }) =>
      JSON.stringify({
        nonce,
        criteria: given.map((each, i) => ({
          criterion: i + 1,
          reasoning: `Reason ${i + 1}.`,
          quotes: [],
          answer: each,
        })),
        confidence: 0.9,
      });

  it.each<[string, readonly unknown[], string | null, number | null]>([
    ['all met', [true, true], 'pass', 1],
    ['a part that must pass is not met, whatever the mean', [true, false], 'fail', 0.75],
    ['the mean is below the threshold', [false, true], 'fail', 0.25],
  ])('%s', async (_name, given, verdict, score) => {
    const { decided, walk } = await verify(answers(...given), {
      judge: { output: { type: 'boolean' }, criteria },
    });
    expect(decided).toMatchObject({ verdict, score });
    expect(decided.detail.criteria).toMatchObject([
      { name: 'tone', weight: 3, must_pass: false, met: given[0] },
      { name: 'truth', weight: 1, must_pass: true, met: given[1] },
    ]);
    expect(decided.detail.output).toBeNull();
    expect(walk.scores.map(({ name }) => name)).toEqual([
      'There is something to judge',
      'tone',
      'truth',
    ]);
  });

  it('X-3 one criterion without a value gives no verdict: the mean of the others is another rubric', async () => {
    const { decided } = await verify(answers('follows', 'unclear'), { judge: { criteria } });
    expect(decided).toMatchObject({ verdict: null, score: null, needsHumanReview: false });
    expect(decided.issues.map(({ code }) => code)).toEqual(['no_value']);
  });
});

describe('votes and jury', () => {
  it('calls the same judge once per vote, and a majority decides', async () => {
    const given = ['follows', 'breaks', 'follows'];
    const { decided, requests } = await verify((seen) => answer(seen, given[seen.before]), {
      judge: { votes: 3 },
    });
    expect(requests.map(({ model }) => model)).toEqual(['j:one', 'j:one', 'j:one']);
    expect(decided).toMatchObject({ verdict: 'pass', confidence: 0.6 });
    expect(decided.issues.map(({ code }) => code)).toEqual(['jury_disagreement']);
    expect(decided.judgeCost).toMatchObject({ calls: 3, model: 'scripted/one' });
  });

  it('a tie of a jury is disputed: no verdict, and a person reviews it', async () => {
    const { decided } = await verify(
      ({ request, ...seen }) =>
        answer({ request, ...seen }, request.model === 'j:one' ? 'follows' : 'breaks'),
      { setting: { judges: ['j:one', 'j:two'] } },
    );
    expect(decided).toMatchObject({ verdict: null, score: null, needsHumanReview: true });
    expect(decided.detail.votes.map(({ choice }) => choice)).toEqual(['follows', 'breaks']);
    expect(decided.issues.map(({ code }) => code)).toEqual(['jury_tie']);
  });

  it('an incomplete jury decides, and a person reviews it', async () => {
    const { decided } = await verify(
      (seen) =>
        seen.request.model === 'j:two' ? { errorClass: 'timeout' } : answer(seen, 'follows'),
      { setting: { judges: ['j:one', 'j:two', 'j:three'] } },
    );
    expect(decided).toMatchObject({ verdict: 'pass', needsHumanReview: true });
    expect(decided.issues.map(({ code }) => code)).toEqual(['jury_incomplete']);
  });
});

describe('X-3 a broken judge is never a pass and never a score', () => {
  it.each<[string, Script, Given, string]>([
    ['it fails', () => ({ errorClass: 'timeout' }), {}, 'judge_failed'],
    ['it cannot be read', () => 'no JSON', {}, 'judge_failed'],
    ['it answers out of range', says('perfect'), {}, 'judge_failed'],
    [
      'no model can be called',
      never,
      { setting: { judges: [], whyNone: 'no provider configured' } },
      'no_judge',
    ],
    [
      'its prompt names a variable that nothing fills',
      never,
      { prompt: '{{output}} {{tariff}}' },
      'judge_failed',
    ],
  ])('%s', async (_name, script, given, code) => {
    const { decided, walk, outcome } = await verify(script, given);
    expect(decided).toMatchObject({
      verdict: null,
      score: null,
      needsHumanReview: true,
      toCache: null,
    });
    expect(walk.scores.at(-1)).toMatchObject({ state: 'failed', value: null, met: null });
    expect(decided.issues.map((issue) => issue.code)).toEqual([code]);
    expect(outcome).toBe('inconclusive');
  });

  it('names the placeholder and the fix', async () => {
    const { decided } = await verify(never, { prompt: '{{output}} {{tariff}}' });
    expect(decided.issues[0]?.message).toContain('{{tariff}}');
    expect(decided.issues[0]?.message).toContain('add it to the mapping');
  });

  it('work that is not to be judged is skipped', async () => {
    const { decided, outcome } = await verify(never, {
      setting: { notJudged: { state: 'bypassed', reason: 'below_cost_floor' } },
    });
    expect(decided).toMatchObject({
      verdict: null,
      needsHumanReview: false,
      judgeCost: noJudgeCost,
    });
    expect(outcome).toBe('skipped');
  });

  it('S-125 a judge that did not see everything gives no clean pass', async () => {
    const { decided, outcome } = await verify(
      says('follows'),
      {},
      turn({ output: 'Fine words. '.repeat(200_000) }),
    );
    expect(decided).toMatchObject({ needsHumanReview: true, action: 'escalate' });
    expect(outcome).toBe('needs_review');
    expect(decided.issues.map(({ code }) => code)).toContain('shortened');
  });
});

describe('the screen', () => {
  it.each([
    ['', 'empty_output'],
    ['\u200b', 'nothing_visible'],
    ['Solution:', 'master_key'],
  ])('S-26 %j fails without a judge', async (output, code) => {
    const { decided } = await verify(never, {}, turn({ output }));
    expect(decided).toMatchObject({ verdict: 'fail', score: 0, toCache: null });
    expect(decided.issues.map((issue) => issue.code)).toEqual([code]);
  });

  it('fails it without any provider too', async () => {
    const setting = { judges: [], whyNone: 'no provider configured' };
    const { decided } = await verify(never, { setting }, turn({ output: '' }));
    expect(decided.verdict).toBe('fail');
  });

  it('does not apply to a prompt that shows other work, or that does not show the output', async () => {
    for (const prompt of ['{{output}} {{tools}}', '{{input}}']) {
      const { decided } = await verify(says('follows'), { prompt }, turn({ output: '' }));
      expect(decided.verdict).toBe('pass');
    }
  });

  it('S-29 reports hidden text in anything that the judge is shown', async () => {
    const subject = turn();
    const { decided } = await verify(
      says('follows'),
      {},
      {
        ...subject,
        variables: { policy: 'a\u202eb' },
      },
    );
    expect(decided.issues.map(({ code }) => code)).toEqual(['hidden_text']);
  });
});

describe('the input of the judge', () => {
  it.each<[string, object, unknown]>([
    ['a text', { input: 'Hello?' }, 'Hello?'],
    [
      'an object as sent',
      { input: { question: 'Hello?', tone: 1 } },
      { question: 'Hello?', tone: 1 },
    ],
    [
      'a conversation',
      {
        input: {
          messages: [
            { role: 'system', content: 's' },
            { role: 'user', content: 'u' },
          ],
        },
      },
      {
        messages: [
          { role: 'system', content: 's' },
          { role: 'user', content: 'u' },
        ],
      },
    ],
  ])('the input: %s', async (_name, more, shown) => {
    await verify(
      (seen) => {
        expect(seen.data.get('input')).toEqual(shown);
        return answer(seen, 'follows');
      },
      { prompt: '{{input}} {{output}}' },
      turn(more),
    );
  });

  it('examples: the same placeholders with the ruling, as data', async () => {
    const examples = [
      { subject: turn({ output: 'Within 90 days.' }), passes: false, reason: 'It must be 30.' },
      { subject: { not: 'a subject' }, passes: true, reason: null },
    ];
    await verify(
      (seen) => {
        expect(seen.data.get('examples')).toEqual([
          {
            policy: 'Refunds within 30 days.',
            output: 'Within 90 days.',
            ruling: 'fail',
            reason: 'It must be 30.',
          },
        ]);
        expect(seen.outside).not.toContain('90 days');
        return answer(seen, 'follows');
      },
      { judge: { examples: 2 }, setting: { examples } },
    );
  });
});

describe('the cache (VS-43)', () => {
  it('a cached judgement is reused, and costs nothing', async () => {
    const first = await verify(says('breaks'));
    const cached: unknown = JSON.parse(JSON.stringify(first.decided.toCache));
    const second = await verify(never, { setting: { cached } });
    expect(second.decided).toMatchObject({ verdict: 'fail', score: 0, judgeCost: { calls: 0 } });
    expect(second.walk.scores.at(-1)?.cached).toBe(true);
  });

  it('the key changes with everything that the judge sees or that decides', () => {
    const base = () => judgeKind.cacheKey(turn(), settingOf({}));
    const keys = [
      base(),
      judgeKind.cacheKey(turn({ output: 'b' }), settingOf({})),
      judgeKind.cacheKey({ ...turn(), variables: { policy: 'b' } }, settingOf({})),
      judgeKind.cacheKey(turn(), settingOf({ prompt: '{{policy}} {{output}}' })),
      judgeKind.cacheKey(turn(), settingOf({ judge: { votes: 2 } })),
      judgeKind.cacheKey(turn(), settingOf({ judge: { examples: 1 } })),
      judgeKind.cacheKey(turn(), settingOf({ thresholds: { pass_threshold: 0.7 } })),
      judgeKind.cacheKey(turn(), settingOf({ setting: { judges: ['j:two'] } })),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(base()).toBe(keys[0]);
    expect(judgeKind.cacheKey(turn({ tags: ['x'] }), settingOf({}))).toBe(keys[0]);
    expect(judgeKind.cacheKey(turn(), settingOf({ setting: { judges: [] } }))).toBeNull();
  });

  it('the estimate grows with votes, criteria and length', () => {
    const tokens = (given: Given, subject = turn()) => {
      const { inputTokens, outputTokens } = judgeKind.estimate(subject, settingOf(given));
      return inputTokens + outputTokens;
    };
    expect(tokens({ judge: { votes: 3 } })).toBe(3 * tokens({}));
    const criteria = [
      { name: 'a', text: 'A?' },
      { name: 'b', text: 'B?' },
    ];
    expect(tokens({ judge: { criteria } })).toBeGreaterThan(tokens({}));
    expect(tokens({}, turn({ output: 'x'.repeat(40_000) }))).toBeGreaterThan(10_000);
  });
});
