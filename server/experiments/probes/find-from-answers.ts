import { clusterSums, sumsOf, itemWeight } from '../../domain';
import type { PlacedScore } from '../../verifiers';
import { type Estimate, type Measure, measureShare } from '../../measures';
import {
  exactBinomial,
  flipRate,
  icc2k,
  selfAgreement,
  widened,
  withinItemDeviation,
} from '../../stats';
import type { FindingsOf } from './probe-findings';

/** Findings on a judge from the answers of a probe (calibration.md 5.8). Pure. */

/** One stored judgement. */
export interface ProbeJudgement {
  readonly ordinal: number;
  /** The session of its subject, or else the subject. */
  readonly cluster: string;
  readonly variant: string;
  readonly repeat: number;
  /** One of the six outcomes, or `left_out`. */
  readonly outcome: string;
  readonly score: number | null;
  readonly parts: readonly PlacedScore[] | null;
}

/** A judge's decision; a failed or skipped call is not an answer. */
const isDecided = ({ outcome }: Pick<ProbeJudgement, 'outcome'>): boolean =>
  !['inconclusive', 'skipped', 'left_out'].includes(outcome);

const asideOf = (answers: readonly ProbeJudgement[]) => {
  const leftOut = answers.filter(({ outcome }) => outcome === 'left_out').length;
  return { undecided: answers.filter((each) => !isDecided(each)).length - leftOut, leftOut };
};

export function groupByItem<T extends { readonly ordinal: number }>(answers: readonly T[]): T[][] {
  const items = new Map<number, T[]>();
  for (const each of answers) items.set(each.ordinal, [...(items.get(each.ordinal) ?? []), each]);
  return [...items.values()];
}

/** Whether the decisions on an item differ; only decided answers count. */
export const hasMoved = (answers: readonly Pick<ProbeJudgement, 'outcome'>[]): boolean =>
  new Set(answers.filter(isDecided).map(({ outcome }) => outcome)).size > 1;

const statistic = (
  found: {
    readonly value: number;
    readonly low: number;
    readonly high: number;
    readonly n: number;
  } | null,
): Estimate =>
  found === null
    ? { value: null, low: null, high: null, n: 0 }
    : { value: found.value, low: found.low, high: found.high, n: found.n };

export function computeRepeatability(
  answers: readonly ProbeJudgement[],
  repeats: number,
): FindingsOf<'repeatability'> {
  const items = groupByItem(answers).map((item) => item.filter(isDecided));
  const outcomes = items.map((item) => item.map(({ outcome }) => outcome));
  const scores = items.map((item) => item.flatMap(({ score }) => score ?? []));
  const completeItems = scores.filter((item) => item.length === repeats);
  const repeated = items.filter((item) => item.length > 1);
  const weight = itemWeight(
    clusterSums(
      repeated.map((item) => ({ cluster: item[0]?.cluster ?? '', counted: hasMoved(item) })),
    ),
  );
  return {
    probe: 'repeatability',
    ...asideOf(answers),
    flips: widened(statistic(flipRate(outcomes)), weight, [0, 1]),
    agreement: widened(statistic(selfAgreement(outcomes)), weight, [0, 1]),
    moved: measureShare(repeated.filter(hasMoved).length, repeated.length, undefined, weight),
    deviation: withinItemDeviation(scores),
    icc: { value: icc2k(completeItems), n: completeItems.length, k: repeats },
  };
}

interface Pair {
  readonly one: ProbeJudgement;
  readonly other: ProbeJudgement;
}

/** Items that were decided both in the unchanged form and in the other one. */
function pairsOf(answers: readonly ProbeJudgement[], form: string): Pair[] {
  return groupByItem(answers).flatMap((item) => {
    const one = item.find(({ variant }) => variant === 'as_is');
    const other = item.find(({ variant }) => variant === form);
    return one !== undefined && other !== undefined && isDecided(one) && isDecided(other)
      ? [{ one, other }]
      : [];
  });
}

/**
 * A share of pairs; pairs of one session carry less information than those of different sessions.
 */
