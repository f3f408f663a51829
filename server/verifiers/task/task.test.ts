import { describe, expect, it } from 'vitest';
import {
  contextWith,
  plainPrompt,
  rubricReply,
  type Script,
  scriptedAsk,
  type SeenQuestion,
} from '../../../testing/scripted-judge';
import { deriveOutcome, type PromptText } from '../../domain';
import { resolveThresholds } from '../../thresholds';
import type { RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { task } from './index';
import { TaskConfig } from './config';
import { TaskDetail } from './detail';
import { retryAfterMs } from './feedback';
import { likertThreshold } from './judge-nodes';
import { TaskSubject } from './subject';

const prompt = plainPrompt('{{task}}\n{{criteria}}\n{{context}}\n{{output}}\n{{format}}');
const prompts: ReadonlyMap<string, PromptText> = new Map(
  ['task-rubric', 'task-binary', 'task-criteria'].map((slug) => [
    slug,
    { ...prompt, version: `${slug}@1` },
  ]),
);
const QUALITY = ['completeness', 'accuracy', 'clarity', 'relevance'];

interface Given {
  readonly setting?: Partial<RunSetting<TaskConfig>>;
  readonly config?: Partial<TaskConfig>;
  readonly thresholds?: Record<string, number>;
}

function settingOf({ setting = {}, config = {}, thresholds = {} }: Given): RunSetting<TaskConfig> {
  return {
    config: TaskConfig.parse(config),
    thresholds: resolveThresholds(
      { verifier: 'task', missionId: null, taskId: null },
      [],
      new Map(Object.entries(thresholds)),
    ),
    retries: { used: 0, budget: 2 },
    prompts,
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

const body = {
  task_description: 'Research EU AI Act requirements',
  success_criteria: [
    'Covers all 6 risk categories',
    'Includes implementation timelines',
    'Cites specific articles',
  ] as unknown[],
  task_output: 'There are four risk categories. Article 5 bans some uses from 2 February 2025.',
};

/** Verifies with a scripted judge. */
async function verify(
  changes: Partial<typeof body> & Record<string, unknown>,
  script: Script,
  given: Given = {},
) {
  const subject = TaskSubject.parse(
    JSON.parse(JSON.stringify(TaskSubject.parse({ ...body, ...changes }))),
  );
  const setting = settingOf(given);
  const { ask, requests } = scriptedAsk(script);
  const walk = await walkPlan(task.plan(subject, setting), contextWith(ask));
  const decided = task.decide(walk, subject, setting);
  expect(TaskDetail.parse(decided.detail)).toEqual(decided.detail);
  return { decided, walk, requests, subject, setting };
}

/** The rubric's reply with these scores 0..1, and the requested qualities. */
const scores =
  (values: readonly number[], confidence = 0.87) =>
  ({ nonce, data }: SeenQuestion): string => {
    const { criteria, quality = [] } = data.get('criteria') as {
      criteria: unknown[];
      quality?: { dimension: string }[];
    };
    return rubricReply(
      nonce,
      values.map((value) => 1 + 4 * value).slice(0, criteria.length),
      quality.map(({ dimension }) => dimension),
      confidence,
    );
  };

const never: Script = () => {
  throw new Error('no judge may be asked');
};

describe('the task verifier', () => {
  it('VS-5 the worked example: 0.9, 0.7 and 0.85 are 0.8167, all met, pass', async () => {
    const { decided, walk } = await verify({}, scores([0.9, 0.7, 0.85]));
    expect(decided).toMatchObject({
      verdict: 'pass',
      action: 'accept',
      score: 0.8167,
      confidence: 0.87,
      needsHumanReview: false,
      feedback: null,
    });
    expect(decided.detail.criteria_scores.map(({ met }) => met)).toEqual([true, true, true]);
    expect(decided.detail.quality_scores).toEqual({
      completeness: 0.75,
      accuracy: 0.75,
      clarity: 0.75,
      relevance: 0.75,
    });
    expect(walk.scores.map(({ name, state }) => [name, state])).toEqual([
      ['There is something to judge', 'scored'],
      ...body.success_criteria.map((text) => [text, 'scored']),
      ...QUALITY.map((name) => [name, 'scored']),
    ]);
    expect(decided.judgeCost).toEqual({
      calls: 1,
      tokens: 1000,
      costUsd: 0.001,
      priceUnknown: false,
      model: 'scripted/one',
      retryAfterMs: null,
    });
  });

  it('X-6 three scores of 0.7 pass', async () => {
    const { decided } = await verify({}, scores([0.7, 0.7, 0.7]));
    expect(decided).toMatchObject({ verdict: 'pass', score: 0.7 });
  });

  it.each<[string, unknown[], number[], Record<string, number>, string]>([
    ['VS-22 the threshold is inclusive', ['a'], [0.7], {}, 'pass'],
    ['VS-22 and just below it is not met', ['a'], [0.6998], {}, 'partial'],
    ['VS-22 another threshold', ['a'], [0.6], { pass_threshold: 0.6 }, 'pass'],
    [
      'VS-23 a must-pass criterion overrides the aggregate',
      [
        { text: 'a', must_pass: true },
        { text: 'b', weight: 9 },
      ],
      [0.3, 1],
      {},
      'fail',
    ],
    [
      'VS-23 by the criterion threshold',
      [{ text: 'a', must_pass: true }],
      [0.6],
      { criterion_met_threshold: 0.6, pass_threshold: 0.6 },
      'pass',
    ],
    ['VS-24 between the thresholds is partial', ['a', 'b'], [0.9, 0.4], {}, 'partial'],
    ['VS-24 at the fail threshold is partial', ['a'], [0.4], {}, 'partial'],
    ['VS-24 below the fail threshold fails', ['a'], [0.39], {}, 'fail'],
    ['VS-24 another fail threshold', ['a'], [0.39], { fail_threshold: 0.2 }, 'partial'],
    ['VS-1 weights count', [{ text: 'a', weight: 3 }, 'b'], [1, 0], {}, 'pass'],
  ])('%s', async (_title, success_criteria, values, thresholds, verdict) => {
    const { decided } = await verify({ success_criteria }, scores(values), { thresholds });
    expect(decided.verdict).toBe(verdict);
  });

  it('VS-7 a criterion written in x/5 is compared in Likert units', async () => {
    const { decided } = await verify(
      { success_criteria: ['Writing quality ≥ 3.5/5'] },
      scores([0.625]),
      {
        thresholds: { pass_threshold: 0.6 },
      },
    );
    expect(decided.detail.criteria_scores[0]).toMatchObject({ score: 0.625, met: true });
    expect(
      [
        'Score of at least 4 out of 5',
        'clarity >= 2,5/5',
        'cover 3/5 of it',
        'at least 3 of 5 gaps',
        '≥ 3.5/50',
      ].map(likertThreshold),
    ).toEqual([0.75, 0.375, null, null, null]);
  });
});

describe('checks before judges', () => {
  const sections = { check: 'required_sections', value: ['Findings'] };

  it('VS-9 a failed check fails at once, and no judge is called', async () => {
    const { decided, walk } = await verify({ success_criteria: ['Is clear', sections] }, never);
    expect(decided).toMatchObject({
      verdict: 'fail',
      action: 'retry',
      confidence: null,
      judgeCost: { calls: 0, model: null },
    });
    expect(decided.detail.deterministic_failures).toMatchObject([
      { check: 'required_sections', must_pass: true },
    ]);
    expect(decided.issues[0]).toMatchObject({
      code: 'missing_section',
      severity: 'high',
      path: 'success_criteria[1]',
    });
    expect(walk.scores.find(({ name }) => name === 'Is clear')).toMatchObject({
      state: 'unscored',
      reasoning: 'not run: "Has the section "Findings"" must pass and did not',
    });
  });

  it('VS-9 with must_pass false the miss is recorded, the judge is called, and the best verdict is partial', async () => {
    const { decided, requests } = await verify(
      { success_criteria: ['Is clear', { ...sections, must_pass: false }] },
      scores([1]),
    );
    expect(decided).toMatchObject({ verdict: 'partial', score: 1 });
    expect(requests).toHaveLength(1);
  });

  it('VS-6 format is the share of checks that passed, and absent where there is none', async () => {
    const checks = [
      { check: 'min_length', value: 1 },
      { check: 'keywords', value: ['zebra'], must_pass: false },
    ];
    const { decided } = await verify({ success_criteria: ['Is clear', ...checks] }, scores([1]));
    expect(decided.detail.quality_scores.format).toBe(0.5);
    expect(
      (await verify({}, scores([1, 1, 1]))).decided.detail.quality_scores.format,
    ).toBeUndefined();
  });

  it('VS-11 checks stop at the first that must pass; otherwise all misses are reported', async () => {
    const [bad, worse] = [
      { check: 'min_length', value: 10_000 },
      { check: 'keywords', value: ['zebra'] },
    ];
    const stopped = await verify({ success_criteria: [bad, worse] }, never);
    expect(stopped.decided.detail.deterministic_failures).toHaveLength(1);
    expect(stopped.decided.detail.criteria_scores[1]).toMatchObject({ score: null, met: null });
    const all = await verify(
      { success_criteria: [bad, worse].map((check) => ({ ...check, must_pass: false })) },
      never,
    );
    expect(all.decided.detail.deterministic_failures).toHaveLength(2);
    expect(all.decided.verdict).toBe('fail');
  });

  it('VS-11 no criteria passes, without a score and without a judge; an unknown check is a warning', async () => {
    const { decided } = await verify({ success_criteria: [] }, never);
    expect(decided).toMatchObject({
      verdict: 'pass',
      score: null,
      issues: [{ code: 'no_criteria' }],
    });
    const unknown = await verify(
      {
        success_criteria: [
          { check: 'spelling', value: 1 },
          { check: 'min_length', value: 1 },
        ],
      },
      never,
    );
    expect(unknown.decided).toMatchObject({
      verdict: 'pass',
      score: 1,
      issues: [{ code: 'unknown_check', severity: 'low' }],
    });
  });

  it.each(['', ' \n', '\u200B', 'Solution:', ':'])(
    'VS-14 the output %j fails without a judge',
    async (task_output) => {
      const { decided } = await verify({ task_output }, never);
      expect(decided).toMatchObject({ verdict: 'fail', score: null });
      expect(decided.issues[0]?.severity).toBe('high');
    },
  );
});

describe('a judge that breaks', () => {
  it.each([
    ['X-3 a provider that fails', () => ({ errorClass: 'timeout' as const })],
    ['VS-20 replies that cannot be read, twice', () => 'PASS'],
    [
      'VS-21 a missing criterion, twice',
      ({ nonce }: SeenQuestion) => rubricReply(nonce, [5, 5], QUALITY),
    ],
    [
      'VS-21 a score out of range, twice',
      ({ nonce }: SeenQuestion) => rubricReply(nonce, [5, 5, 7], QUALITY),
    ],
  ])('%s: no verdict, no score, and a person is called', async (_title, script) => {
    const { decided, walk } = await verify({}, script);
    expect(decided).toMatchObject({
      verdict: null,
      score: null,
      confidence: null,
      action: 'escalate',
      needsHumanReview: true,
      toCache: null,
    });
    expect(deriveOutcome(decided.verdict)).toBe('inconclusive');
    expect(
      walk.scores
        .filter(({ evaluator }) => evaluator === 'judges.rubric@1')
        .map(({ state }) => state),
    ).not.toContain('scored');
    expect(decided.detail).toMatchObject({
      verification_status: 'awaiting_human',
      aggregate_score: null,
    });
    expect(decided.judgeCost.calls).toBeGreaterThan(0);
  });

  it('X-11 what unreadable replies cost is counted', async () => {
    const { decided } = await verify({}, (seen) =>
      seen.before === 0 ? 'nonsense' : scores([1, 1, 1])(seen),
    );
    expect(decided).toMatchObject({
      verdict: 'pass',
      judgeCost: { calls: 2, tokens: 2000, costUsd: 0.002 },
    });
    expect(decided.detail).toMatchObject({ tokens_used: 2000, cost: 0.002 });
  });

  it('X-3 without any judge there is no verdict either, but a reason', async () => {
    const { decided } = await verify({}, never, {
      setting: { judges: [], whyNone: 'no provider is configured' },
    });
    expect(decided).toMatchObject({
      verdict: null,
      action: 'escalate',
      issues: [{ code: 'no_judge', message: 'No judge can be asked: no provider is configured' }],
    });
  });

  it('X-3 a must-pass check that failed is a fail even without a judge', async () => {
    const { decided } = await verify(
      { success_criteria: ['a', { check: 'min_length', value: 9999 }] },
      never,
      {
        setting: { judges: [], whyNone: 'none' },
      },
    );
    expect(decided.verdict).toBe('fail');
  });

  it('R-59 a fallback judge answers, and is named', async () => {
    const script: Script = (seen) =>
      seen.request.model === 'j:one' ? { errorClass: 'timeout' } : scores([1, 1, 1])(seen);
    const { decided, walk } = await verify({}, script, { setting: { fallbackJudges: ['j:two'] } });
    expect(decided).toMatchObject({ verdict: 'pass', judgeCost: { model: 'scripted/two' } });
    expect(walk.scores.at(-1)?.model).toBe('scripted/two');
  });
});

describe('confidence and people', () => {
  it('VS-25 a low confidence makes a pass partial, and always calls a person', async () => {
    const { decided } = await verify({}, scores([1, 1, 1], 0.49));
    expect(decided).toMatchObject({
      verdict: 'partial',
      needsHumanReview: true,
      action: 'escalate',
      confidence: 0.49,
    });
    const failing = await verify({}, scores([0.1, 0.1, 0.1], 0.49));
    expect(failing.decided).toMatchObject({ verdict: 'fail', needsHumanReview: true });
    expect((await verify({}, scores([1, 1, 1], 0.5))).decided.verdict).toBe('pass');
  });

  it("VS-26 the judge's own confidence counts; of several questions the lowest", async () => {
    const script: Script = (seen) => scores([1], seen.before === 1 ? 0.6 : 0.9)(seen);
    expect(
      (await verify({}, script, { config: { judging: 'per_criterion' } })).decided.confidence,
    ).toBe(0.6);
  });

  it.each([
    [0, 2, 0.5, 'partial', 'retry', 10_000],
    [1, 2, 0.5, 'partial', 'retry', 20_000],
    [2, 2, 0.5, 'partial', 'escalate', null],
    [0, 0, 0.1, 'fail', 'escalate', null],
    [3, 5, 0.1, 'fail', 'retry', 80_000],
    [2, 2, 1, 'pass', 'accept', null],
  ])(
    'VS-27 VS-29 after %d of %d retries %d is %s: %s',
    async (used, budget, score, verdict, action, wait) => {
      const { decided } = await verify({}, scores([score, score, score]), {
        setting: { retries: { used, budget } },
      });
      expect(decided).toMatchObject({ verdict, action, detail: { retry_after_ms: wait } });
    },
  );

  it('VS-30 back-off is 10 s · 2^(n-1), at most 300 s', () => {
    expect([1, 2, 3, 4, 5, 6, 50].map(retryAfterMs)).toEqual([
      10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000,
    ]);
  });

  it('VS-30 the feedback names attempt, score, unmet criteria with reasons, failed checks and the work to revise', async () => {
    const criteria = ['Good', 'Poor', { check: 'keywords', value: ['zebra'], must_pass: false }];
    const { decided } = await verify({ success_criteria: criteria }, scores([1, 0.2]), {
      setting: { retries: { used: 1, budget: 2 } },
    });
    expect(decided.feedback).toMatch(
      /^Attempt 2 of 3 was judged "partial" with a score of 0\.60\. Revise[^]*missing: "zebra"[^]*- Poor, score 0\.20: Reason 2\.[^]*previous output:\nThere are four/,
    );
    expect(decided.feedback).not.toContain('- Good');
  });

  it('VS-51 the state that people see', async () => {
    const status = async (value: number, used = 0, confidence = 0.9) =>
      (
        await verify({}, scores([value, value, value], confidence), {
          setting: { retries: { used, budget: 2 } },
        })
      ).decided.detail.verification_status;
    expect(
      await Promise.all([
        status(1),
        status(0.5),
        status(0.1, 2),
        status(0.5, 2),
        status(1, 0, 0.2),
      ]),
    ).toEqual(['verified', 'retrying', 'failed', 'awaiting_human', 'awaiting_human']);
  });

  it('VS-46 the score has both its names; VS-31 work with waiting dependents is inline', async () => {
    const { decided } = await verify({ has_dependents: true }, scores([1, 0.5, 0.9]));
    expect(decided.detail).toMatchObject({
      aggregate_score: 0.8,
      verification_score: 0.8,
      timing: 'inline',
    });
  });
});

describe('questions', () => {
  it('VS-17 one question for all, or one for each criterion and one for the qualities', async () => {
    const together = await verify({}, scores([1, 1, 1]));
    const perCriterion = await verify({}, scores([1]), { config: { judging: 'per_criterion' } });
    expect([together.requests.length, perCriterion.requests.length]).toEqual([1, 4]);
    expect(perCriterion.decided).toMatchObject({
      verdict: 'pass',
      score: 1,
      judgeCost: { calls: 4 },
    });
    expect(perCriterion.decided.detail.quality_scores.clarity).toBe(0.75);
  });

  it('VS-15 a failed required criterion skips the more expensive questions', async () => {
    const success_criteria = ['a', { text: 'must', must_pass: true }, 'c'];
    const { decided, requests } = await verify({ success_criteria }, scores([0]), {
      config: { judging: 'per_criterion' },
    });
    expect(requests.map(({ purpose }) => purpose)).toEqual(['task criterion 2']);
    expect(decided).toMatchObject({ verdict: 'fail', score: null });
  });

  it('VS-17 VS-40 checks alone call no judge', async () => {
    const { decided, walk } = await verify(
      { success_criteria: [{ check: 'min_length', value: 1 }] },
      never,
    );
    expect(decided).toMatchObject({ verdict: 'pass', score: 1 });
    expect(walk.scores).toHaveLength(2);
  });

  it('VS-53 additional qualities for work based on sources', async () => {
    const { decided } = await verify({ shared_context: 'Article 5.' }, scores([1, 1, 1]), {
      config: { dimensions: ['faithfulness'] },
    });
    expect(Object.keys(decided.detail.quality_scores)).toEqual([...QUALITY, 'faithfulness']);
  });

  it.each([
    ['binary', 'task-binary', '"met":true'],
    ['criteria_match', 'task-criteria', '"match":"full"'],
  ])('VS-1 %s asks with its own prompt', async (scoring_mode, slug, answer) => {
    const script: Script = ({ nonce }) =>
      `{"nonce":"${nonce}","criteria":[{"criterion":1,"reasoning":"R","quotes":[],${answer},"confidence":0.9}],"suggestions":[],"confidence":0.9}`;
    const { decided, requests, subject, setting } = await verify(
      { scoring_mode, success_criteria: ['a'] },
      script,
    );
    expect(decided).toMatchObject({ verdict: 'pass', score: 1 });
    expect(requests[0]?.promptVersion).toBe(`${slug}@1`);
    expect(task.promptSlugs(subject, setting.config)).toEqual([slug]);
  });

  it.each([
    ['bypassed', [{ check: 'min_length', value: 1 }], 'pass', false],
    ['bypassed', ['a'], null, false],
    ['bypassed', ['a', { check: 'min_length', value: 1 }], null, false],
    ['bypassed', ['a', { check: 'keywords', value: ['zebra'], must_pass: false }], null, false],
    ['bypassed', ['a', { check: 'keywords', value: ['zebra'] }], 'fail', false],
    ['sampled_out', ['a'], null, false],
    ['over_budget', ['a'], null, true],
    ['over_budget', ['a', { check: 'keywords', value: ['zebra'] }], 'fail', false],
  ] as const)(
    'VS-39 %s with %j: %s, by the checks alone',
    async (state, success_criteria, verdict, needsHumanReview) => {
      const { decided } = await verify({ success_criteria: [...success_criteria] }, never, {
        setting: { notJudged: { state, reason: 'below_cost_floor' } },
      });
      const texts = success_criteria.some((each) => typeof each === 'string');
      expect(decided).toMatchObject({
        verdict,
        needsHumanReview,
        judgeCost: { calls: 0 },
        detail: { llm_skipped: texts ? 'below_cost_floor' : null },
      });
      const isSkipped = verdict === null && !needsHumanReview;
      expect([decided.action === 'none', decided.detail.verification_status === 'skipped']).toEqual(
        [isSkipped, isSkipped],
      );
    },
  );

  it('VS-8 without a judge every node is free, with one those of judges cost 100', () => {
    const subject = TaskSubject.parse(body);
    const prices = (given: Given): number[] => [
      ...new Set(task.plan(subject, settingOf(given)).map(({ cost }) => cost)),
    ];
    expect(prices({})).toEqual([0, 100]);
    expect(prices({ setting: { judges: [] } })).toEqual([0]);
    expect(prices({ setting: { notJudged: { state: 'bypassed', reason: 'x' } } })).toEqual([0]);
  });

  it('VS-38 an estimate grows with the questions', () => {
    const estimate = (changes: object) =>
      task.estimate(TaskSubject.parse({ ...body, ...changes }), settingOf({}));
    const [small, large] = [estimate({}), estimate({ task_output: 'x'.repeat(8_000) })];
    expect(large.inputTokens - small.inputTokens).toBeGreaterThan(1_900);
    expect(estimate({ success_criteria: [] })).toEqual({ inputTokens: 0, outputTokens: 0 });
  });
});

describe('a jury', () => {
  const jury = (votes: readonly number[][]): Given & { script: Script } => ({
    setting: { judges: votes.map((_, i) => `j:${i}`), fallbackJudges: ['j:spare'] },
    script: (seen) => scores(votes[Number(seen.request.model.slice(2))] ?? [])(seen),
  });

  it('VS-44 the median decides, and disagreement calls a person', async () => {
    const given = jury([
      [1, 1, 1],
      [0.9, 0.9, 0.1],
      [0.8, 0.8, 0.8],
    ]);
    const { decided, requests } = await verify({}, given.script, given);
    expect(requests).toHaveLength(3);
    expect(decided).toMatchObject({
      score: 0.8667,
      verdict: 'pass',
      needsHumanReview: true,
      action: 'escalate',
      confidence: 0.58,
    });
    expect(decided.issues.map(({ code }) => code)).toContain('jury_disagreement');
    const agreed = jury([
      [1, 1, 1],
      [0.9, 0.9, 0.9],
    ]);
    expect((await verify({}, agreed.script, agreed)).decided).toMatchObject({
      verdict: 'pass',
      score: 0.95,
      needsHumanReview: false,
    });
  });

  it('VS-44 a jury split in half on what must pass is for a person, not a fail', async () => {
    const given = jury([[1], [0]]);
    const { decided } = await verify(
      { success_criteria: [{ text: 'a', must_pass: true }] },
      given.script,
      given,
    );
    expect(decided).toMatchObject({
      verdict: 'partial',
      needsHumanReview: true,
      issues: [{ code: 'jury_tie' }],
    });
  });

  it('X-3 a failed juror is reported, and a person is notified', async () => {
    const given = jury([
      [1, 1, 1],
      [1, 1, 1],
    ]);
    const script: Script = (seen) =>
      seen.request.model === 'j:0' ? { errorClass: 'refused' } : given.script(seen);
    const { decided } = await verify({}, script, given);
    expect(decided).toMatchObject({
      verdict: 'pass',
      needsHumanReview: true,
      judgeCost: { model: 'scripted/1' },
    });
    expect(decided.issues).toMatchObject([{ code: 'jury_incomplete' }]);
  });
});

describe('cached judgements', () => {
  it('VS-43 an equal question is answered from the cache, at no cost', async () => {
    const first = await verify({}, scores([0.9, 0.7, 0.85]));
    const cachedValue: unknown = JSON.parse(JSON.stringify(first.decided.toCache));
    const again = await verify({}, never, { setting: { cached: cachedValue } });
    expect(again.decided).toMatchObject({
      verdict: 'pass',
      score: 0.8167,
      judgeCost: { calls: 0, costUsd: 0, model: 'scripted/one' },
    });
    expect(again.walk.scores.filter(({ cached }) => cached)).toHaveLength(7);
    const broken = await verify({}, scores([1, 1, 1]), {
      setting: { cached: { criteria: { confidence: 7 } } },
    });
    expect(broken.requests).toHaveLength(1);
  });

  it('VS-43 the key changes with every input of the judge and of the decision', () => {
    const key = (changes: object, given: Given = {}) =>
      task.cacheKey(TaskSubject.parse({ ...body, ...changes }), settingOf(given));
    const keys = [
      key({}),
      key({ task_output: 'other' }),
      key({ task_description: 'other' }),
      key({ success_criteria: ['other'] }),
      key({ success_criteria: [{ text: 'other', must_pass: true }] }),
      key({ shared_context: 'other' }),
      key({ scoring_mode: 'binary' }),
      key({}, { setting: { judges: ['j:two'] } }),
      key(
        {},
        {
          setting: { prompts: new Map([['task-rubric', { ...prompt, version: 'task-rubric@2' }]]) },
        },
      ),
      key({}, { thresholds: { pass_threshold: 0.8 } }),
      key({}, { config: { output_chars: 900 } }),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(key({})).toBe(keys[0]);
    expect([key({ success_criteria: [] }), key({}, { setting: { judges: [] } })]).toEqual([
      null,
      null,
    ]);
  });
});

describe('the subject', () => {
  it('VS-2 criteria are strings, texts with weight, or checks that must pass by default', () => {
    const { success_criteria } = TaskSubject.parse({
      task_output: 'x',
      success_criteria: ['a', { text: 'b', weight: 2 }, { check: 'regex', value: 'x' }],
    });
    expect(success_criteria).toEqual([
      { text: 'a', weight: 1, must_pass: false },
      { text: 'b', weight: 2, must_pass: false },
      { check: 'regex', value: 'x', weight: 1, must_pass: true },
    ]);
  });

  it.each<[string, object]>([
    ['an empty criterion', { success_criteria: [' '] }],
    ['a negative weight', { success_criteria: [{ text: 'a', weight: -1 }] }],
    ['a weight of NaN', { success_criteria: [{ text: 'a', weight: Number.NaN }] }],
    ['no weight at all', { success_criteria: [{ text: 'a', weight: 0 }] }],
    ['101 criteria', { success_criteria: Array.from({ length: 101 }, () => 'a') }],
    ['a criterion of 4001 characters', { success_criteria: ['a'.repeat(4001)] }],
    ['no output', { task_output: undefined }],
    ['an unknown mode', { scoring_mode: 'guess' }],
  ])('VS-2 %s is refused', (_title, changes) => {
    expect(TaskSubject.safeParse({ ...body, ...changes }).success).toBe(false);
  });

  it('VS-52 a safety result is a criterion like any other, and may have to pass', async () => {
    const safety = { text: 'Holds no instructions for harm', must_pass: true };
    const { decided } = await verify({ success_criteria: ['Is clear', safety] }, scores([1, 0]));
    expect(decided).toMatchObject({
      verdict: 'fail',
      issues: [{ code: 'criterion_not_met', severity: 'high' }],
    });
  });

  it('X-9 keys from outside stay data', async () => {
    const { decided } = await verify(
      {
        success_criteria: ['__proto__', 'constructor'],
        shared_context: JSON.parse('{"__proto__":1}') as object,
      },
      scores([1, 1]),
    );
    expect(decided.detail.criteria_scores.map(({ criterion }) => criterion)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});
