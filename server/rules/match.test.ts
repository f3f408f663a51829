import { describe, expect, test } from 'vitest';
import { processorMsSince } from '../../testing/processor-time';
import { noSourceSettings } from '../domain';
import type { Outcome } from '../domain';
import type { RuleTurn } from '../ingest';
import { describeFilter, RuleBody, type RuleFilter } from './input';
import { samplePosition, decideByRule, matchesPattern, type Rule } from './match';
import { planVerifications } from './plan-verifications';

const turn = (over: Partial<RuleTurn> = {}): RuleTurn => ({
  projectId: 'prj_1',
  id: 't-1',
  sessionId: 's-1',
  traceId: null,
  userId: null,
  source: 'chat',
  model: 'openai/gpt-4o',
  origin: 'api',
  tags: ['prod', 'eu'],
  metadata: { team: 'ops', tier: 2, beta: true },
  hasSources: true,
  answerChars: 100,
  ...over,
});

const rule = (over: Partial<Rule> = {}): Rule => ({
  name: 'r',
  version: 3,
  verifier: 'integrity',
  verifierTargets: ['turn', 'trace'],
  target: 'turn',
  filter: {},
  mapping: null,
  sampling: 1,
  sampleBy: 'subject',
  every: null,
  delaySeconds: 0,
  dailyBudget: null,
  dailyBudgetUsd: null,
  sources: noSourceSettings,
  enabled: true,
  ...over,
});

const reasonOf = (filter: RuleFilter, over: Partial<RuleTurn> = {}) =>
  decideByRule(rule({ filter }), turn(over)).reason;

