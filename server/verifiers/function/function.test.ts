import { describe, expect, it } from 'vitest';
import { EvaluationSubject } from '../../domain';
import type { FunctionArguments, FunctionOutcome, RunFunctions } from '../../evaluators/functions';
import type { RunSetting } from '../kind';
import type { CustomSubject } from '../custom';
import { walkPlan } from '../walk';
import { FunctionConfig, FunctionDetail, functionKind } from '.';
import { knownParameters } from './arguments';

const config = FunctionConfig.parse({
  name: 'Own',
  mapping: { policy: '$.context[0].content' },
  function: { language: 'python', source: 'def evaluate(output): return 1' },
});
const setting: RunSetting<FunctionConfig> = {
  config,
  thresholds: new Map(),
  retries: { used: 0, budget: 2 },
  prompts: new Map(),
  judges: [],
  fallbackJudges: [],
  whyNone: null,
  notJudged: null,
  cached: null,
  session: [],
  project: { neutralProof: 'literal', semanticJudge: false },
};
const subject: CustomSubject = {
  subject: EvaluationSubject.parse({ input: 'Q', output: 'A', metadata: { tier: 'paid' } }),
  variables: { policy: 'P' },
};

const score = { name: null, label: null, reason: null, metadata: null, weight: 1, mustPass: false };
const one = (value: number | null, more = {}): FunctionOutcome => ({
  state: 'returned',
  value,
  mustPass: null,
  isList: false,
  scores: [{ ...score, score: value, ...more }],
  stdout: 'printed',
  durationMs: 3,
});
const fault: FunctionOutcome = {
  state: 'failed',
  reason: 'KeyError: 1',
  line: 4,
  stdout: '',
  durationMs: 1,
};
const list: FunctionOutcome = {
  state: 'returned',
  value: 0.9,
  mustPass: 0.2,
  isList: true,
  scores: [
    { ...score, name: 'tone', score: 1 },
    { ...score, name: 'facts', score: 0.2, reason: 'wrong year', mustPass: true },
  ],
  stdout: '',
  durationMs: 3,
};

async function decide(outcome: FunctionOutcome | null) {
  const asked: FunctionArguments[] = [];
  const functions: RunFunctions = {
    load: () => Promise.reject(new Error('not used')),
    run: (_source, subjects) => {
      asked.push(...subjects);
      return Promise.resolve(outcome === null ? [] : [outcome]);
    },
  };
  const walk = await walkPlan(functionKind.plan(subject, setting), {
    now: () => 0,
    signal: new AbortController().signal,
    ...(outcome !== null && { functions }),
  });
  return { walk, asked, decision: functionKind.decide(walk, subject, setting) };
}

