import { describe, expect, it } from 'vitest';
import {
  contextWith,
  plainPrompt,
  type Script,
  scriptedAsk,
  type SeenQuestion,
} from '../../../testing/scripted-judge';
import { resolveThresholds } from '../../thresholds';
import type { RunSetting } from '../kind';
import { walkPlan } from '../walk';
import { consistency } from './index';
import { ConsistencyConfig, ConsistencyDetail, ConsistencySubject } from './subject';

const prompt = plainPrompt('{{context}}\n{{first}}\n{{second}}\n{{format}}');
const outputs = [
  { task_id: 'a', output: 'The risk is high.' },
  { task_id: 'b', output: 'The risk is high, too.' },
  { task_id: 'c', output: 'The risk is low.' },
];

type Severity = 'low' | 'medium' | 'high';

function reply(
  { nonce }: SeenQuestion,
  score: number,
  severities: readonly Severity[] = [],
  confidence = 0.9,
): string {
  const issues = severities.map((severity) => ({
    description: 'They differ.',
    severity,
    first_quote: 'risk is',
    second_quote: 'risk is',
  }));
  return JSON.stringify({ nonce, reasoning: 'Compared.', issues, score, confidence });
}

async function verify(
  given: readonly object[],
  script: Script,
  changes: { config?: object; setting?: Partial<RunSetting<ConsistencyConfig>> } = {},
) {
  const subject = ConsistencySubject.parse(
    JSON.parse(
      JSON.stringify(ConsistencySubject.parse({ outputs: given, shared_context: 'One brief.' })),
    ),
  );
  const setting: RunSetting<ConsistencyConfig> = {
    config: ConsistencyConfig.parse(changes.config ?? {}),
    thresholds: resolveThresholds({ verifier: 'consistency', missionId: null, taskId: null }, []),
    retries: { used: 0, budget: 2 },
    prompts: new Map([['consistency-pair', prompt]]),
    judges: ['j:one'],
    fallbackJudges: [],
    whyNone: null,
    notJudged: null,
    cached: null,
    session: [],
    project: { neutralProof: 'literal', semanticJudge: false },
    ...changes.setting,
  };
  const { ask, requests } = scriptedAsk(script);
  const walk = await walkPlan(consistency.plan(subject, setting), contextWith(ask));
  const decided = consistency.decide(walk, subject, setting);
  expect(ConsistencyDetail.parse(decided.detail)).toEqual(decided.detail);
  return { decided, requests, walk };
}

const never: Script = () => {
  throw new Error('no judge may be asked');
};
const firstOf = ({ data }: SeenQuestion): string =>
  (data.get('first') as { task_id: string }).task_id;

