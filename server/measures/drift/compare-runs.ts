import { clusterSums, designEffect, newcombe, type RateDifference } from '../../domain';
import type { Drift, Estimate } from '../report';
import { measured } from '../rates';
import { mcNemarOfClusters, pairedDifference, widened } from '../../stats';

/** One frozen item with the results of two runs. */
export interface ItemTwice {
  /**
   * The session, or else the item: items of one session carry less information than items of
   * different sessions.
   */
  readonly cluster: string;
  readonly good: boolean;
  readonly before: string | null;
  readonly after: string | null;
}

/** Counts of verdicts in production over some days. */
export interface Passes {
  readonly passed: number;
  readonly decided: number;
  /** The weight of one verdict, if sessions have several. */
  readonly weight?: number | undefined;
}

const none: Estimate = { value: null, low: null, high: null, n: 0 };

/**
 * Pure. The differences between two runs of one set, and the remaining change in production
 * (calibration.md 5.9). Items that one of the runs did not decide are not counted: a failed judge
 * has no opinion. The two parts are based on different items and are therefore independent; the
 * interval of their difference combines theirs by Newcombe's method for shares.
 * @param production null if both runs cover the same days of production
 */
export function compareRuns(
  items: readonly ItemTwice[],
  production: { readonly before: Passes; readonly after: Passes } | null,
): Pick<Drift, 'flips' | 'better' | 'worse' | 'p' | 'headline' | 'judgePart' | 'systemPart'> {
  const both = items.flatMap(({ cluster, good, before, after }) =>
    isDecided(before) && isDecided(after)
      ? [{ cluster, good, before: before === 'passed', after: after === 'passed' }]
      : [],
  );
  const count = (of: (item: (typeof both)[number]) => boolean): number => both.filter(of).length;
  const { better, worse, midP } = mcNemarOfClusters(
    both.map(({ cluster, good, before, after }) => ({
      cluster,
      side: before === after ? 0 : after === good ? 1 : -1,
    })),
  );
  const weight =
    1 /
    designEffect(
      clusterSums(
        both.map(({ cluster, before, after }) => ({ cluster, counted: before !== after })),
      ),
    );
  const overall = estimate(
    pairedDifference({
      both: count(({ before, after }) => before && after),
      onlySecond: count(({ before, after }) => !before && after),
      onlyFirst: count(({ before, after }) => before && !after),
      neither: count(({ before, after }) => !before && !after),
    }),
    both.length,
  );
  const judgePart = widened(overall, weight, [-1, 1]);
  const headline = changeOf(production);
  return {
    flips: measured({ numerator: better + worse, denominator: both.length }, undefined, weight),
    better,
    worse,
    p: midP,
    headline,
    judgePart,
    systemPart: less(headline, judgePart),
  };
}

const isDecided = (outcome: string | null): outcome is 'passed' | 'failed' =>
  outcome === 'passed' || outcome === 'failed';

function changeOf(production: Parameters<typeof compareRuns>[1]): Estimate {
  if (production === null) return none;
  const { before, after } = production;
  const n = before.decided + after.decided;
  if (before.decided === 0 || after.decided === 0) return { ...none, n };
  const share = ({ passed, decided, weight }: Passes) => ({
    numerator: passed,
    denominator: decided,
    weight,
  });
  return estimate(newcombe(share(after), share(before)), n);
}

const estimate = (difference: RateDifference | null, n: number): Estimate =>
  difference === null
    ? none
    : { value: difference.value, low: difference.low, high: difference.high, n };

/** One minus the other; `n` is the smaller of the two. */
function less(one: Estimate, other: Estimate): Estimate {
  const n = Math.min(one.n, other.n);
  if (
    one.value === null ||
    other.value === null ||
    one.low === null ||
    one.high === null ||
    other.low === null ||
    other.high === null
  ) {
    return { ...none, n };
  }
  const value = one.value - other.value;
  return {
    value,
    low: value - Math.hypot(one.value - one.low, other.high - other.value),
    high: value + Math.hypot(one.high - one.value, other.value - other.low),
    n,
  };
}
