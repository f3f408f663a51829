import { describe, expect, test } from 'vitest';
import type { Score } from '../domain';
import { measuredBy } from '../evaluators';
import type { NodeResult, PlanNode } from './plan-node';
import { checkPlan, walkPlan } from './walk';

const ctx = { now: () => performance.now(), signal: new AbortController().signal };

function scored(name: string, value: number): NodeResult {
  const score: Score = {
    ...measuredBy(`test.${name}@1`, name),
    state: 'scored',
    value,
    met: value >= 0.5,
  };
  return { score, detail: name };
}

function node(name: string, part: Partial<PlanNode> = {}): PlanNode {
  return {
    name,
    evaluator: `test.${name}@1`,
    needs: [],
    mustPass: false,
    weight: 1,
    cost: 0,
    timeoutMs: 200,
    run: () => scored(name, 1),
    ...part,
  };
}

const states = (scores: readonly Score[]): string[] =>
  scores.map((score) => `${score.name} ${score.state}`);

describe('the walk', () => {
  test('the cheapest ready node runs first, after its dependencies', async () => {
    const plan = [
      node('judge', { cost: 100 }),
      node('gate', { cost: 10, needs: ['check'] }),
      node('check'),
    ];
    const { scores } = await walkPlan(plan, ctx);
    expect(scores.map((score) => score.name)).toEqual(['check', 'gate', 'judge']);
  });

  test('an early must-pass failure skips the more expensive nodes, not its equals', async () => {
    let asked = false;
    const judge = node('judge', { cost: 100, run: () => ((asked = true), scored('judge', 1)) });
    const plan = [
      judge,
      node('must', { mustPass: true, run: () => scored('must', 0) }),
      node('equal'),
    ];
    const { scores } = await walkPlan(plan, ctx);
    expect(states(scores)).toEqual(['must scored', 'equal scored', 'judge unscored']);
    expect(asked).toBe(false);
    expect(scores.at(-1)?.reasoning).toContain('"must"');
  });

  test.each<[string, Partial<PlanNode>, string]>([
    [
      'throws',
      {
        run: () => {
          throw new Error('no such column');
        },
      },
      'no such column',
    ],
    ['rejects', { run: () => Promise.reject(new Error('gone')) }, 'gone'],
    [
      'never answers',
      { timeoutMs: 20, run: () => new Promise<NodeResult>(() => undefined) },
      'no answer within 20 ms',
    ],
    ['gives NaN', { run: () => scored('bad', Number.NaN) }, 'broke'],
    ['gives 1.5', { run: () => scored('bad', 1.5) }, 'broke'],
  ])(
    'X-3 an evaluator that %s ends as failed, what needs it as unscored, its neighbours unharmed',
    async (_, part, reason) => {
      const plan = [node('bad', part), node('child', { needs: ['bad'] }), node('good')];
      const { scores, details } = await walkPlan(plan, ctx);
      expect(states(scores).sort()).toEqual(['bad failed', 'child unscored', 'good scored']);
      const failed = scores.find((score) => score.state === 'failed');
      expect(failed?.value).toBeNull();
      expect(failed?.reasoning).toContain(reason);
      expect(details.has('bad')).toBe(false);
    },
  );

  test('VS-8 expensive nodes are left for later, and only if one of them would run', async () => {
    let asked = false;
    const judge = node('judge', {
      cost: 100,
      needs: ['check'],
      run: () => ((asked = true), scored('judge', 1)),
    });
    const open = await walkPlan([judge, node('check')], ctx, 100);
    expect(states(open.scores)).toEqual(['check scored']);
    expect(open.left).toEqual([judge]);
    const stopped = await walkPlan(
      [judge, node('check', { mustPass: true, run: () => scored('check', 0) })],
      ctx,
      100,
    );
    expect(states(stopped.scores)).toEqual(['check scored', 'judge unscored']);
    expect(stopped.left).toEqual([]);
    const broken = await walkPlan(
      [judge, node('check', { run: () => Promise.reject(new Error('gone')) })],
      ctx,
      100,
    );
    expect(states(broken.scores)).toEqual(['check failed', 'judge unscored']);
    expect(asked).toBe(false);
  });

  test('every node ends in exactly one score', async () => {
    const plan = Array.from({ length: 30 }, (_, i) =>
      node(`n${i}`, { cost: i % 4, needs: i > 3 ? [`n${i - 3}`] : [] }),
    );
    const { scores } = await walkPlan(plan, ctx);
    expect(new Set(scores.map((score) => score.name)).size).toBe(30);
  });

  test.each<[string, PlanNode[]]>([
    ['cycle', [node('a', { needs: ['b'] }), node('b', { needs: ['a'] })]],
    ['two nodes of one name', [node('a'), node('a')]],
    ['does not have', [node('a', { needs: ['ghost'] })]],
  ])('a plan with a fault is refused: %s', (words, plan) => {
    expect(() => checkPlan(plan)).toThrow(words);
  });
});