describe('consistency', () => {
  it.each([[[]], [outputs.slice(0, 1)], [[...outputs.slice(0, 1), { task_id: 'x', output: ' ' }]]])(
    'VS-42 fewer than two outputs are consistent without a judge: %j',
    async (given) => {
      expect((await verify(given, never)).decided).toMatchObject({
        verdict: 'consistent',
        score: 1,
        action: 'accept',
      });
    },
  );

  it('VS-42 one question a pair, and the worst one decides', async () => {
    const { decided, requests } = await verify(outputs, (seen) =>
      reply(seen, firstOf(seen) === 'b' ? 2 : 5),
    );
    expect(requests).toHaveLength(3);
    expect(decided).toMatchObject({
      verdict: 'inconsistent',
      score: 0.25,
      action: 'retry',
      judgeCost: { calls: 3 },
    });
    expect(
      decided.detail.pairs.map(({ a, b, score, consistent }) => [a, b, score, consistent]),
    ).toEqual([
      ['a', 'b', 1, true],
      ['a', 'c', 1, true],
      ['b', 'c', 0.25, false],
    ]);
  });

  it.each<[string, number, readonly Severity[], string]>([
    ['a high issue outweighs a high score', 5, ['high'], 'inconsistent'],
    ['a medium one does not', 4, ['medium', 'low'], 'consistent'],
    ['the threshold is inclusive', 3.8, [], 'consistent'],
    ['and below it is inconsistent', 3.7, [], 'inconsistent'],
  ])('VS-42 %s', async (_title, score, severities, verdict) => {
    const { decided } = await verify(outputs.slice(0, 2), (seen) => reply(seen, score, severities));
    expect(decided.verdict).toBe(verdict);
    expect(
      decided.detail.pairs[0]?.issues.map(({ task_ids, severity }) => [task_ids, severity]),
    ).toEqual(severities.map((each) => [['a', 'b'], each]));
  });

  it('X-3 a judge that broke leaves no verdict, unless another pair contradicts itself', async () => {
    const two = outputs.slice(0, 2);
    expect((await verify(two, () => 'consistent!')).decided).toMatchObject({
      verdict: null,
      score: null,
      action: 'escalate',
      needsHumanReview: true,
    });
    const script: Script = (seen) =>
      firstOf(seen) === 'a' ? { errorClass: 'timeout' } : reply(seen, 1);
    expect((await verify(outputs, script)).decided.verdict).toBe('inconsistent');
    expect((await verify(two, never, { setting: { judges: [] } })).decided).toMatchObject({
      verdict: null,
      issues: [{ code: 'no_judge' }],
    });
    const bypassed = {
      setting: { notJudged: { state: 'bypassed' as const, reason: 'below_cost_floor' } },
    };
    expect((await verify(two, never, bypassed)).decided).toMatchObject({
      verdict: null,
      action: 'none',
      needsHumanReview: false,
    });
  });

  it('S-28 in both orders, a judge that changes its mind is a tie, shown, and for a person', async () => {
    const flips: Script = (seen) => reply(seen, firstOf(seen) === 'a' ? 5 : 1);
    const { decided, requests } = await verify(outputs.slice(0, 2), flips, {
      config: { both_orders: true },
    });
    expect(requests).toHaveLength(2);
    expect(decided).toMatchObject({
      verdict: null,
      confidence: 0.45,
      needsHumanReview: true,
      issues: [{ code: 'order_tie' }],
    });
    const steady = await verify(outputs.slice(0, 2), (seen) => reply(seen, 5), {
      config: { both_orders: true },
    });
    expect(steady.decided).toMatchObject({ verdict: 'consistent', score: 1, confidence: 0.9 });
  });

  it('VS-42 S-125 each call has 4,000 characters of each output', async () => {
    const long = [{ task_id: 'a', output: 'x '.repeat(10_000) }, outputs[1] ?? {}];
    const { decided, requests } = await verify(long, (seen) => reply(seen, 5));
    expect(requests.length).toBeGreaterThan(5);
    for (const { messages } of requests.slice(0, -1))
      expect(messages[0]?.content.length).toBeLessThan(7_500);
    expect(decided).toMatchObject({ verdict: 'consistent', needsHumanReview: false, issues: [] });
  });

  it('S-125 two outputs of too many pairs of windows are never a clean pass', async () => {
    const long = ['a', 'b'].map((task_id) => ({ task_id, output: `${task_id} `.repeat(20_000) }));
    const { decided, requests } = await verify(long, (seen) => reply(seen, 5));
    expect(requests).toHaveLength(1);
    expect(decided).toMatchObject({
      needsHumanReview: true,
      action: 'escalate',
      confidence: 0.5,
      issues: [{ code: 'shortened' }],
    });
    const again = consistency.rederive?.(decided.basis)?.(new Map());
    expect(again).toMatchObject({ outcome: 'needs_review', needsHumanReview: true });
  });

  it('quotes have their output and position', async () => {
    const { walk } = await verify(outputs.slice(0, 2), (seen) => reply(seen, 3, ['medium']));
    expect(walk.scores[0]?.evidence.map(({ ref }) => ref)).toEqual(['a:4-11', 'b:4-11']);
  });

  it.each([
    ['a task twice', [outputs[0], outputs[0]]],
    ['21 outputs', Array.from({ length: 21 }, (_, i) => ({ task_id: `t${i}`, output: 'x' }))],
    ['no id', [{ output: 'x' }]],
  ])('%s is refused', (_title, given) => {
    expect(ConsistencySubject.safeParse({ outputs: given }).success).toBe(false);
  });
});
