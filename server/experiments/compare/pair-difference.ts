import {
  holm,
  mcNemar,
  type MeanDifference,
  meanDifference,
  pairedDifference,
  pairsNeeded,
  seedOf,
} from '../../stats';
import type { PairGroup } from './read-pairs';

/** The difference of one verifier's results between the baseline and another run. */
export interface PairDifference {
  /** Of pass rates over the paired items; null without any. */
  readonly difference: {
    readonly value: number;
    readonly low: number | null;
    readonly high: number | null;
  } | null;
  /** `mcnemar` if both runs called each item once. */
  readonly test: 'mcnemar' | 'bootstrap';
  /** Two-sided; null without paired items. */
  readonly p: number | null;
  readonly items: {
    readonly improved: number;
    readonly regressed: number;
    readonly same: number;
    readonly unpaired: number;
  };
  /** With a power of 0.8; null if not computable. */
  readonly itemsNeeded: {
    readonly thisDifference: number | null;
    readonly fivePoints: number | null;
  };
  readonly scoreDifference: MeanDifference | null;
}

/** @param groups of one slice, verifier and run; `items`: all items of either run */
export function pairDifference(
  groups: readonly PairGroup[],
  {
    items,
    isRepeated,
    seed,
  }: { readonly items: number; readonly isRepeated: boolean; readonly seed: string },
): PairDifference {
  const sums = {
    n: 0,
    sum: 0,
    squares: 0,
    improved: 0,
    regressed: 0,
    both: 0,
    second: 0,
    first: 0,
  };
  for (const group of groups) {
    sums.n += group.n;
    sums.sum += group.sum;
    sums.squares += group.squares;
    sums.improved += group.improved;
    sums.regressed += group.regressed;
    sums.both += group.both;
    sums.second += group.only_second;
    sums.first += group.only_first;
  }
  const { n, improved, regressed } = sums;
  // Newcombe's interval, also where repetitions differ by the same on every item.
  const paired = pairedDifference({
    both: sums.both,
    onlySecond: sums.second,
    onlyFirst: sums.first,
    neither: Math.max(0, n - sums.both - sums.second - sums.first),
  });
  const byItem = isRepeated ? meanDifference(groups, { seed: seedOf(seed), range: [-1, 1] }) : null;
  const p = isRepeated ? (byItem?.p ?? null) : (mcNemar(improved, regressed).exactP ?? 1);
  const scores = groups.map((group) => ({ n: group.score_n, sum: group.score_sum }));
  const value = n === 0 ? 0 : sums.sum / n;
  const discordant = n === 0 ? 0 : sums.squares / n;
  return {
    difference: byItem === null || byItem.low === null ? paired : byItem,
    test: isRepeated ? 'bootstrap' : 'mcnemar',
    p: n === 0 ? null : p,
    items: { improved, regressed, same: n - improved - regressed, unpaired: items - n },
    itemsNeeded: {
      thisDifference: pairsNeeded({ difference: value, discordant }),
      fivePoints: pairsNeeded({ difference: 0.05, discordant }),
    },
    scoreDifference: meanDifference(scores, { seed: seedOf(`${seed} scores`) }),
  };
}

/** Adjusted by Holm in the given order; a missing p stays missing and counts for no other. */
export function adjusted(ps: readonly (number | null)[]): (number | null)[] {
  const known = holm(ps.filter((p) => p !== null));
  let at = 0;
  return ps.map((p) => (p === null ? null : (known[at++] ?? null)));
}