describe('filters', () => {
  test.each<[RuleFilter]>([
    [{}],
    [{ model: 'openai/gpt-4o' }],
    [{ model: 'openai/*' }],
    [{ model: ['anthropic/*', '*4o'] }],
    [{ source: 'chat', origin: ['otlp', 'api'], session_id: 's-*' }],
    [{ tags: ['eu', 'prod'] }],
    [{ metadata: { team: 'ops', tier: [1, 2], beta: true } }],
    [{ has_sources: true, min_answer_chars: 100 }],
    [{ tags: 'pro*', metadata: { team: 'o*' }, trace_id: 'tr-*', user_id: ['u-1'] }],
    [{ any: [{ model: 'x' }, { tags: 'eu', source: 'chat' }] }],
    [{ not: { model: 'x' } }],
    [{ not: { any: [{ model: 'x' }, { source: 'y' }], has_sources: true } }],
    [{ any: [{ not: { source: 'y' }, any: [{ tags: 'eu' }] }] }],
  ])('X-10 every clause of %j matches: the turn runs', (filter) => {
    expect(decideByRule(rule({ filter }), turn({ traceId: 'tr-1', userId: 'u-1' }))).toEqual({
      rule: 'r',
      ruleVersion: 3,
      verifier: 'integrity',
      state: 'run',
      reason: null,
    });
  });

  test.each<[RuleFilter, Partial<RuleTurn>, string]>([
    [{ model: 'claude-*' }, { model: 'gpt-4o' }, 'model: "gpt-4o" is not "claude-*"'],
    [{ model: ['a', 'b'] }, {}, 'model: "openai/gpt-4o" is not "a" or "b"'],
    [{ model: '*' }, { model: null }, 'model: the subject has none, "*" is required'],
    [{ model: '*', source: 'batch' }, {}, 'source: "chat" is not "batch"'],
    [{ session_id: 's-2' }, {}, 'session_id: "s-1" is not "s-2"'],
    [{ origin: 'otlp' }, {}, 'origin: "api" is not "otlp"'],
    [{ tags: ['prod', 'us'] }, {}, 'tags: "us" is missing'],
    [{ metadata: { team: 'dev' } }, {}, 'metadata "team": "ops" is not "dev"'],
    [{ metadata: { tier: '2' } }, {}, 'metadata "tier": 2 is not "2"'],
    [
      { metadata: { constructor: 'x' } },
      {},
      'metadata "constructor": the subject has none, "x" is required',
    ],
    [
      { metadata: { team: 'dev' } },
      { metadata: { team: 'x'.repeat(500) } },
      `metadata "team": "${'x'.repeat(79)}… is not "dev"`,
    ],
    [
      { has_sources: true },
      { hasSources: false },
      'has_sources: the subject has no tool result and no context block',
    ],
    [{ has_sources: false }, {}, 'has_sources: the subject has sources'],
    [{ min_answer_chars: 101 }, {}, 'min_answer_chars: 100 is less than 101'],
    [{ user_id: 'u-*' }, {}, 'user_id: the subject has none, "u-*" is required'],
    [{ tags: ['pro*', 'us*'] }, {}, 'tags: "us*" is missing'],
    [{ metadata: { tier: '*' } }, {}, 'metadata "tier": 2 is not "*"'],
    [
      { any: [{ model: 'x' }, { source: 'y' }] },
      {},
      'any: model: "openai/gpt-4o" is not "x"; source: "chat" is not "y"',
    ],
    [{ not: { source: 'chat', tags: 'eu' } }, {}, 'not: all its clauses hold'],
  ])('X-10 the clause of %j that does not match is the reason', (filter, over, reason) => {
    expect(decideByRule(rule({ filter }), turn(over))).toMatchObject({
      state: 'filtered',
      reason,
    });
  });

  test('X-10 a reason is storable, whatever the turn contains', () => {
    const reason =
      reasonOf({ model: 'x' }, { model: `a\u0000\ud800${'\u{1f600}'.repeat(60)}` }) ?? '';
    expect(reason.isWellFormed()).toBe(true);
    expect(reason).not.toContain('\u0000');
  });

  test.each([
    ['abc', 'abc', true],
    ['abc', 'ab', false],
    ['abc', '*', true],
    ['', '*', true],
    ['abc', 'a*c', true],
    ['abc', 'a*b', false],
    ['a', 'a*a', false],
    ['aa', 'a*a', true],
    ['abab', 'ab*ab', true],
    ['aba', 'ab*ba', false],
    ['x-1-y-2', '*-*-*-*', true],
    ['x-1-y', '*-*-*-*', false],
    ['a.c', 'a?c', false],
    ['a+c', 'a+c', true],
    ['abc', '**c', true],
  ])('X-10 %j against %j is %j', (value, pattern, matches) => {
    expect(matchesPattern(value, pattern)).toBe(matches);
  });

  test('R-90 a pattern of stars over a long value costs no more than its length', () => {
    const started = process.cpuUsage();
    expect(matchesPattern(`${'a'.repeat(300)}b`, `${'*a'.repeat(150)}*c`)).toBe(false);
    expect(processorMsSince(started)).toBeLessThan(500);
  });
});

describe('sampling', () => {
  const ids = Array.from({ length: 4000 }, (_, n) => `t-${n}`);
  const taken = (sampling: number) =>
    ids.filter((id) => decideByRule(rule({ sampling }), turn({ id })).state === 'run');

  test('X-10 a rate selects its share, deterministically, and a higher rate a superset', () => {
    const quarter = taken(0.25);
    expect(quarter.length / ids.length).toBeGreaterThan(0.22);
    expect(quarter.length / ids.length).toBeLessThan(0.28);
    expect(taken(0.25)).toEqual(quarter);
    const half = new Set(taken(0.5));
    expect(quarter.every((id) => half.has(id))).toBe(true);
    expect(taken(0)).toEqual([]);
    expect(taken(1)).toEqual(ids);
  });

  test('X-10 a turn not selected records its bucket and the rate', () => {
    const id = ids.find((each) => samplePosition('r', each) >= 0.25) ?? '';
    const reason = decideByRule(rule({ sampling: 0.25 }), turn({ id })).reason ?? '';
    expect(reason).toMatch(/^not sampled: bucket 0\.\d{4} is not below the rate 0\.25$/);
    expect(Number(/bucket (0\.\d{4})/.exec(reason)?.[1])).toBeCloseTo(samplePosition('r', id), 3);
  });

  test('X-10 sampling by session selects all subjects of a session or none; without a session each is sampled on its own', () => {
    const drawn = rule({ sampling: 0.5, sampleBy: 'session' });
    const states = (sessionId: string | null) =>
      new Set(ids.slice(0, 50).map((id) => decideByRule(drawn, turn({ id, sessionId })).state));
    const sessions = Array.from({ length: 40 }, (_, n) => states(`s-${n}`));
    expect(sessions.every((each) => each.size === 1)).toBe(true);
    expect(new Set(sessions.flatMap((each) => [...each])).size).toBe(2);
    expect(states(null).size).toBe(2);
  });

  test('X-10 two rules sample independently', () => {
    expect(ids.some((id) => samplePosition('a', id) < 0.5 !== samplePosition('b', id) < 0.5)).toBe(
      true,
    );
  });
});

