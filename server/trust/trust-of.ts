import { type Matrix, meetsThreshold, rate, type Share, sharesOf, trustMinima } from '../domain';
import type { TrustGap, TrustMeasures, TrustRate, TrustState } from '../thresholds';
import { clopperPearson } from '../stats';
import type { ItemWeights } from '../measures';

const { labels: minLabels, defects: minDefects } = trustMinima;

/** The requirements, 0 to 1. Each is compared with a bound and not with the rate itself. */
export interface TrustTargets {
  readonly catchTarget: number;
  readonly falseRejectionTarget: number;
  readonly halfLifeDays: number;
}

/** Labels that no longer count, and why. */
export interface LostEvidence {
  readonly what: 'config' | 'judge' | 'policy' | 'drift';
  /** A clause, such as `version 3 runs now`. */
  readonly why: string;
  readonly labels: number;
  readonly defects: number;
}

export type ClassWeights = Pick<ItemWeights, 'bad' | 'good'>;

/** The facts about one verifier and judge. */
export interface TrustFacts {
  /** Labelled verdicts of the current version, judge, prompts and policy. */
  readonly matrix: Matrix;
  /** Their weights if sessions have several; omitted if none do. */
  readonly weights?: ClassWeights;
  /** The same labels, each counted as 2^(−age / half-life). */
  readonly effective: { readonly labels: number; readonly defects: number };
  /** The labels of each required slice. */
  readonly slices: readonly {
    readonly by: string;
    readonly value: string;
    readonly matrix: Matrix;
    readonly weights?: ClassWeights;
  }[];
  readonly lost: readonly LostEvidence[];
}

export interface TrustFound {
  readonly state: TrustState;
  readonly gaps: readonly TrustGap[];
  readonly measures: TrustMeasures;
}

/**
 * The trust state of a verifier (calibration.md 5.9, 5.11). `unmeasured`: fewer than 20 labels or
 * 10 bad ones. `stale`: too few as well, but enough together with the labels of a previous version,
 * judge, policy or prompt; or enough, but too old. `qualified`: the lower bound of the catch rate
 * and the upper bound of false rejections of good items (Clopper and Pearson, 95%, two-sided) meet
 * their targets, also in each required slice. `provisional`: otherwise. A bound equal to the
 * target, compared to four decimals, meets it. Pure.
 */
export function trustOf(facts: TrustFacts, targets: TrustTargets): TrustFound {
  const measures = measuresOf(facts, targets);
  const few = fewGaps(measures);
  if (few.length > 0) {
    const labels = measures.labels + sum(facts.lost.map((each) => each.labels));
    const defects = measures.defects + sum(facts.lost.map((each) => each.defects));
    const wasMeasured = labels >= minLabels && defects >= minDefects;
    if (!wasMeasured) return { state: 'unmeasured', gaps: few, measures };
    return { state: 'stale', gaps: [...facts.lost.map(lostGap), ...few], measures };
  }
  const old = ageGaps(facts, measures, targets);
  if (old.length > 0) return { state: 'stale', gaps: old, measures };
  const gaps = targetGaps(measures);
  return { state: gaps.length === 0 ? 'qualified' : 'provisional', gaps, measures };
}

function measuresOf(
  { matrix, weights, effective, slices }: TrustFacts,
  targets: TrustTargets,
): TrustMeasures {
  return {
    labels: sum(Object.values(matrix)),
    defects: matrix.caught + matrix.missed,
    good: matrix.rejected + matrix.passed,
    effectiveLabels: rounded(effective.labels),
    ...ratesOf(matrix, targets, weights),
    slices: slices.map(({ by, value, ...own }) => ({
      by,
      value,
      ...ratesOf(own.matrix, targets, own.weights),
    })),
  };
}

function ratesOf(
  matrix: Matrix,
  { catchTarget, falseRejectionTarget }: TrustTargets,
  weights: ClassWeights = { bad: 1, good: 1 },
) {
  const shares = sharesOf(matrix);
  const catchRate = { ...shares.catchRate, weight: weights.bad };
  const falseRejectionRate = { ...shares.falseRejectionRate, weight: weights.good };
  const exact = ({ numerator, denominator, weight: each }: Share) =>
    clopperPearson(numerator, denominator, 0.05, each);
  const shown = ({ numerator, denominator, weight: each }: Share) =>
    rate(numerator, denominator, each);
  return {
    catchRate: {
      rate: shown(catchRate),
      bound: exact(catchRate)?.low ?? null,
      target: catchTarget,
    },
    falseRejectionRate: {
      rate: shown(falseRejectionRate),
      bound: exact(falseRejectionRate)?.high ?? null,
      target: falseRejectionTarget,
    },
  };
}

