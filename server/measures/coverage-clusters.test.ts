// How often the 95% intervals of rates contain the truth if all rows of a session are equal: 2,000
// runs of 100 sessions with 2 to 6 rows each.
import { expect, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import { clusterSums, labelledOf, sharesOf, itemWeight } from '../domain';
import { createRandom } from '../stats';
import { weightsOfRows } from './clusters';
import { type Measure, measured, noCounts, ratesOf } from './rates';

const runs = 2000;
const sessions = 100;
const share = { bad: 0.4, caught: 0.75, rejected: 0.3, overruled: 0.3, corrected: 0.6 } as const;
const flagged = share.bad * share.caught + (1 - share.bad) * share.rejected;
const truth = {
  catchRate: share.caught,
  falseRejectionRate: share.rejected,
  falsePositiveRate: (1 - share.bad) * share.rejected,
  precision: (share.bad * share.caught) / flagged,
  agreement: share.bad * share.caught + (1 - share.bad) * (1 - share.rejected),
  overrideRate: share.overruled,
  passRate: 1 - flagged,
  retrySuccess: share.corrected,
} as const;
type Name = keyof typeof truth;

interface Row {
  readonly cluster: string;
  readonly good: boolean;
  readonly failed: boolean;
  readonly overruled: boolean;
  readonly corrected: boolean;
}

/** All rows of a session are equal. */
function drawRows(random: () => number): Row[] {
  return Array.from({ length: sessions }, (_, n) => {
    const good = random() >= share.bad;
    const row = {
      cluster: `s${n}`,
      good,
      failed: random() < (good ? share.rejected : share.caught),
      overruled: random() < share.overruled,
      corrected: random() < share.corrected,
    };
    return Array.from({ length: 2 + Math.floor(random() * 5) }, () => row);
  }).flat();
}

function measure(rows: readonly Row[], isClustered: boolean): Record<Name, Measure> {
  const count = (is: (row: Row) => boolean): number => rows.filter(is).length;
  const of = (is: (row: Row) => boolean): number =>
    itemWeight(clusterSums(rows.map((row) => ({ cluster: row.cluster, counted: is(row) }))));
  const matrix = {
    caught: count(({ good, failed }) => !good && failed),
    missed: count(({ good, failed }) => !good && !failed),
    rejected: count(({ good, failed }) => good && failed),
    passed: count(({ good, failed }) => good && !failed),
  };
  const weights = isClustered
    ? {
        ...weightsOfRows(rows),
        ruled: of(({ overruled }) => overruled),
        decided: of(({ failed }) => !failed),
      }
    : undefined;
  const counts = {
    ...noCounts,
    ...matrix,
    ruled: rows.length,
    overruled: count(({ overruled }) => overruled),
    decided: labelledOf(matrix),
    passes: matrix.missed + matrix.passed,
    weights,
  };
  const retries = {
    retries: rows.length,
    passed: count(({ corrected }) => corrected),
    weight: isClustered ? of(({ corrected }) => corrected) : undefined,
  };
  return {
    ...ratesOf(counts, { retries }),
    precision: measured(sharesOf(matrix).precision, undefined, weights?.flagged),
  };
}

test('calibration.md 5.1 the interval of each rate contains the truth in 93 to 97 % of runs, and ignoring sessions far less often', () => {
  const random = createRandom(24_301);
  const names = Object.keys(truth) as Name[];
  const held = new Map(names.map((name) => [name, { withSessions: 0, without: 0 }]));
  const holds = ({ low, high }: Measure, value: number): number =>
    low !== null && high !== null && low <= value && value <= high ? 1 : 0;
  for (let run = 0; run < runs; run++) {
    const rows = drawRows(random);
    const [clustered, naive] = [measure(rows, true), measure(rows, false)];
    for (const [name, sum] of held) {
      sum.withSessions += holds(clustered[name], truth[name]);
      sum.without += holds(naive[name], truth[name]);
    }
  }
  const percent = (n: number): string => `${((100 * n) / runs).toFixed(1)} %`;
  reportFigure(
    `Coverage with alike rows in a session, ${runs} runs, with and without sessions`,
    Object.fromEntries(
      [...held].map(([name, sum]) => [
        name,
        `${percent(sum.withSessions)}, ${percent(sum.without)}`,
      ]),
    ),
  );
  for (const [name, { withSessions, without }] of held) {
    expect(withSessions / runs, name).toBeGreaterThanOrEqual(0.93);
    expect(withSessions / runs, name).toBeLessThanOrEqual(0.97);
    expect(without / runs, name).toBeLessThan(0.8);
  }
});