describe('a function', () => {
  it.each<readonly [string, FunctionOutcome | null, object, object]>([
    [
      'passes from the threshold up',
      one(0.5, { label: 'good', metadata: { n: 1 } }),
      { state: 'scored', value: 0.5, met: true, name: 'Own', latency_ms: 3 },
      { verdict: 'pass', score: 0.5, action: 'accept', issues: [], feedback: null },
    ],
    [
      'fails below it, with its reason',
      one(0.4, { reason: 'too long' }),
      { state: 'scored', value: 0.4, met: false, reasoning: 'too long' },
      {
        verdict: 'fail',
        action: 'retry',
        feedback: 'too long',
        issues: [{ code: 'low_score', message: 'too long', severity: 'medium', path: null }],
      },
    ],
    [
      'has no verdict without a score',
      one(null),
      { state: 'unscored', value: null, reasoning: 'evaluate returned no score' },
      { verdict: null, action: 'none', needsHumanReview: false, score: null },
    ],
    [
      'fails by a score that must pass',
      list,
      { state: 'scored', value: 0.9, met: false, reasoning: 'tone 1; facts 0.2: wrong year' },
      { verdict: 'fail', score: 0.9, feedback: 'facts: wrong year' },
    ],
    [
      'that raises is failed, and reviewed',
      fault,
      { state: 'failed', value: null, reasoning: 'KeyError: 1' },
      {
        verdict: null,
        score: null,
        action: 'escalate',
        needsHumanReview: true,
        issues: [
          { code: 'function_failed', message: 'line 4: KeyError: 1', severity: 'high', path: null },
        ],
      },
    ],
    [
      'without a sandbox is failed',
      null,
      { state: 'failed', reasoning: 'the function was not run: this process has no sandbox' },
      { verdict: null, needsHumanReview: true },
    ],
  ])('%s', async (_what, outcome, expectedScore, expected) => {
    const { walk, decision } = await decide(outcome);
    expect(walk.scores).toMatchObject([expectedScore]);
    expect(decision).toMatchObject(expected);
    expect(FunctionDetail.parse(decision.detail)).toEqual(decision.detail);
    const again = functionKind.rederive?.(decision.basis)?.(setting.thresholds);
    expect([again?.verdict, again?.needsHumanReview]).toEqual([
      decision.verdict,
      decision.needsHumanReview,
    ]);
  });

  it('reports its result and its output', async () => {
    const { decision } = await decide(one(1, { label: 'good', reason: 'r', metadata: { n: 1 } }));
    expect(decision.detail).toEqual({
      label: 'good',
      reason: 'r',
      metadata: { n: 1 },
      stdout: 'printed',
      duration_ms: 3,
      scores: [],
      error: null,
    });
    const several = await decide(list);
    expect(several.decision.detail.scores).toMatchObject([
      { name: 'tone', score: 1, weight: 1, must_pass: false },
      { name: 'facts', score: 0.2, reason: 'wrong year', must_pass: true },
    ]);
    expect((await decide(fault)).decision.detail.error).toEqual({
      message: 'KeyError: 1',
      line: 4,
    });
  });

  it('gets variables, members and the subject by name, and nothing else', async () => {
    const { asked } = await decide(one(1));
    const [given] = asked;
    const values = ['policy', 'output', 'metadata', 'subject', 'constructor', 'nothing'].map(
      (name) => given?.valueOf(name),
    );
    expect(values).toEqual(['P', 'A', { tier: 'paid' }, subject.subject, undefined, undefined]);
    expect(given?.names).toEqual(expect.arrayContaining(['policy', 'output', 'steps']));
    expect(given?.names).not.toContain('subject');
    expect(knownParameters(config)).toEqual(expect.arrayContaining(['policy', 'turns', 'subject']));
  });

  it('is left to the slow lane', async () => {
    const ctx = { now: () => 0, signal: new AbortController().signal };
    const walk = await walkPlan(functionKind.plan(subject, setting), ctx, 10);
    expect(walk.left).toHaveLength(1);
  });
});

describe('the definition of a function', () => {
  const valid = { language: 'python', source: 'def evaluate(): pass' };
  it.each<readonly [object, string, RegExp]>([
    [{ ...valid, language: 'ruby' }, 'language', /python/],
    [{ ...valid, timeout_ms: 99 }, 'timeout_ms', /100/],
    [{ ...valid, timeout_ms: 30_001 }, 'timeout_ms', /30000/],
    [{ ...valid, source: ' \n' }, 'source', /is empty; define a function evaluate/],
    [{ ...valid, source: 'x'.repeat(100_001) }, 'source', /more than 100000 characters/],
    [{ ...valid, source: 'a\u0000' }, 'source', /NUL character/],
    [{ ...valid, timeout: 1 }, '', /timeout/],
  ])('%# is refused by its field', (definition, field, message) => {
    const read = FunctionConfig.safeParse({ name: 'Own', function: definition });
    expect(read.error?.issues).toMatchObject([
      {
        path: field === '' ? ['function'] : ['function', field],
        message: expect.stringMatching(message),
      },
    ]);
  });

  it('has a time limit of two seconds', () => {
    expect(FunctionConfig.parse({ name: 'Own', function: valid }).function.timeout_ms).toBe(2_000);
  });
});
