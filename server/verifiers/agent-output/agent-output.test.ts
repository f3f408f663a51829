import { describe, expect, it } from 'vitest';
import { processorMsOf } from '../../../testing/processor-time';
import { contextWith } from '../../../testing/scripted-judge';
import { resolveThresholds } from '../../thresholds';
import type { RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { agentOutput } from './index';
import { AgentOutputConfig, AgentOutputDetail, AgentOutputSubject } from './subject';

const subgoal = {
  id: 'sg1',
  description: 'Find the definition of calculate_total in the billing module',
  critical: false,
};
const good = {
  agent: 'code-analyzer',
  summary: 'The function calculate_total is defined in billing.py, line 40.',
  data: { path: 'billing.py', line: 40 },
  confidence: 0.85,
  tools_used: ['grep'],
  metadata: {},
};

interface Call {
  readonly output?: unknown;
  readonly critical?: boolean;
  readonly used?: number;
  readonly agents?: readonly string[];
  readonly thresholds?: ReadonlyMap<string, number>;
}

async function verify({
  output = good,
  critical = false,
  used = 0,
  agents = ['code-analyzer', 'searcher'],
  thresholds,
}: Call) {
  const body = { subgoal: { ...subgoal, critical }, output, agents_available: agents };
  const subject = AgentOutputSubject.parse(
    JSON.parse(JSON.stringify(AgentOutputSubject.parse(body))),
  );
  const config = AgentOutputConfig.parse({});
  const setting: RunSetting<AgentOutputConfig> = {
    config,
    thresholds: resolveThresholds(
      { verifier: 'agent-output', missionId: null, taskId: null },
      [],
      thresholds,
    ),
    retries: { used, budget: config.retry_budget },
    prompts: new Map(),
    judges: [],
    fallbackJudges: [],
    whyNone: 'no provider is configured',
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
  };
  const walk = await walkPlan(
    agentOutput.plan(subject, setting),
    contextWith(() => Promise.reject(new Error('nobody is to be asked'))),
  );
  const decided = agentOutput.decide(walk, subject, setting);
  expect(AgentOutputDetail.parse(decided.detail)).toEqual(decided.detail);
  return { ...decided, scores: walk.scores };
}

const without = (member: string): object =>
  Object.fromEntries(Object.entries(good).filter(([name]) => name !== member));

describe('the format of an output', () => {
  it.each([
    ['an empty summary', { ...good, summary: '  ' }, 'summary: is empty'],
    ['no summary', without('summary'), 'summary: must be a text, not missing'],
    ['no data', without('data'), 'data: is missing; it may be empty'],
    [
      'a confidence above 1',
      { ...good, confidence: 1.2 },
      'confidence: must be a number from 0 to 1, not 1.2',
    ],
    [
      'a confidence below 0',
      { ...good, confidence: -0.1 },
      'confidence: must be a number from 0 to 1, not -0.1',
    ],
    [
      'a confidence in words',
      { ...good, confidence: 'high' },
      'confidence: must be a number from 0 to 1, not a text',
    ],
    [
      'tools that are no list',
      { ...good, tools_used: 'grep' },
      'tools_used: must be a list of names, not a text',
    ],
    [
      'a tool that is no name',
      { ...good, tools_used: ['grep', 3] },
      'tools_used[1]: must be a name, not a number',
    ],
    [
      'metadata that is a list',
      { ...good, metadata: [] },
      'metadata: must be an object, not a list',
    ],
    ['no metadata', without('metadata'), 'metadata: must be an object, not missing'],
    [
      'a list',
      [good],
      'the output must be an object with summary, data, confidence, tools_used and metadata, not a list',
    ],
    [
      'nothing',
      null,
      'the output must be an object with summary, data, confidence, tools_used and metadata, not null',
    ],
  ])('SOAR-16 %s is told, and never passes', async (_title, output, message) => {
    const decided = await verify({ output });
    expect(decided.detail).toMatchObject({ format_valid: false, format_errors: [message] });
    expect(decided.verdict).not.toBe('PASS');
    expect(decided.scores[0]).toMatchObject({ value: 0, met: false });
  });

  it.each([
    { ...good, data: null },
    { ...good, data: {} },
    { ...good, tools_used: [] },
    { ...good, confidence: 1 },
  ])('SOAR-16 empty data and no tools are a valid form: %o', async (output) => {
    expect(await verify({ output })).toMatchObject({
      verdict: 'PASS',
      detail: { format_valid: true, format_errors: [] },
    });
  });

  it('an output must be there', () => {
    expect(AgentOutputSubject.safeParse({ subgoal }).success).toBe(false);
  });

  it('SOAR-16 a subgoal has an id as long as a decomposition may give it', () => {
    const read = (length: number) =>
      AgentOutputSubject.safeParse({ subgoal: { id: 'x'.repeat(length) }, output: null });
    expect([read(500).success, read(501).success]).toEqual([true, false]);
  });
});

describe('the verdict on an output', () => {
  it.each([
    [0.7, 0, 'PASS', 'use', 'accept'],
    [0.7, 2, 'PASS', 'use', 'accept'],
    [0.69995, 0, 'PASS', 'use', 'accept'],
    [0.6999, 0, 'RETRY', 'retry_other_agent', 'retry'],
    [0.5, 1, 'RETRY', 'retry_other_agent', 'retry'],
    [0.6, 2, 'FAIL', 'partial_with_warning', 'accept_with_warning'],
    [0.4999, 0, 'FAIL', 'partial_with_warning', 'accept_with_warning'],
  ] as const)(
    'SOAR-18 a confidence of %d after %d retries: %s, %s',
    async (confidence, used, verdict, next, action) => {
      const decided = await verify({ output: { ...good, confidence }, used });
      expect(decided).toMatchObject({
        verdict,
        action,
        score: confidence,
        judgeCost: { calls: 0 },
        detail: { verdict, next },
      });
    },
  );

  it('SOAR-18 a critical subgoal that fails ends the query', async () => {
    const decided = await verify({ output: { ...good, confidence: 0.3 }, critical: true });
    expect(decided).toMatchObject({
      verdict: 'FAIL',
      action: 'abort',
      detail: { next: 'abort_query', warning: null },
    });
  });

  it('SOAR-18 another agent is called if there is one, else the same with other instructions', async () => {
    const output = { ...good, confidence: 0.6 };
    expect((await verify({ output })).detail).toMatchObject({
      next: 'retry_other_agent',
      next_agent: 'searcher',
    });
    expect((await verify({ output, agents: ['Code-Analyzer'] })).detail).toMatchObject({
      next: 'retry_same_agent',
      next_agent: null,
    });
    const same = await verify({ output, agents: [] });
    expect(same.detail.retry_feedback).toMatch(
      /^PREVIOUS ATTEMPT FEEDBACK:\n.*\n[^]*in another way/,
    );
    expect(same.feedback).toBe(same.detail.retry_feedback);
  });

  it.each([
    [0.9, 0, 'RETRY'],
    [0.9, 2, 'FAIL'],
    [0.6, 1, 'RETRY'],
    [0.4, 0, 'FAIL'],
    ['none', 0, 'RETRY'],
    ['none', 2, 'FAIL'],
  ] as const)(
    'SOAR-19 an invalid form with a confidence of %s after %d retries: %s',
    async (confidence, used, verdict) => {
      const decided = await verify({ output: { ...good, summary: '', confidence }, used });
      expect(decided).toMatchObject({ verdict, detail: { format_valid: false } });
    },
  );

  it.each([
    [0.6, 0, ['low_confidence']],
    [0.6999, 2, ['low_confidence']],
    [0.7, 0, []],
  ] as const)(
    'SOAR-18 a confidence of %d after %d retries is an issue: %j',
    async (confidence, used, codes) => {
      const { issues } = await verify({ output: { ...good, confidence }, used });
      expect(issues.map(({ code }) => code)).toEqual(codes);
      for (const issue of issues)
        expect(issue).toMatchObject({ severity: 'medium', path: 'output.confidence' });
    },
  );

  it('SOAR-19 of an invalid form a low confidence is no issue, and is named where it barred a retry', async () => {
    const { issues, detail } = await verify({ output: { ...good, summary: '', confidence: 0.4 } });
    expect(issues.map(({ code }) => code)).toEqual(['invalid_format']);
    const why = 'summary: is empty; its confidence is 0.4, and below 0.5 there is no retry';
    expect(detail.error).toBe(`The output for subgoal sg1 failed: ${why}`);
    expect(detail.warning).toContain(`(${why})`);
    const last = await verify({ output: { ...good, summary: '', confidence: 0.6 }, used: 2 });
    expect(last.detail.error).toMatch(/: summary: is empty$/);
  });

  it('SOAR-12 feedback names the attempt, and from the second on what each fault asks for', async () => {
    const output = {
      ...good,
      confidence: 0.6,
      summary: 'The function calculate_total is defined in the',
    };
    const feedbacks = await Promise.all(
      [0, 1].map(async (used) => (await verify({ output, used })).feedback ?? ''),
    );
    expect(feedbacks.map((text) => text.split('\n')[1])).toEqual([
      'Attempt 1 of 3: an output for subgoal sg1 by code-analyzer was not accepted.',
      'Attempt 2 of 3: an output for subgoal sg1 by code-analyzer was not accepted.',
    ]);
    expect(feedbacks[0]).not.toContain('What to do about it:');
    expect(feedbacks[1]).toMatch(/What to do about it:\n- low confidence: .*\n- truncated: .*\n/);
  });

  it('SOAR-20 a failed output needs an error message, and never passes', async () => {
    const failed = { ...without('summary'), success: false };
    expect(
      (await verify({ output: { ...failed, error: 'the index is gone' } })).detail,
    ).toMatchObject({
      format_valid: true,
      verdict: 'RETRY',
      confidence: 0.85,
    });
    expect((await verify({ output: failed })).detail.format_errors).toEqual([
      'error: an output that failed says why; it is empty',
    ]);
    const bare = await verify({ output: { success: false, error: 'the index is gone' } });
    expect(bare).toMatchObject({
      verdict: 'RETRY',
      score: null,
      detail: { format_valid: true, format_errors: [] },
    });
    const wrong = await verify({ output: { error: 'the index is gone', confidence: 7 } });
    expect(wrong.detail.format_errors).toEqual(['confidence: must be a number from 0 to 1, not 7']);
    const last = await verify({
      output: { ...failed, error: { message: 'the index is gone' } },
      used: 2,
    });
    expect(last).toMatchObject({
      verdict: 'FAIL',
      issues: [{ code: 'agent_failed', message: 'The agent failed: the index is gone' }],
    });
    expect(last.detail.warning).toContain('the index is gone');
    expect(
      (await verify({ output: { ...good, success: true, error: 'none worth telling' } })).verdict,
    ).toBe('PASS');
  });

  it('SOAR-13 reports whether the confidence or the retries ended it', async () => {
    expect((await verify({ output: { ...good, confidence: 0.2 } })).detail.error).toBe(
      'The output for subgoal sg1 failed: its confidence is 0.2',
    );
    expect(
      (await verify({ output: { ...good, confidence: 0.6 }, used: 2 })).detail.error,
    ).toContain('after 2 retries');
  });

  it('uses the current thresholds', async () => {
    const output = { ...good, confidence: 0.6 };
    expect((await verify({ output, thresholds: new Map([['pass_threshold', 0.6]]) })).verdict).toBe(
      'PASS',
    );
    expect(
      (await verify({ output, thresholds: new Map([['retry_threshold', 0.65]]) })).verdict,
    ).toBe('FAIL');
  });
});

describe('SOAR-17 the content of an output', () => {
  const codesOf = async (changes: object): Promise<readonly string[]> =>
    (await verify({ output: { ...good, ...changes } })).issues.map(({ code }) => code);

  it.each([
    [
      'speaks of something else',
      { summary: 'Weather reports mention heavy rainfall tomorrow evening.', data: {} },
      'off_topic',
    ],
    [
      'ends in the middle',
      { summary: 'The function calculate_total is defined in the' },
      'truncated',
    ],
    [
      'ends with dots',
      { summary: 'The function calculate_total is defined in billing...' },
      'truncated',
    ],
    [
      'leaves a block of code open',
      { summary: 'calculate_total is:\n```py\ndef calculate_total(' },
      'truncated',
    ],
    [
      'is too sure',
      { summary: 'The definition of calculate_total was not found.', confidence: 0.95 },
      'confidence_too_high',
    ],
    ['is too unsure', { confidence: 0.2 }, 'low_confidence', 'confidence_too_low'],
  ])('a summary that %s is told', async (_title, changes, ...codes) => {
    expect(await codesOf(changes)).toEqual(codes);
  });

  it.each([
    ['a whole one', {}],
    [
      'one in other forms of the same words',
      { summary: 'Definitions found: calculated totals come from billing.py.' },
    ],
    [
      'one whose data speak of it',
      { summary: 'Here it is, as wished for.', data: { definition: 'calculate_total' } },
    ],
    [
      'a modest one that names the missing part',
      { summary: 'calculate_total was not found.', confidence: 0.2 },
    ],
  ])('%s is not', async (_title, changes) => {
    expect((await codesOf(changes)).filter((code) => code !== 'low_confidence')).toEqual([]);
  });

  it('does not decide by it', async () => {
    expect(
      await verify({
        output: { ...good, summary: 'Rainfall is expected tomorrow evening…', data: {} },
      }),
    ).toMatchObject({
      verdict: 'PASS',
    });
  });

  it('is read in linear time', async () => {
    for (const text of ['not '.repeat(250_000), '`'.repeat(1_000_000), 'could n'.repeat(150_000)]) {
      expect(
        await processorMsOf(() => verify({ output: { ...good, summary: text } })),
        text.slice(0, 8),
      ).toBeLessThan(2_000);
    }
  });
});
