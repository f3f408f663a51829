import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CounterRow,
  type CounterRows,
  mergeRows,
  findDuplicates,
  recentMax,
  counterTotal,
  withoutDuplicates,
  withRequest,
} from './counter';

const request = fc.record({
  hash: fc.constantFrom('a', 'b', 'c', 'd'),
  epoch: fc.nat(3),
  units: fc.constantFrom(0, 200, 1000),
});
const row = (replica: string): fc.Arbitrary<CounterRow> =>
  fc.record({
    replica: fc.constant(replica),
    epoch: fc.nat(3),
    version: fc.nat(4),
    units: fc.nat(5000),
    recent: fc.uniqueArray(request, { selector: ({ hash }) => hash, maxLength: 4 }),
  });
const rows: fc.Arbitrary<CounterRows> = fc
  .uniqueArray(fc.constantFrom('r1', 'r2', 'r3'), { maxLength: 3 })
  .chain((replicas) => fc.tuple(...replicas.map(row)))
  .map((all) => new Map(all.map((each) => [each.replica, each])));

const plain = (merged: CounterRows) =>
  Object.fromEntries([...merged].sort(([one], [other]) => (one < other ? -1 : 1)));

test('X-10 rows of replicas merge to the same result in any order, grouping and number of times', () => {
  fc.assert(
    fc.property(rows, rows, rows, (a, b, c) => {
      expect(plain(mergeRows(a, b))).toEqual(plain(mergeRows(b, a)));
      expect(plain(mergeRows(mergeRows(a, b), c))).toEqual(plain(mergeRows(a, mergeRows(b, c))));
      expect(plain(mergeRows(a, a))).toEqual(plain(a));
      expect(plain(mergeRows(mergeRows(a, b), b))).toEqual(plain(mergeRows(a, b)));
      const one = counterTotal(mergeRows(a, b).values());
      expect(counterTotal(mergeRows(b, a).values())).toEqual(one);
      expect(one.units).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 500 },
  );
});

interface Replica {
  own: CounterRow;
  known: CounterRows;
}

type Step = {
  readonly at: number;
  readonly do: 'count' | 'sync';
  readonly with: number;
  readonly hash: string;
};

const step: fc.Arbitrary<Step> = fc.record({
  at: fc.nat(2),
  do: fc.constantFrom('count' as const, 'sync' as const),
  with: fc.nat(2),
  hash: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
});

/** The behaviour of `Sessions` without its clock and storage. */
function play(steps: readonly Step[]): readonly Replica[] {
  let version = 0;
  const replicas: Replica[] = ['r1', 'r2', 'r3'].map((replica) => ({
    own: { replica, epoch: 0, version: 0, units: 0, recent: [] },
    known: new Map(),
  }));
  const sync = (to: Replica, from: Replica): void => {
    const known = mergeRows(
      mergeRows(to.known, from.known),
      new Map([[from.own.replica, from.own]]),
    );
    to.known = new Map([...known].filter(([replica]) => replica !== to.own.replica));
    const duplicates = findDuplicates([to.own, ...to.known.values()]).flatMap((each) =>
      each.replica === to.own.replica ? [each.request] : [],
    );
    to.own = withoutDuplicates(to.own, ++version, duplicates);
  };
  for (const { at, do: what, with: other, hash } of steps) {
    const one = replicas[at];
    const two = replicas[other];
    if (one === undefined || two === undefined) continue;
    if (what === 'sync' && one !== two) sync(one, two);
    const isKnown = [one.own, ...one.known.values()].some(({ recent }) =>
      recent.some((each) => each.hash === hash),
    );
    if (what === 'count' && !isKnown) one.own = withRequest(one.own, ++version, 1000, hash);
  }
  for (let round = 0; round < 4; round++)
    for (const to of replicas) for (const from of replicas) if (to !== from) sync(to, from);
  return replicas;
}

test('X-10 a request that reaches several replicas counts once, whenever they exchange rows', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const replicas = play(steps);
      const counted = new Set(steps.filter((each) => each.do === 'count').map(({ hash }) => hash));
      for (const { own, known } of replicas)
        expect(counterTotal([own, ...known.values()]).units).toBe(counted.size * 1000);
    }),
    { numRuns: 500 },
  );
});

test('duplicates are left out of the sum before they are subtracted, and subtracted once', () => {
  const one: CounterRow = {
    replica: 'r1',
    epoch: 0,
    version: 1,
    units: 2000,
    recent: [{ hash: 'a', epoch: 0, units: 1000 }],
  };
  const two: CounterRow = { ...one, replica: 'r2', version: 2, units: 1000 };
  expect(counterTotal([one, two])).toEqual({ epoch: 0, units: 2000 });
  const duplicates = findDuplicates([one, two]);
  expect(duplicates.map(({ replica }) => replica)).toEqual(['r2']);
  const given = withoutDuplicates(
    two,
    3,
    duplicates.map(({ request: back }) => back),
  );
  expect(given.units).toBe(0);
  expect(findDuplicates([one, given])).toEqual([]);
  expect(counterTotal([one, given])).toEqual({ epoch: 0, units: 2000 });
});

test('a row lists only the last requests', () => {
  let counted: CounterRow = { replica: 'r', epoch: 0, version: 0, units: 0, recent: [] };
  for (let n = 0; n < 100; n++) counted = withRequest(counted, n, 1000, `h${n}`);
  expect(counted.recent).toHaveLength(recentMax);
  expect(counted.recent.at(-1)?.hash).toBe('h99');
  expect(counted.units).toBe(100_000);
});
