import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caseCount } from '../../../testing/case-count';
import { contextWith } from '../../../testing/scripted-judge';
import { deriveOutcome } from '../../domain';
import type { RunSetting } from '../kind';
import { CustomSubject } from '../custom';
import { walkPlan } from '../walk';
import { ChecksConfig, ChecksDetail, checksKind } from '.';
import { basisOfChecks } from './verdict';

const noJudge = () => Promise.reject(new Error('no model is called'));

function settingOf(
  config: Record<string, unknown>,
  thresholds: Record<string, number> = {},
): RunSetting<ChecksConfig> {
  return {
    config: ChecksConfig.parse({ name: 'Basics', ...config }),
    thresholds: new Map(
      Object.entries({ pass_threshold: 0.5, ...thresholds }).map(([key, value]) => [
        key,
        { value, source: 'default' as const, version: 0 },
      ]),
    ),
    retries: { used: 0, budget: 2 },
    prompts: new Map(),
    judges: [],
    fallbackJudges: [],
    whyNone: 'none is needed',
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
  };
}

async function verify(
  checks: readonly unknown[],
  subject: Record<string, unknown>,
  {
    config = {},
    thresholds = {},
    variables = {},
  }: {
    readonly config?: object;
    readonly thresholds?: Record<string, number>;
    readonly variables?: Record<string, unknown>;
  } = {},
) {
  const setting = settingOf({ checks, ...config }, thresholds);
  const read = CustomSubject.parse({ subject, variables });
  const walk = await walkPlan(checksKind.plan(read, setting), contextWith(noJudge));
  const decided = checksKind.decide(walk, read, setting);
  expect(ChecksDetail.parse(JSON.parse(JSON.stringify(decided.detail)))).toEqual(decided.detail);
  const again = checksKind.rederive?.(JSON.parse(JSON.stringify(decided.basis)));
  expect(again?.(setting.thresholds)).toMatchObject({
    verdict: decided.verdict,
    needsHumanReview: decided.needsHumanReview,
  });
  return { ...decided, outcome: deriveOutcome(decided.verdict), scores: walk.scores };
}

const met = { check: 'contains', value: 'a' };
const missed = { check: 'contains', value: 'z' };
const unscored = { check: 'latency_ms', max: 1 };
const broken = { check: 'regex', value: '^.*a.{900}$' };
const output = { output: 'a' };
const large = { output: 'ab'.repeat(500_000) };

describe('the verdict of checks', () => {
  it('the example of the contract', async () => {
    const decided = await verify(
      [
        {
          check: 'tool_called',
          name: 'search',
          arguments: { query: { contains: 'refund' } },
          must_pass: true,
        },
        { check: 'latency_ms', max: 5000, weight: 1 },
        { check: 'pii', types: ['email', 'card', 'iban'], field: '$.output', must_pass: true },
      ],
      {
        output: 'You get it back. Write to a@example.com.',
        tools: [{ name: 'search', arguments: { query: 'refund policy' } }],
        latency_ms: 812,
      },
    );
    expect(decided).toMatchObject({ verdict: 'fail', score: 0.6667, action: 'retry' });
    expect(decided.detail.results).toEqual([
      {
        check: 'tool_called',
        name: 'Calls "search" with these arguments',
        met: true,
        value: 1,
        state: 'scored',
        reasoning:
          '"search" was called 1 times, 1 of them with matching arguments; required: at least 1',
        field: null,
      },
      expect.objectContaining({ check: 'latency_ms', met: true, field: null }),
      expect.objectContaining({ check: 'pii', met: false, value: 0, field: '$.output' }),
    ]);
    expect(decided.issues).toEqual([
      {
        code: 'check_not_met',
        message:
          'Has no e-mail addresses, card numbers, IBANs: the text has personal data (e-mail addresses: 1)',
        severity: 'high',
        path: 'checks[2]',
      },
    ]);
    expect(decided.feedback).toBe(
      'Attempt 1 of 3 failed "Basics". Fix these points and keep the rest:\n- Has no e-mail addresses, card numbers, IBANs (must be met): the text has personal data (e-mail addresses: 1)',
    );
    expect(decided.judgeCost).toMatchObject({ calls: 0, costUsd: 0 });
    expect(decided.scores[2]).toMatchObject({ must_pass: true, evaluator: 'checks.pii@1' });
  });

  it.each([
    ['all met', [met, met], output, { verdict: 'pass', score: 1, action: 'accept' }],
    ['all missed', [missed], output, { verdict: 'fail', score: 0, action: 'retry' }],
    ['weights', [{ ...met, weight: 2 }, missed], output, { verdict: 'pass', score: 0.6667 }],
    ['weights of 0', [{ ...met, weight: 0 }], output, { verdict: 'pass', score: 1 }],
    [
      'a required one missed',
      [met, met, { ...missed, must_pass: true }],
      output,
      { verdict: 'fail', score: 0.6667 },
    ],
    [
      'half of a required list',
      [met, { check: 'keywords', value: ['a', 'z'], must_pass: true }],
      output,
      { verdict: 'fail', score: 0.75 },
    ],
    ['an unscored one', [met, unscored], output, { verdict: 'pass', score: 1 }],
    [
      'a required one unscored',
      [met, { ...unscored, must_pass: true }],
      output,
      { verdict: 'pass', score: 1 },
    ],
    [
      'only unscored ones',
      [unscored],
      output,
      { verdict: null, score: null, action: 'none', needsHumanReview: false },
    ],
    [
      'a broken one',
      [met, broken],
      large,
      { verdict: null, score: null, action: 'escalate', needsHumanReview: true },
    ],
    [
      'a broken one and a required one missed',
      [{ ...missed, must_pass: true }, broken],
      large,
      { verdict: null, needsHumanReview: true },
    ],
  ])('%s', async (_name, checks, subject, expected) => {
    const decided = await verify(checks, subject);
    expect(decided).toMatchObject(expected);
    expect(decided.detail.results).toHaveLength(checks.length);
    expect(decided.feedback === null).toBe(decided.verdict !== 'fail');
  });

  it('a broken check is neither a score nor a pass, and gives the reason', async () => {
    const { detail, issues, outcome } = await verify([broken], large);
    expect(outcome).toBe('inconclusive');
    expect(detail.results[0]).toMatchObject({ state: 'failed', met: null, value: null });
    expect(issues).toMatchObject([{ code: 'check_broke', severity: 'high', path: 'checks[0]' }]);
    expect(issues[0]?.message).toContain('too large for a text');
  });

  it('the pass threshold decides', async () => {
    for (const [threshold, verdict] of [
      [0.5, 'pass'],
      [0.51, 'fail'],
    ] as const) {
      const decided = await verify([met, missed], output, {
        thresholds: { pass_threshold: threshold },
      });
      expect(decided.verdict).toBe(verdict);
    }
  });

  it('checks read mapped variables', async () => {
    const { verdict } = await verify(
      [{ check: 'contains', reference: '$.policy' }],
      { output: 'within 14 days' },
      { config: { mapping: { policy: '$.context[0].content' } }, variables: { policy: '14 days' } },
    );
    expect(verdict).toBe('pass');
  });

  it('reads every target', async () => {
    for (const target of ['turn', 'trace', 'session', 'mission'])
      expect((await verify([met], { target, output: 'a' })).verdict).toBe('pass');
  });
});

