import { expect, test } from 'vitest';
import type { PlanStep } from '@/app/_trpc/outputs';
import { box, layPlan } from './plan-layout';

const step = (name: string, cost: PlanStep['cost'], needs: string[] = []): PlanStep => ({
  name,
  title: name,
  cost,
  needs,
  evaluator: 'x@1',
  mustPass: false,
  weight: 1,
});

test('VS-8 VS-15 more expensive nodes are further right, and dependencies left of their dependents', () => {
  const { steps, edges, stages, width, height } = layPlan([
    step('screen', 'free'),
    step('check 1', 'free'),
    step('criterion 1', 'judge'),
    step('completeness', 'judge'),
    step('accuracy', 'judge', ['completeness']),
    step('clarity', 'judge', ['accuracy']),
  ]);
  const x = new Map(steps.map((each) => [each.step.name, each.x]));
  expect(x.get('screen')).toBe(x.get('check 1'));
  expect(x.get('criterion 1')).toBeGreaterThan(x.get('screen') ?? Infinity);
  expect(x.get('completeness')).toBe(x.get('criterion 1'));
  expect(edges.map(({ from, to }) => [from.step.name, to.step.name, to.x > from.x])).toEqual([
    ['completeness', 'accuracy', true],
    ['accuracy', 'clarity', true],
  ]);
  expect(stages.map(({ cost }) => cost)).toEqual(['free', 'judge']);
  expect(new Set(steps.map((each) => `${each.x} ${each.y}`)).size).toBe(steps.length);
  for (const each of steps) {
    expect(each.x + box.width).toBeLessThanOrEqual(width);
    expect(each.y + box.height).toBeLessThanOrEqual(height);
  }
});

test('an empty plan is drawn as nothing', () => {
  expect(layPlan([])).toMatchObject({ steps: [], edges: [], stages: [] });
});
