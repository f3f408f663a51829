import { expect, test } from 'vitest';
import { orderSteps } from './plan-shape';

test('VS-8 steps are listed in the order of the run; a cycle is a fault of the plan', () => {
  const node = (name: string, cost: number, needs: string[] = []) => ({
    name,
    cost,
    needs,
    evaluator: 'e@1',
    mustPass: false,
    weight: 1,
    timeoutMs: 1,
    run: () => {
      throw new Error('never run');
    },
  });
  const steps = orderSteps([
    node('expensive', 100),
    node('after', 0, ['expensive']),
    node('gate', 10),
    node('free', 0),
  ]);
  expect(steps.map(({ name, cost }) => [name, cost])).toEqual([
    ['free', 'free'],
    ['gate', 'gate'],
    ['expensive', 'judge'],
    ['after', 'free'],
  ]);
  expect(() => orderSteps([node('a', 0, ['b']), node('b', 0, ['a'])])).toThrow('has a cycle');
});