describe('the value', () => {
  const score = fc.record({
    state: fc.constantFrom('scored', 'unscored', 'failed'),
    met: fc.boolean(),
    weight: fc.integer({ min: 0, max: 5 }),
    must_pass: fc.boolean(),
  });
  const scoresOf = (given: typeof score extends fc.Arbitrary<infer T> ? T[] : never) =>
    given.map(({ state, met: isMet, weight, must_pass }) => ({
      name: 'x',
      evaluator: 'checks.x@1',
      reasoning: null,
      evidence: [],
      model: null,
      prompt_version: null,
      cost_usd: 0,
      latency_ms: 0,
      cached: false,
      weight,
      must_pass,
      ...(state === 'scored'
        ? { state: 'scored' as const, value: isMet ? 1 : 0, met: isMet }
        : {
            state: state === 'failed' ? ('failed' as const) : ('unscored' as const),
            value: null,
            met: null,
          }),
    }));

  it('is a mean of the scored checks, whatever their order', () => {
    fc.assert(
      fc.property(fc.array(score, { maxLength: 8 }), (given) => {
        const scores = scoresOf(given);
        const basis = basisOfChecks(scores);
        expect(basisOfChecks(scores.toReversed())).toEqual(basis);
        const values = scores.flatMap(({ value }) => (value === null ? [] : [value]));
        expect(basis.value === null).toBe(values.length === 0);
        expect(basis.value ?? Infinity).toBeGreaterThanOrEqual(Math.min(...values));
        expect(basis.value ?? -Infinity).toBeLessThanOrEqual(Math.max(...values));
        const mustFail = scores.some((each) => each.must_pass && each.met === false);
        expect(basis.must_pass === 0).toBe(mustFail);
        expect(basis.broken).toBe(scores.some(({ state }) => state === 'failed'));
      }),
      { numRuns: caseCount(2_000) },
    );
  });
});

describe('the definition', () => {
  const faultOf = (config: object): string => {
    const issue = ChecksConfig.safeParse({ name: 'x', checks: [met], ...config }).error?.issues[0];
    return `${issue?.path.join('.')}: ${issue?.message}`;
  };

  it('gives the defaults, and is the same when it is parsed again', () => {
    const config = ChecksConfig.parse({ name: 'x', checks: [met] });
    expect(config).toMatchObject({
      targets: ['turn', 'trace', 'session', 'mission'],
      thresholds: { pass_threshold: 0.5 },
      checks: [{ check: 'contains', value: 'a', weight: 1, must_pass: false, field: '$.output' }],
    });
    expect(ChecksConfig.parse(JSON.parse(JSON.stringify(config)))).toEqual(config);
  });

  it.each([
    [{ checks: [] }, 'checks: '],
    [{ checks: Array.from({ length: 101 }, () => met) }, 'checks: '],
    [
      { checks: [met, { check: 'contain', value: 'a' }] },
      'checks.1.check: is not known; did you mean `contains`?',
    ],
    [
      { checks: [{ ...met, filed: '$.output' }] },
      'checks.0.filed: is not known; did you mean `field`?',
    ],
    [
      { checks: [{ ...met, field: '$.outptu' }] },
      'checks.0.field: reads the member "outptu" of a turn or trace or session or mission, which is not known; did you mean `output`?',
    ],
    [
      { targets: ['turn'], checks: [{ ...met, field: '$.turns[0].output' }] },
      'checks.0.field: reads the member "turns" of a turn, which is not known',
    ],
    [
      { mapping: { policy: '$.context' }, checks: [{ check: 'equals', reference: '$.polcy' }] },
      'did you mean `policy`?',
    ],
    [{ extra: 1 }, ': '],
  ])('%j is refused', (config, fault) => {
    expect(faultOf(config)).toContain(fault);
  });

  it('a query may read a mapped variable', () => {
    const checks = [{ ...met, field: '$.policy' }];
    expect(faultOf({ mapping: { policy: '$.context' }, checks })).toBe('undefined: undefined');
  });
});
