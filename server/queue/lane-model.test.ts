import { describe, expect, test } from 'vitest';
import { explore } from '../../testing/explore-lane';
import {
  type Faults,
  firstState,
  type Lane,
  type ModelState,
  stepsOf,
} from '../../testing/lane-model';
import { maxDeaths } from './claim';

const isLong = process.env.ASSAY_LONG === '1';
const twoWorkers = [0, 1];
/** One process with the two loops of the lane, and another with one. */
const twoLoops = [0, 0, 1];
const noFaults: Faults = { crashes: 0, pauses: 0, storage: 0, lostClaims: 0 };
interface Case {
  readonly rows: number;
  readonly processes: readonly number[];
  readonly killers: readonly number[];
  readonly faults: Partial<Faults>;
}

const laneOf = ({ processes, killers }: Case, without?: Lane['without']): Lane => ({
  processes,
  killers: new Set(killers),
  maxDeaths,
  ...(without !== undefined && { without }),
});

/**
 * No verdict is stored twice or without completed work, an expired claim has no effect, and no
 * innocent row is quarantined.
 */
const ruleFor =
  ({ killers }: Case) =>
  ({ rows: all }: ModelState): boolean =>
    all.every(
      ({ state, verdicts, stale }, row) =>
        verdicts === (state === 'done' ? 1 : 0) &&
        stale === 0 &&
        (state !== 'quarantined' || killers.includes(row)) &&
        (state !== 'done' || !killers.includes(row)),
    );

const run = (given: Case, without?: Lane['without']) => {
  const lane = laneOf(given, without);
  const start = firstState(given.rows, lane, { ...noFaults, ...given.faults });
  return explore(start, lane, ruleFor(given));
};

// A row is quarantined after three deaths of its workers. A batch with a killer counts as one death
// for its neighbours. With a killer, one more fault is allowed; without one, two.
const cases: readonly Case[] = [
  { processes: twoWorkers, rows: 3, killers: [], faults: { crashes: 2 } },
  { processes: twoWorkers, rows: 3, killers: [], faults: { crashes: 1, pauses: 1 } },
  { processes: twoWorkers, rows: 3, killers: [], faults: { pauses: 1, storage: 1 } },
  { processes: twoWorkers, rows: 3, killers: [0], faults: { crashes: 1 } },
  { processes: twoWorkers, rows: 3, killers: [0], faults: { pauses: 1, lostClaims: 1 } },
  { processes: twoWorkers, rows: 3, killers: [0, 1], faults: {} },
  { processes: twoLoops, rows: 2, killers: [], faults: { pauses: 1, storage: 1 } },
  { processes: twoLoops, rows: 2, killers: [], faults: { pauses: 1, lostClaims: 1 } },
  { processes: twoLoops, rows: 3, killers: [0], faults: {} },
];
/** More faults at once, minutes on a busy machine. */
const longCases: readonly Case[] = [
  { processes: twoWorkers, rows: 3, killers: [], faults: { crashes: 2, storage: 1 } },
  { processes: twoWorkers, rows: 3, killers: [], faults: { pauses: 2, storage: 1, lostClaims: 1 } },
  {
    processes: twoWorkers,
    rows: 3,
    killers: [0],
    faults: { crashes: 1, storage: 1, lostClaims: 1 },
  },
  { processes: twoLoops, rows: 3, killers: [], faults: { pauses: 1, storage: 1, lostClaims: 1 } },
  { processes: twoLoops, rows: 3, killers: [0], faults: { pauses: 1 } },
];

describe('the work lane in every order of steps', () => {
  test.each(isLong ? [...cases, ...longCases] : cases)(
    'R-12 R-13 processes $processes, $rows rows, killers $killers, faults $faults: no verdict twice, none lost, no innocent row quarantined',
    (given) => {
      const { states, broken, stuck, ends } = run(given);
      expect({ broken, stuck }).toEqual({ broken: null, stuck: null });
      expect(states).toBeGreaterThan(300);
      expect(ends.length).toBeGreaterThan(0);
    },
  );

  test.each([
    ['fence', { processes: twoLoops, rows: 1, killers: [], faults: { pauses: 1, storage: 1 } }],
    ['owner', { processes: twoWorkers, rows: 1, killers: [], faults: { lostClaims: 1 } }],
    ['running alone', { processes: twoWorkers, rows: 3, killers: [0], faults: {} }],
  ] as const)(
    'without the %s the model finds a sequence that breaks the rule',
    (without, given) => {
      expect(run(given, without).broken).not.toBeNull();
    },
  );

  test('without quarantine a row that ends its workers never settles', () => {
    const given: Case = { processes: twoWorkers, rows: 1, killers: [0], faults: {} };
    const lane = laneOf(given, 'quarantine');
    const start = firstState(given.rows, lane, noFaults);
    // Deaths would grow without bound, so the path is followed up to three times the limit.
    let states = [start];
    for (let step = 0; step < maxDeaths * 12; step++)
      states = states.flatMap((state) => nextOf(state, lane)).slice(0, 50);
    expect(states.length).toBeGreaterThan(0);
    expect(states.every((state) => state.rows[0]?.state === 'waiting')).toBe(true);
  });
});

function nextOf(state: ModelState, lane: Lane): ModelState[] {
  return stepsOf(state, lane).map(({ to }) => to);
}