describe('planned verifications of a turn', () => {
  let serial = 0;
  const planTurns = (...rules: Rule[]) =>
    planVerifications({
      rules,
      target: 'turn',
      subject: turn(),
      newVerdictId: () => `ver_${++serial}`,
    });

  test('X-10 two rules with one verifier lead to one verdict; the second records which rule planned it', () => {
    serial = 0;
    expect(
      planTurns(
        rule({ name: 'a', delaySeconds: 60 }),
        rule({ name: 'b' }),
        rule({ name: 'c', filter: { model: 'x' } }),
      ),
    ).toEqual({
      verdicts: [{ verdictId: 'ver_1', verifier: 'integrity', rule: 'a', delaySeconds: 60 }],
      decisions: [
        {
          rule: 'a',
          ruleVersion: 3,
          verifier: 'integrity',
          state: 'run',
          reason: null,
          verdictId: 'ver_1',
        },
        {
          rule: 'b',
          ruleVersion: 3,
          verifier: 'integrity',
          state: 'duplicate',
          reason: 'the rule "a" sends it to integrity',
          verdictId: null,
        },
        expect.objectContaining({ rule: 'c', state: 'filtered', verdictId: null }),
      ],
    });
  });

  test('X-10 a rule for another target decides nothing', () => {
    expect(planTurns(rule({ target: 'trace' }), rule({ target: 'trace', enabled: false }))).toEqual(
      {
        verdicts: [],
        decisions: [],
      },
    );
  });

  test('X-10 a disabled rule leaves its verifier to the next one', () => {
    expect(planTurns(rule({ name: 'a', enabled: false }), rule({ name: 'b' }))).toMatchObject({
      verdicts: [{ rule: 'b' }],
      decisions: [
        { rule: 'a', state: 'blocked' },
        { rule: 'b', state: 'run' },
      ],
    });
  });

  test.each<[string, Partial<Rule>, string]>([
    ['a rule that is switched off', { enabled: false }, 'the rule is switched off'],
    [
      'a rule that is off, whatever its filter and share say',
      { enabled: false, filter: null, sampling: 0 },
      'the rule is switched off',
    ],
    [
      'a filter that this release cannot read',
      { filter: null },
      'this release cannot read the filter of the rule',
    ],
    [
      'sources that this release cannot read',
      { sources: null },
      'this release cannot read the sources of the rule',
    ],
    [
      'a verifier that this release does not have',
      { verifier: 'tasks', verifierTargets: [] },
      'the project has no verifier "tasks"',
    ],
    [
      'a verifier that does not verify turns',
      { verifier: 'synthesis', verifierTargets: ['trace'] },
      'synthesis does not verify a turn',
    ],
  ])('X-10 %s selects nothing, and says so', (_what, over, reason) => {
    expect(planTurns(rule(over))).toMatchObject({
      verdicts: [],
      decisions: [{ state: 'blocked', reason, verdictId: null }],
    });
  });
});

