import { expect, test } from 'vitest';
import { createRandom } from './random';
import { dawidSkene, majority, type Vote } from './raters';

test.each([
  [['a', 'b', 'a'], 'a', 2],
  [['a', 'b'], null, 1],
  [['a'], 'a', 1],
  [[], null, 0],
  [['__proto__', '__proto__', 'b'], '__proto__', 2],
])('calibration.md 5.10 majority of %j is %s', (votes, label, count) => {
  expect(majority(votes)).toEqual({ label, votes: count, of: votes.length });
});

test('calibration.md 5.10 Dawid and Skene: one who is right mostly outweighs two who guess, which the majority cannot', () => {
  const random = createRandom(510);
  const right = { ann: 0.95, bea: 0.9, cem: 0.55, dan: 0.55, eva: 0.55 };
  const truth = Array.from({ length: 400 }, () => (random() < 0.3 ? 'bad' : 'good'));
  const items = truth.map((one): Vote[] =>
    Object.entries(right).map(([rater, share]) => ({
      rater,
      label: random() < share ? one : one === 'bad' ? 'good' : 'bad',
    })),
  );
  const told = dawidSkene(items);
  if (!told) throw new Error('no result');
  const byModel = told.posterior.filter(
    (row, i) => row && told.classes[(row[0] ?? 0) > (row[1] ?? 0) ? 0 : 1] === truth[i],
  ).length;
  const byMajority = items.filter(
    (votes, i) => majority(votes.map(({ label }) => label)).label === truth[i],
  ).length;
  expect(byModel / 400).toBeGreaterThan(0.92);
  expect(byModel).toBeGreaterThan(byMajority + 20);
  expect(told.classes).toEqual(['bad', 'good']);
  const bad = truth.filter((one) => one === 'bad').length / 400;
  expect(Math.abs((told.prior[0] ?? 0) - bad)).toBeLessThan(0.05);
  expect(told.confusion.get('ann')?.[0]?.[0]).toBeGreaterThan(0.85);
  expect(told.confusion.get('cem')?.[0]?.[0]).toBeLessThan(0.7);
  for (const rows of told.confusion.values())
    for (const row of rows) expect(row.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
});

test('X-12 calibration.md 5.10 two raters, one class, no votes: nothing to tell; an item without votes stays open', () => {
  const vote = (rater: string, label: string): Vote => ({ rater, label });
  expect([
    dawidSkene([]),
    dawidSkene([[vote('a', 'x'), vote('b', 'y')]]),
    dawidSkene([[vote('a', 'x'), vote('b', 'x'), vote('c', 'x')]]),
  ]).toEqual([null, null, null]);
  expect(
    dawidSkene([[vote('a', 'x'), vote('b', 'x'), vote('c', 'y')], []])?.posterior[1],
  ).toBeNull();
});
