import { expect, test } from 'vitest';
import { processorMsSince } from '../../testing/processor-time';
import { ceilingOf, type RatedItem } from './human-ceiling';

const item = (machine: RatedItem['machine'], votes: Record<string, boolean>): RatedItem => ({
  machine,
  votes: new Map(Object.entries(votes)),
});

/** V1 as two people's labels of 200 items; the verifier agrees with the first. */
const v1 = [
  ...Array.from({ length: 42 }, () => item('failed', { ann: false, bob: false })),
  ...Array.from({ length: 8 }, () => item('passed', { ann: true, bob: false })),
  ...Array.from({ length: 15 }, () => item('failed', { ann: false, bob: true })),
  ...Array.from({ length: 135 }, () => item('passed', { ann: true, bob: true })),
];

test('calibration.md 5.2: alpha and kappa of V1 between two people, and the verifier next to them on the same items', () => {
  const ceiling = ceilingOf(v1);
  expect(ceiling).toMatchObject({ items: 200, raters: 2 });
  expect(ceiling.alpha.value).toBeCloseTo(0.7073, 4);
  expect(ceiling.alpha.low).toBeGreaterThan(0.55);
  expect(ceiling.alpha.high).toBeLessThan(0.85);
  expect(ceiling.pairs).toHaveLength(1);
  expect(ceiling.pairs[0]).toMatchObject({ one: 'ann', other: 'bob' });
  expect(ceiling.pairs[0]?.kappa.value).toBeCloseTo(0.707, 4);
  expect(ceiling.pairs[0]?.kappa.low).toBeCloseTo(0.5959, 4);
  // 1 with ann, 0.7070 with bob.
  expect(ceiling.machine.value).toBeCloseTo((1 + 0.707) / 2, 4);
  expect(ceilingOf(v1)).toEqual(ceiling);
});

test('X-12: without common labels, or with only one class, no agreement is known', () => {
  expect(ceilingOf([])).toMatchObject({
    items: 0,
    raters: 0,
    alpha: { value: null },
    pairs: [],
    machine: { value: null, n: 0 },
  });
  const same = Array.from({ length: 30 }, () => item('passed', { ann: true, bob: true }));
  expect(ceilingOf(same)).toMatchObject({
    items: 30,
    alpha: { value: null },
    machine: { value: null },
  });
});

test('calibration.md 5.2: pairs of raters are sorted by their common items; undecided verdicts are outside the verifier’s kappa', () => {
  const items = [
    ...v1,
    ...Array.from({ length: 5 }, (_, at) => item(null, { ann: at % 2 === 0, cat: true })),
    item('passed', { bob: true, cat: true }),
  ];
  const ceiling = ceilingOf(items);
  expect(ceiling.pairs.map(({ one, other, kappa }) => [one, other, kappa.n])).toEqual([
    ['ann', 'bob', 200],
    ['ann', 'cat', 5],
  ]);
  expect(ceiling.machine.n).toBe(201);
});

test('calibration.md 5.2: 300 people on 2,000 items delay no one, and 20 pairs are listed', () => {
  const names = Array.from({ length: 300 }, (_, at) => `rater ${at}`);
  const items = Array.from({ length: 2000 }, (_, at) =>
    item(
      at % 4 === 0 ? 'failed' : 'passed',
      Object.fromEntries(names.map((name, who) => [name, (at * 7 + who * 3) % 5 !== 0])),
    ),
  );
  const began = process.cpuUsage();
  const ceiling = ceilingOf(items);
  const spent = processorMsSince(began);
  expect(ceiling).toMatchObject({
    items: 2000,
    raters: 300,
    alpha: { n: 2000 },
    machine: { n: 2000 },
  });
  expect(ceiling.alpha.low).not.toBeNull();
  expect(ceiling.pairs).toHaveLength(20);
  // Microseconds of this process: it would be 15 s with pairs of all raters and full resampling.
  expect(spent).toBeLessThan(15_000);
});
