import { describe, expect, it } from 'vitest';
import { processorMsOf } from '../../../testing/processor-time';
import {
  contextWith,
  plainPrompt,
  type Script,
  scriptedAsk,
  type SeenQuestion,
} from '../../../testing/scripted-judge';
import { deriveOutcome, type PromptExample } from '../../domain';
import { resolveThresholds } from '../../thresholds';
import type { RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { decomposition } from './index';
import { DecompositionConfig } from './config';
import { DecompositionDetail } from './detail';
import { DecompositionSubject } from './subject';
import { overallOf } from './verdict';

const example: PromptExample = {
  band: 'good',
  complexity: 'MEDIUM',
  query: 'Another query',
  decomposition: 'x1 [coder] Do it.',
  score: 0.95,
  reasoning: 'It covers all.',
};
const TEXT =
  '{{query}}\n{{decomposition}}\n{{agents}}\n{{environment}}\n{{context}}\n{{findings}}\n{{examples}}\n{{format}}';

const body = {
  query: 'Export invoices as CSV',
  decomposition: {
    goal: 'Invoices can be exported',
    subgoals: [
      { id: 's1', description: 'Write the endpoint', agent: 'coder' },
      { id: 's2', description: 'Test it', agent: 'tester', depends_on: ['s1'] },
    ],
    execution_order: [{ phase: 'sequential', subgoals: ['s1', 's2'] }],
  },
  agents: [
    { name: 'coder', capabilities: ['write'] },
    { name: 'tester', capabilities: ['test'] },
  ],
};

const read = (value: unknown): DecompositionSubject =>
  DecompositionSubject.parse(JSON.parse(JSON.stringify(value)));

interface Given {
  readonly setting?: Partial<RunSetting<DecompositionConfig>>;
  readonly config?: Partial<DecompositionConfig>;
  readonly thresholds?: Record<string, number>;
  readonly used?: number;
}

function settingOf({
  setting = {},
  config = {},
  thresholds = {},
  used = 0,
}: Given): RunSetting<DecompositionConfig> {
  const parsed = DecompositionConfig.parse(config);
  const prompt = { ...plainPrompt(TEXT), examples: [example] };
  return {
    config: parsed,
    thresholds: resolveThresholds(
      { verifier: 'decomposition', missionId: null, taskId: null },
      [],
      new Map(Object.entries(thresholds)),
    ),
    retries: { used, budget: decomposition.retryBudget?.(parsed) ?? 0 },
    prompts: new Map(
      ['self', 'adversarial'].map((option) => [
        `decomposition-${option}`,
        { ...prompt, version: `decomposition-${option}@1` },
      ]),
    ),
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

async function verify(changes: object, script: Script, given: Given = {}) {
  const subject = read({ ...body, ...changes });
  expect(read(subject)).toEqual(subject);
  const setting = settingOf(given);
  const { ask, requests } = scriptedAsk(script);
  const walk = await walkPlan(decomposition.plan(subject, setting), contextWith(ask));
  const decided = decomposition.decide(walk, subject, setting);
  expect(DecompositionDetail.parse(decided.detail)).toEqual(decided.detail);
  return { decided, walk, requests, subject, setting };
}

const never: Script = () => {
  throw new Error('no judge may be asked');
};

type Four = readonly [number, number, number, number];
const named = ([completeness, consistency, groundedness, routability]: Four) => ({
  completeness,
  consistency,
  groundedness,
  routability,
});
const high: Four = [0.9, 0.9, 0.9, 0.9];
const middle: Four = [0.6, 0.6, 0.6, 0.6];

/** A judge's reply of either option. */
const says =
  (scores: Four, more: object = {}) =>
  ({ nonce, outside }: SeenQuestion): string => {
    const lists = outside.includes('"critical_issues"')
      ? {
          critical_issues: ['It drops the range of dates'],
          minor_issues: ['Names'],
          edge_cases: ['An empty export'],
        }
      : { issues: ['Nothing tests the range of dates'] };
    const stated = { overall: 0.8, verdict: 'PASS', ...lists, suggestions: ['Add a test'] };
    return JSON.stringify({
      nonce,
      reasoning: 'Gone through.',
      ...named(scores),
      ...stated,
      ...more,
    });
  };
const given = (scores: Four, more: object = {}) => ({ scores: { ...named(scores), ...more } });
const faulty = {
  decomposition: {
    ...body.decomposition,
    subgoals: [{ id: 's1', description: 'a', depends_on: ['s1'] }],
  },
};

describe('the arithmetic of the source, done right', () => {
  it.each<[string, Four, number, number, string, number]>([
    ['Example 1', [0.95, 1, 0.9, 1], 0.94, 0.96, 'PASS', 0],
    ['Example 2, attempt 1', [0.5, 0.9, 0.8, 0.7], 0.65, 0.68, 'RETRY', 0],
    ['Example 2, attempt 2', [0.9, 0.95, 0.85, 0.9], 0.89, 0.9, 'PASS', 1],
    ['Example 3, attempt 1', [0.2, 0.8, 0.3, 0.5], 0.35, 0.4, 'FAIL', 0],
    ['Example 3, attempt 2', [0.4, 0.9, 0.4, 0.6], 0.52, 0.54, 'RETRY', 1],
    ['Example 3, attempt 3', [0.4, 0.9, 0.4, 0.8], 0.58, 0.58, 'FAIL', 2],
    ['the error response', [0.3, 0.6, 0.4, 0.5], 0.42, 0.42, 'FAIL', 0],
    ['X-6 floating point below 0.7', [0.7, 0.7, 0.95, 0.45], 0.7, 0.7, 'PASS', 0],
    ['X-6 floating point below 0.5', [0.35, 0.7, 0.7, 0.4], 0.5, 0.5, 'RETRY', 0],
    ['just below 0.7', [0.7, 0.7, 0.7, 0.6995], 0.7, 0.6999, 'RETRY', 0],
    ['just below 0.5', [0.5, 0.5, 0.5, 0.4995], 0.5, 0.4999, 'FAIL', 0],
  ])('SOAR-5 %s', async (_where, scores, overall, computed, verdict, used) => {
    const { decided } = await verify(given(scores, { overall }), never, { used });
    expect(decided).toMatchObject({
      score: computed,
      verdict,
      detail: { overall_score: computed, stated_overall: overall, verdict },
    });
    expect(decided.issues.some(({ code }) => code === 'overall_corrected')).toBe(
      Math.abs(overall - computed) > 0.0101,
    );
  });

  it('SOAR-3 SOAR-4 X-6 weights are 0.4 and three times 0.2, to four decimals', () => {
    expect(0.4 * 0.7 + 0.2 * 0.7 + 0.2 * 0.95 + 0.2 * 0.45).toBeLessThan(0.7);
    expect(overallOf(named([0.7, 0.7, 0.95, 0.45]))).toBe(0.7);
    expect(
      [0, 1, 2, 3].map((i) =>
        overallOf(named([0, 0, 0, 0].map((_, at) => (at === i ? 1 : 0)) as unknown as Four)),
      ),
    ).toEqual([0.4, 0.2, 0.2, 0.2]);
  });
});

describe('the verdict on a decomposition', () => {
  it.each<[string, Four, number, string, string]>([
    ['0.7 and more passes', [0.7, 0.7, 0.7, 0.7], 0, 'PASS', 'accept'],
    ['from 0.5 it is tried again', middle, 0, 'RETRY', 'retry'],
    ['below 0.5 it fails', [0.4, 0.4, 0.4, 0.4], 0, 'FAIL', 'reject'],
    ['a third attempt that is good passes', high, 2, 'PASS', 'accept'],
    ['two retries make three attempts: the second is one', middle, 1, 'RETRY', 'retry'],
    ['and the third is the last', middle, 2, 'FAIL', 'reject'],
    [
      'below 0.5 nothing is tried again, on the first attempt either',
      [0.2, 0.8, 0.3, 0.5],
      0,
      'FAIL',
      'reject',
    ],
  ])('SOAR-6 to SOAR-9: %s', async (_title, scores, used, verdict, action) => {
    const { decided } = await verify({}, says(scores), { used });
    expect(decided).toMatchObject({ verdict, action, needsHumanReview: false });
  });

  it('X-4 the budget is separate, and thresholds can be changed', async () => {
    expect((await verify({}, says(middle), { config: { retry_budget: 0 } })).decided.verdict).toBe(
      'FAIL',
    );
    expect(
      (await verify({}, says(middle), { config: { retry_budget: 3 }, used: 2 })).decided.verdict,
    ).toBe('RETRY');
    expect(
      (await verify({}, says(middle), { thresholds: { pass_threshold: 0.6 } })).decided.verdict,
    ).toBe('PASS');
    expect(
      (await verify({}, says(middle), { thresholds: { retry_threshold: 0.65 } })).decided.verdict,
    ).toBe('FAIL');
  });

  it('SOAR-1 SOAR-14 a faulty structure needs no judge, and is sent back while retries last', async () => {
    for (const [used, verdict] of [0, 1, 2].map(
      (each) => [each, each < 2 ? 'RETRY' : 'FAIL'] as const,
    )) {
      const { decided, requests, walk } = await verify(faulty, never, { used });
      expect(requests).toHaveLength(0);
      expect(decided).toMatchObject({
        verdict,
        score: null,
        judgeCost: { calls: 0 },
        detail: { scores: null, overall_score: null },
      });
      expect(decided.issues.map(({ code }) => code)).not.toContain('no_judge');
      expect(walk.scores.map(({ state }) => state)).toEqual([
        'scored',
        'unscored',
        'unscored',
        'unscored',
        'unscored',
      ]);
    }
  });

  it('SOAR-14 no score outweighs a cycle', async () => {
    const { decided } = await verify({ ...faulty, ...given([1, 1, 1, 1]) }, never);
    expect(decided).toMatchObject({ verdict: 'RETRY', score: 1, action: 'retry' });
    expect(decided.issues.map(({ code }) => code)).toEqual([
      'dependency_cycle',
      'unknown_in_order',
      'no_agent',
    ]);
    expect(
      (await verify({ ...faulty, ...given([0.1, 0.1, 0.1, 0.1]) }, never)).decided.verdict,
    ).toBe('FAIL');
  });

  it('SOAR-14 an unknown agent is an issue, and passes', async () => {
    const { decided } = await verify({ agents: [] }, says(high));
    expect(decided.verdict).toBe('PASS');
    expect(decided.issues.map(({ code }) => code)).toEqual([
      'unknown_agent',
      'unknown_agent',
      'judged',
      'overall_corrected',
    ]);
  });

  it.each<[string, Script, Partial<RunSetting<DecompositionConfig>>]>([
    ['a judge that does not answer', () => ({ errorClass: 'timeout' }), {}],
    ['a reply that says nothing', () => 'PASS', {}],
    ['no judge', never, { judges: [] }],
    ['no money for one', never, { notJudged: { state: 'over_budget', reason: 'too dear' } }],
  ])('X-3 %s gives no verdict, and no score', async (_what, script, setting) => {
    const { decided, walk } = await verify({}, script, { setting });
    expect(decided).toMatchObject({
      verdict: null,
      score: null,
      needsHumanReview: true,
      feedback: null,
      toCache: null,
    });
    expect(deriveOutcome(decided.verdict)).toBe('inconclusive');
    expect(walk.scores.slice(1).every(({ value }) => value === null)).toBe(true);
  });
});

describe('who judges it', () => {
  it.each([
    [undefined, 'self', 'preferred'],
    ['simple', 'self', 'preferred'],
    ['Medium', 'self', 'preferred'],
    ['COMPLEX', 'adversarial', 'last_resort'],
    ['critical', 'adversarial', 'last_resort'],
  ])('SOAR-2 X-2 complexity %s is option %s, self-judging %s', async (complexity, option, self) => {
    const { decided, requests, subject } = await verify({ complexity }, says(high));
    expect(decided.detail).toMatchObject({
      option,
      complexity: complexity?.toUpperCase() ?? 'MEDIUM',
      self_verified: false,
    });
    expect(requests[0]?.promptVersion).toBe(`decomposition-${option}@1`);
    expect(decomposition.selfJudging?.(subject)).toBe(self);
    expect(decomposition.pipelineOf?.(subject)).toEqual({
      query: body.query,
      complexity: decided.detail.complexity,
    });
  });

  it('X-2 a decomposition judged by its own model is marked; an unjudged one is not', async () => {
    const setting = { selfJudged: true };
    expect((await verify({}, says(high), { setting })).decided.detail.self_verified).toBe(true);
    expect((await verify(given(high), never, { setting })).decided.detail.self_verified).toBe(
      false,
    );
    expect((await verify({}, () => 'x', { setting })).decided.detail.self_verified).toBe(false);
  });

  it('SOAR-4 SOAR-10 the stated sum and verdict are stored and do not count', async () => {
    const { decided } = await verify({}, says([0.4, 0.4, 0.4, 0.4], { overall: 0.9 }));
    expect(decided).toMatchObject({
      verdict: 'FAIL',
      score: 0.4,
      detail: { stated_overall: 0.9, stated_verdict: 'PASS' },
    });
    expect(
      decided.issues.filter(({ severity }) => severity === 'low').map(({ code }) => code),
    ).toEqual(['overall_corrected', 'verdict_corrected']);
    const close = await verify({}, says(high, { overall: 0.91 }));
    expect(close.decided.issues.map(({ code }) => code)).toEqual(['judged']);
  });

  it.each<[string, object]>([
    ['a score above 1', { completeness: 1.2 }],
    ['a score that is text', { routability: '0.9' }],
    ['no score', { groundedness: undefined }],
    ['no overall', { overall: undefined }],
    ['no verdict', { verdict: undefined }],
    ['an unknown verdict', { verdict: 'MAYBE' }],
    ['the issues of the other option', { issues: undefined, critical_issues: [] }],
    ['no reasons', { reasoning: ' ' }],
  ])(
    'SOAR-11 X-3 a reply with %s is asked for once more, and is then no score',
    async (_what, more) => {
      const { decided, requests, walk } = await verify({}, says(high, more));
      expect(requests).toHaveLength(2);
      expect(walk.scores.slice(1).map(({ state }) => state)).toEqual([
        'failed',
        'failed',
        'failed',
        'failed',
      ]);
      expect(decided).toMatchObject({ verdict: null, issues: [{ code: 'judge_failed' }] });
      const second = await verify({}, (seen) =>
        seen.before === 0 ? says(high, more)(seen) : `\`\`\`json\n${says(high)(seen)}\n\`\`\``,
      );
      expect(second.decided).toMatchObject({ verdict: 'PASS', judgeCost: { calls: 2 } });
    },
  );

  it('SOAR-11 the lists of option B are one, by their gravity', async () => {
    const { decided } = await verify({ complexity: 'COMPLEX' }, says(high));
    expect(decided.issues.map(({ message, severity }) => [severity, message])).toEqual([
      ['high', 'It drops the range of dates'],
      ['medium', 'An empty export'],
      ['low', 'Names'],
      ['low', 'The judge stated 0.8 overall; its scores come to 0.9'],
    ]);
    const brought = await verify(
      given(high, {
        critical_issues: ['a'],
        issues: ['b'],
        edge_cases: ['c'],
        minor_issues: ['d'],
      }),
      never,
    );
    expect(brought.decided.issues.map(({ message }) => message)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('X-9 the judged text is data; the examples of the version are shown next to it', async () => {
    const context = ['orders.ts exports CSV', { file: 'invoices.ts' }];
    const { requests } = await verify({ context, environment: 'dev', agents: [] }, (seen) => {
      expect(seen.outside).not.toContain('invoices.ts');
      expect(seen.outside).toContain('Example 1: good, overall 0.95');
      expect(seen.outside).toContain('x1 [coder] Do it.');
      expect(seen.data.get('decomposition')).toMatchObject(body.decomposition);
      expect(seen.data.get('context')).toEqual(context);
      expect(seen.data.get('environment')).toBe('dev');
      expect(seen.data.get('findings')).toHaveLength(2);
      return says(high)(seen);
    });
    expect(requests).toHaveLength(1);
  });

  it('SOAR-12 only a first attempt is cached, and cached judgements are reused', async () => {
    const first = await verify({}, says(high));
    expect(decomposition.cacheKey(first.subject, first.setting)).toMatch(/^[0-9a-f]{64}$/);
    expect(decomposition.cacheKey(first.subject, settingOf({ used: 1 }))).toBeNull();
    expect(decomposition.cacheKey(read({ ...body, ...given(high) }), first.setting)).toBeNull();
    const cached = JSON.parse(JSON.stringify(first.decided.toCache)) as unknown;
    const again = await verify({}, never, { setting: { cached } });
    expect(again.decided).toMatchObject({
      verdict: 'PASS',
      score: first.decided.score,
      judgeCost: { calls: 0 },
      toCache: null,
    });
    expect(again.walk.scores[1]).toMatchObject({ cached: true, value: 0.9 });
  });
});

describe('feedback', () => {
  it('SOAR-12 the first feedback is basic, the second has what to do and an example', async () => {
    const [first, second] = await Promise.all(
      [0, 1].map((used) => verify({ agents: [] }, says(middle), { used })),
    );
    const [basic, detailed] = [first, second].map(
      (each) => each?.decided.detail.retry_feedback ?? '',
    );
    expect(first?.decided.feedback).toBe(basic);
    for (const text of [basic, detailed]) {
      expect(text?.startsWith('PREVIOUS ATTEMPT FEEDBACK:\n')).toBe(true);
      for (const part of [
        body.query,
        '"Write the endpoint"',
        '- completeness: 0.6',
        '- routability: 0.6',
        'range of dates',
        '- Add a test',
      ])
        expect(text).toContain(part);
      expect(text).not.toContain('The judge stated');
    }
    expect(basic).not.toContain('To do:');
    expect(detailed).toContain('To do: Choose an agent');
    expect(detailed).toContain('x1 [coder] Do it.');
    expect(detailed?.length).toBeGreaterThan(basic?.length ?? 0);
  });

  it('SOAR-12 the planner is not asked to supply the agents', async () => {
    for (const used of [0, 1]) {
      const { decided } = await verify({ agents: null }, says(middle), { used });
      expect(decided.issues.map(({ code }) => code)).toContain('agents_unchecked');
      expect(decided.detail.retry_feedback).not.toMatch(
        /hand over the agents|which agents there are/i,
      );
    }
  });

  it('SOAR-12 SOAR-14 feedback on a faulty structure with a high score does not blame the score', async () => {
    for (const used of [0, 1]) {
      const text = (await verify({ ...faulty, ...given(high) }, never, { used })).decided.detail
        .retry_feedback;
      expect(text).toContain(
        `Attempt ${used + 1} of 3 to decompose this query has faults of structure that no score outweighs.`,
      );
      expect(text).toContain('- completeness: 0.9');
      expect(text).not.toContain('that it needs');
    }
  });

  it('SOAR-12 the feedback on a huge decomposition has an excerpt', async () => {
    const subgoals = Array.from({ length: 20_000 }, (_, i) => ({
      id: `s${i}`,
      description: `Do part ${i}`,
      agent: 'coder',
    }));
    const { decided } = await verify(
      { decomposition: { goal: 'g', subgoals }, ...given(middle) },
      never,
    );
    expect(decided.detail.retry_feedback?.length).toBeLessThan(10_000);
    expect(decided.detail.retry_feedback).toContain('[shortened]');
  });

  it.each<[string, Four, number, RegExp, boolean]>([
    ['the score', [0.3, 0.6, 0.4, 0.5], 0, /score of 0\.42 is below 0\.5/, false],
    ['the retries', middle, 2, /after 2 retries$/, false],
    ['the retries, of what is faulty', high, 2, /after 2 retries$/, true],
  ])(
    'SOAR-13 the error names %s as the reason, and lists every finding',
    async (_what, scores, used, message, isFaulty) => {
      const { decided } = await verify(
        { ...(isFaulty ? faulty : {}), ...given(scores, { issues: ['a'], suggestions: ['b'] }) },
        never,
        {
          used,
        },
      );
      const { detail } = decided;
      expect(detail).toMatchObject({
        verdict: 'FAIL',
        scores: named(scores),
        error: expect.stringMatching(message) as string,
        retry_feedback: null,
      });
      expect([
        detail.issues.includes('a'),
        detail.suggestions.includes('b'),
        typeof detail.overall_score,
      ]).toEqual([true, true, 'number']);
      expect(decided.feedback).toContain(detail.error ?? '-');
    },
  );

  it('SOAR-13 a pass has neither', async () => {
    const { decided } = await verify({}, says(high));
    expect(decided).toMatchObject({
      feedback: null,
      detail: {
        error: null,
        retry_feedback: null,
        issues: [
          'Nothing tests the range of dates',
          'The judge stated 0.8 overall; its scores come to 0.9',
        ],
      },
    });
  });
});

describe('submitted subjects', () => {
  it.each<[string, object]>([
    ['nothing in it', { decomposition: {} }],
    [
      'null for every part',
      {
        decomposition: { goal: null, subgoals: null, execution_order: null },
        agents: null,
        context: null,
        scores: null,
      },
    ],
    ['a subgoal without parts', { decomposition: { goal: 'g', subgoals: [{}] } }],
    ['unknown members', { decomposition: { ...body.decomposition, strategy: 'x' }, extra: 1 }],
  ])('SOAR-14 a decomposition with %s is verified', async (_what, changes) => {
    expect((await verify(changes, says(high))).decided.verdict).not.toBeNull();
  });

  it.each<[string, object, string]>([
    ['no query', { query: ' ' }, 'query'],
    ['an unknown complexity', { complexity: 'HUGE' }, 'complexity'],
    ['subgoals that are no list', { decomposition: { subgoals: 'x' } }, 'decomposition.subgoals'],
    [
      'an id that is a number',
      { decomposition: { subgoals: [{ id: 1 }] } },
      'decomposition.subgoals.0.id',
    ],
    [
      'an unknown phase',
      { decomposition: { execution_order: [{ phase: 'later' }] } },
      'decomposition.execution_order.0.phase',
    ],
    [
      'more than 20,000 subgoals',
      { decomposition: { subgoals: Array.from({ length: 20_001 }, () => ({})) } },
      'decomposition.subgoals',
    ],
    ['a score above 1', given([1.01, 1, 1, 1]), 'scores.completeness'],
    ['a score below 0', given([1, 1, 1, -0.1]), 'scores.routability'],
    [
      'a score that is text',
      { scores: { ...named(high), consistency: 'high' } },
      'scores.consistency',
    ],
    ['a score that is missing', { scores: { completeness: 1 } }, 'scores.consistency'],
    ['an unknown verdict', given(high, { verdict: 'pass' }), 'scores.verdict'],
    ['scores that are a list', { scores: [1, 1, 1, 1] }, 'scores'],
  ])('SOAR-2 SOAR-11 %s is refused by its member', (_what, changes, path) => {
    const { error } = DecompositionSubject.safeParse({ ...body, ...changes });
    expect(error?.issues.map((each) => each.path.join('.'))).toContain(path);
  });

  it('SOAR-14 500 subgoals are verified in under 50 ms of processor time without a judge', async () => {
    const subgoals = Array.from({ length: 500 }, (_, i) => ({
      id: `s${i}`,
      description: `Do ${i}`,
      agent: 'coder',
      depends_on: i > 0 ? [`s${i - 1}`] : [],
    }));
    const times: number[] = [];
    const subject = read({ ...body, decomposition: { goal: 'g', subgoals }, ...given(middle) });
    const setting = settingOf({});
    for (let run = 0; run < 7; run++) {
      const verify = async (): Promise<void> => {
        const walk = await walkPlan(decomposition.plan(subject, setting), contextWith(undefined));
        expect(decomposition.decide(walk, subject, setting).verdict).toBe('RETRY');
      };
      times.push(await processorMsOf(verify));
    }
    expect(times.toSorted((a, b) => a - b)[3]).toBeLessThan(50);
  });
});