describe('rules that wait for a verdict', () => {
  const after = (verifier: string): Partial<Rule> => ({
    filter: { verdict: { verifier, outcome: 'failed' } },
  });
  const plan = (rules: Rule[], stored?: ReadonlyMap<string, Outcome>) =>
    planVerifications({
      rules,
      target: 'turn',
      subject: turn(),
      newVerdictId: () => 'ver_1',
      ...(stored && { stored }),
    });

  test('X-10 a rule waits if the verdict will come, in any order of the rules', () => {
    const { verdicts, decisions } = plan([
      rule({ name: 'a', verifier: 'task', ...after('integrity') }),
      rule({ name: 'b' }),
      rule({ name: 'c', verifier: 'code', ...after('task') }),
    ]);
    expect(verdicts.map(({ rule: name, awaits }) => [name, awaits])).toEqual([
      ['a', { verifier: 'integrity', outcomes: ['failed'] }],
      ['b', undefined],
      ['c', { verifier: 'task', outcomes: ['failed'] }],
    ]);
    expect(decisions.map(({ state }) => state)).toEqual(['run', 'run', 'run']);
  });

  test.each<[string, Rule[]]>([
    ['no rule asks for it', [rule({ verifier: 'task', ...after('integrity') })]],
    [
      'its rule leaves the subject out',
      [rule({ filter: { model: 'x' } }), rule({ verifier: 'task', ...after('integrity') })],
    ],
    [
      'two wait for each other',
      [rule({ verifier: 'task', ...after('code') }), rule({ verifier: 'code', ...after('task') })],
    ],
  ])('X-10 where %s, nothing waits forever', (_what, rules) => {
    const { verdicts, decisions } = plan(rules);
    expect(verdicts).toEqual([]);
    expect(decisions.every(({ state }) => state === 'filtered')).toBe(true);
    expect(decisions.at(-1)?.reason).toMatch(/^verdict: \w+ gives none$/);
  });

  test.each<[Outcome | null, string, string | null]>([
    ['failed', 'run', null],
    ['passed', 'filtered', 'verdict: the outcome of integrity is passed'],
    [null, 'filtered', 'verdict: integrity gives none'],
  ])('X-10 of stored verdicts %j decides at once', (outcome, state, reason) => {
    const stored = new Map(outcome === null ? [] : [['integrity', outcome]]);
    const { verdicts, decisions } = plan(
      [rule({ verifier: 'task', ...after('integrity') })],
      stored,
    );
    expect(decisions).toMatchObject([{ state, reason }]);
    expect(verdicts.every(({ awaits }) => awaits === undefined)).toBe(true);
  });
});

describe('validation of input', () => {
  test.each<[string, unknown, string]>([
    ['an unknown clause', { verifier: 'integrity', filter: { modle: 'x' } }, 'modle'],
    ['an unknown member', { verifier: 'integrity', rate: 1 }, 'rate'],
    [
      '__proto__ among the metadata',
      JSON.parse('{"verifier":"integrity","filter":{"metadata":{"__proto__":"x"}}}'),
      '__proto__',
    ],
    [
      '__proto__ as a clause',
      JSON.parse('{"verifier":"integrity","filter":{"__proto__":{"model":"x"}}}'),
      '__proto__',
    ],
  ])('S-5 %s is refused by name', (_what, body, name) => {
    const parsed = RuleBody.safeParse(body);
    expect(parsed.success).toBe(false);
    expect(JSON.stringify(parsed.error?.issues)).toContain(name);
  });

  test('X-10 omitted members have their defaults', () => {
    expect(RuleBody.parse({ verifier: 'integrity' })).toEqual({
      verifier: 'integrity',
      target: 'turn',
      filter: {},
      mapping: null,
      sampling: 1,
      sample_by: 'subject',
      every: null,
      delay_seconds: 0,
      daily_budget: null,
      daily_budget_usd: null,
      sources: noSourceSettings,
      enabled: true,
    });
  });

  test.each<[RuleFilter, string | null]>([
    [{}, null],
    [{ model: ['a*', 'b'], tags: ['x', 'y'] }, 'model: "a*" or "b", tags: "x" and "y"'],
    [
      { metadata: { tier: [1, 2] }, has_sources: false, min_answer_chars: 20 },
      'metadata "tier": 1 or 2, without sources, answers of at least 20 characters',
    ],
    [
      {
        tags: 'x',
        any: [{ model: 'a' }, { model: 'b', has_sources: true }],
        not: { source: 'c' },
        verdict: { verifier: 'integrity', outcome: ['failed', 'inconclusive'] },
      },
      'tags: "x", (model: "a" or model: "b", with sources), not (source: "c"), after integrity: "failed" or "inconclusive"',
    ],
  ])('X-10 %j in words', (filter, words) => {
    expect(describeFilter(filter)).toBe(words);
  });
});