function fewGaps({ labels, defects }: TrustMeasures): TrustGap[] {
  const gap = (what: 'labels' | 'defects', have: number, need: number, of: string): TrustGap[] =>
    have >= need
      ? []
      : [
          {
            what,
            text: `${count(have)} of ${need} ${of}: ${count(need - have)} more needed.`,
            have,
            need,
          },
        ];
  return [
    ...gap('labels', labels, minLabels, 'labels'),
    ...gap('defects', defects, minDefects, 'labels on bad items'),
  ];
}

function lostGap({ what, why, labels }: LostEvidence): TrustGap {
  const counted =
    labels === 1
      ? '1 label from before does not count'
      : `${count(labels)} labels from before do not count`;
  return { what, text: `${why}: ${counted}.`, have: null, need: null };
}

/** calibration.md 5.9: old labels weigh less, and may no longer reach the minimum. */
function ageGaps(
  { effective }: TrustFacts,
  { labels, defects }: TrustMeasures,
  { halfLifeDays }: TrustTargets,
): TrustGap[] {
  const gap = (effectiveLabels: number, need: number, all: number, of: string): TrustGap[] => {
    // Rounded as shown: exactly as many labels as needed would otherwise be too few within minutes.
    const have = Math.round(effectiveLabels * 10) / 10;
    if (have >= need) return [];
    const text = `${count(all)} ${of} count as ${have.toFixed(1)} by their age, and ${need} are needed: after ${count(halfLifeDays)} days a label counts half.`;
    return [{ what: 'label_age', text, have, need }];
  };
  return [
    ...gap(effective.labels, minLabels, labels, 'labels'),
    ...gap(effective.defects, minDefects, defects, 'labels on bad items'),
  ];
}

function targetGaps({ catchRate, falseRejectionRate, slices }: TrustMeasures): TrustGap[] {
  const overall = [catchGap(catchRate), falseRejectionGap(falseRejectionRate)].filter(
    (gap) => gap !== null,
  );
  const parts = slices.flatMap(({ by, value, ...rates }) =>
    [catchGap(rates.catchRate), falseRejectionGap(rates.falseRejectionRate)]
      .filter((gap) => gap !== null)
      .map(
        ({ text, have, need }): TrustGap => ({
          what: 'slice',
          text: `In the slice ${by} ${value}: ${lower(text)}`,
          have,
          need,
        }),
      ),
  );
  return [...overall, ...parts];
}

function catchGap({ rate: found, bound, target }: TrustRate): TrustGap | null {
  if (bound === null)
    return { what: 'defects', text: 'No bad item is labelled.', have: 0, need: 1 };
  if (meetsThreshold(bound, target)) return null;
  const { numerator: k, denominator: n } = found;
  const more = moreNeeded(k, n, (caught, of) =>
    meetsThreshold(clopperPearson(caught, of)?.low ?? 0, target),
  );
  const then =
    more === null
      ? 'at this rate no number of labels is enough'
      : `at this rate about ${count(more)} more labels on bad items are needed`;
  const text = `The lower bound of the catch rate is ${boundText(Math.floor(bound * 1_000) / 1_000)} (${count(k)} of ${count(n)} caught) and must reach ${boundText(target)}: ${then}.`;
  return { what: 'catch_rate', text, have: bound, need: target };
}

function falseRejectionGap({ rate: found, bound, target }: TrustRate): TrustGap | null {
  if (bound === null) return { what: 'good', text: 'No good item is labelled.', have: 0, need: 1 };
  if (meetsThreshold(target, bound)) return null;
  const { numerator: k, denominator: n } = found;
  const more = moreNeeded(k, n, (rejected, of) =>
    meetsThreshold(target, clopperPearson(rejected, of)?.high ?? 1),
  );
  const then =
    more === null
      ? 'at this rate no number of labels is enough'
      : `at this rate about ${count(more)} more labels on good items are needed`;
  const text = `The upper bound of false rejections is ${boundText(Math.ceil(bound * 1_000) / 1_000)} (${count(k)} of ${count(n)} good subjects rejected) and must not pass ${boundText(target)}: ${then}.`;
  return { what: 'false_rejection_rate', text, have: bound, need: target };
}

/** Limit of the search for the number of missing labels. */
const maxAhead = 20_000;

/**
 * How many more labels would be enough at the same rate; null if no number would. Rounded to a
 * multiple of five, since it is an estimate.
 */
function moreNeeded(k: number, n: number, holds: (k: number, n: number) => boolean): number | null {
  const at = (size: number): boolean => holds(Math.round((k / n) * size), size);
  if (!at(maxAhead)) return null;
  let [low, high] = [n, maxAhead];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (at(middle)) high = middle;
    else low = middle;
  }
  return Math.ceil((high - n) / 5) * 5;
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
const count = (value: number): string => value.toLocaleString('en');
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
/** A bound or its target, in percent with at most one decimal. */
export const boundText = (value: number): string => `${Number((value * 100).toFixed(1))}%`;