function shareOfPairs(pairs: readonly Pair[], counted: (pair: Pair) => boolean): Measure {
  const items = pairs.map((pair) => ({ cluster: pair.one.cluster, counted: counted(pair) }));
  return measureShare(
    items.filter((item) => item.counted).length,
    items.length,
    undefined,
    itemWeight(clusterSums(items)),
  );
}

const passed = ({ outcome }: ProbeJudgement): boolean => outcome === 'passed';

/**
 * How often the change caused a pass and how often it prevented one, with the exact probability of
 * such an imbalance if both are equally likely.
 */
function directionOf(pairs: readonly Pair[]): {
  readonly gained: number;
  readonly lost: number;
  readonly p: number | null;
} {
  const gained = pairs.filter(({ one, other }) => !passed(one) && passed(other)).length;
  const lost = pairs.filter(({ one, other }) => passed(one) && !passed(other)).length;
  return { gained, lost, p: exactBinomial(gained, gained + lost) };
}

export function computeOrderFindings(answers: readonly ProbeJudgement[]): FindingsOf<'order'> {
  const pairs = pairsOf(answers, 'reordered');
  const { gained, lost, p } = directionOf(pairs);
  return {
    probe: 'order',
    ...asideOf(answers),
    consistent: shareOfPairs(pairs, ({ one, other }) => one.outcome === other.outcome),
    onlyAsGiven: lost,
    onlyReordered: gained,
    p,
    parts: partsOf(pairs),
  };
}

/**
 * Compares each moved part with itself: met in both positions, in neither, only when nearer to the
 * front, or only when nearer to the end.
 */
function partsOf(pairs: readonly Pair[]): FindingsOf<'order'>['parts'] {
  if (pairs.every(({ one, other }) => one.parts === null && other.parts === null)) return null;
  const moved = pairs.flatMap(({ one, other }) => {
    const there = new Map((other.parts ?? []).map((part) => [part.key, part]));
    return (one.parts ?? []).flatMap((given) => {
      const changed = there.get(given.key);
      if (changed === undefined || changed.place === given.place) return [];
      return [
        given.place < changed.place
          ? { front: given.met, end: changed.met }
          : { front: changed.met, end: given.met },
      ];
    });
  });
  const first = moved.filter(({ front, end }) => front && !end).length;
  const second = moved.filter(({ front, end }) => !front && end).length;
  return {
    n: moved.length,
    consistent: moved.length - first - second,
    first,
    second,
    p: exactBinomial(first, first + second),
  };
}

export function computeLengthFindings(
  answers: readonly ProbeJudgement[],
  slope: Estimate,
): FindingsOf<'length'> {
  const pairs = pairsOf(answers, 'padded');
  const { gained, lost, p } = directionOf(pairs);
  return {
    probe: 'length',
    ...asideOf(answers),
    flips: shareOfPairs(pairs, ({ one, other }) => one.outcome !== other.outcome),
    toPassed: gained,
    fromPassed: lost,
    p,
    slope,
  };
}

/** @param named the name and description of each canary, by ordinal */
export function computeCanaryFindings(
  answers: readonly ProbeJudgement[],
  named: ReadonlyMap<number, { readonly name: string; readonly what: string }>,
): FindingsOf<'canaries'> {
  const items = groupByItem(answers.filter(isDecided)).map((item) => ({
    ordinal: item[0]?.ordinal ?? 0,
    times: item.filter(passed).length,
    of: item.length,
  }));
  const through = items.filter(({ times }) => times > 0);
  const sum = (of: readonly number[]): number => of.reduce((total, each) => total + each, 0);
  return {
    probe: 'canaries',
    ...asideOf(answers),
    passed: through.length,
    stopped: items.length - through.length,
    // Repeats of one canary are correlated.
    rate: measureShare(
      sum(items.map(({ times }) => times)),
      sum(items.map((item) => item.of)),
      undefined,
      itemWeight(sumsOf(items.map(({ times, of }) => ({ x: times, n: of })))),
    ),
    named: through.map(({ ordinal, times }) => ({
      ...(named.get(ordinal) ?? { name: String(ordinal), what: '' }),
      times,
    })),
  };
}
