import type { Split } from '../../domain';
import { type EffectiveThresholds, resolveThresholds, type ScopedValue } from '../../thresholds';
import type { Rederived } from '../../verifiers';
import type { HistoryGroup, ThresholdOrigin } from './history';

/**
 * Counts of labelled verdicts under one set of thresholds. Verdicts neither passed nor failed are
 * in no cell.
 */
export interface OutcomeTally {
  readonly labelled: number;
  readonly good: number;
  readonly bad: number;
  readonly caught: number;
  readonly missed: number;
  readonly rejected: number;
  readonly passed: number;
  /** Verdicts that a person must decide: they request one, or are neither passed nor failed. */
  readonly reviews: number;
}

/** The costs of a missed failure, a false rejection and a review, in one unit. */
export interface SimulationPrices {
  readonly missed: number;
  readonly rejected: number;
  readonly review: number;
}

/** Every outcome has a cost: verdicts neither passed nor failed need a person (`reviews`). */
export function outcomeCost(
  { missed, rejected, reviews }: OutcomeTally,
  prices: SimulationPrices,
): number {
  return missed * prices.missed + rejected * prices.rejected + reviews * prices.review;
}

/**
 * Inserts a value for one key of one scope. Values of narrower scopes and of calls still take
 * precedence.
 */
export function withCandidate(
  stored: readonly ScopedValue[],
  key: string,
  scope: { readonly missionId: string | null; readonly taskId: string | null },
  value: number,
): readonly ScopedValue[] {
  const place = { key, missionId: scope.missionId ?? '', taskId: scope.taskId ?? '' };
  const otherStored = stored.filter(
    (each) =>
      each.key !== key || each.missionId !== place.missionId || each.taskId !== place.taskId,
  );
  return [...otherStored, { ...place, version: 0, value }];
}

/**
 * Decides each group once under one set of thresholds. Resolves the thresholds once for all groups
 * that share the same origin object.
 */
export function decideAll<Group extends Pick<HistoryGroup, 'decide' | 'origin'>>(
  groups: readonly Group[],
  verifier: string,
  stored: readonly ScopedValue[],
): readonly Rederived[] {
  const known = new Map<ThresholdOrigin, EffectiveThresholds>();
  const decisions = new Array<Rederived>(groups.length);
  // Loops by index, here and in the sums: entry iterators cost more than the decisions.
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    if (group === undefined) continue;
    let thresholds = known.get(group.origin);
    if (thresholds === undefined) {
      thresholds = thresholdsFor(verifier, stored, group.origin);
      known.set(group.origin, thresholds);
    }
    decisions[i] = group.decide(thresholds);
  }
  return decisions;
}

function thresholdsFor(
  verifier: string,
  stored: readonly ScopedValue[],
  { missionId, taskId, own }: ThresholdOrigin,
): EffectiveThresholds {
  return resolveThresholds(
    { verifier, missionId, taskId },
    stored,
    new Map(own === null ? [] : [[own.key, own.value]]),
  );
}

/**
 * The data that the sums traverse for each value, in columns because group objects are scattered in
 * memory.
 */
interface Columns {
  readonly good: Uint8Array;
  readonly counts: Readonly<Record<Split | 'all', Int32Array>>;
}

const columns = new WeakMap<readonly HistoryGroup[], Columns>();

function columnsOf(groups: readonly HistoryGroup[]): Columns {
  let column = columns.get(groups);
  if (column === undefined) {
    const count = (of: (group: HistoryGroup) => number): Int32Array => Int32Array.from(groups, of);
    column = {
      good: Uint8Array.from(groups, ({ good }) => (good ? 1 : 0)),
      counts: {
        all: count(({ items }) => items.length),
        train: count(({ parts }) => parts.train),
        development: count(({ parts }) => parts.development),
        test: count(({ parts }) => parts.test),
      },
    };
    columns.set(groups, column);
  }
  return column;
}

/** @param part only the labelled verdicts of this part; omitted means all */
export function tallyOf(
  groups: readonly HistoryGroup[],
  decisions: readonly Rederived[],
  part: Split | 'all' = 'all',
): OutcomeTally {
  const { good: goods, counts } = columnsOf(groups);
  const sizes = counts[part];
  let [labelled, good, caught, missed, rejected, passed, reviews] = [0, 0, 0, 0, 0, 0, 0];
  for (let i = 0; i < sizes.length; i++) {
    const decision = decisions[i];
    const n = sizes[i] ?? 0;
    if (decision === undefined || n === 0) continue;
    const isGood = goods[i] === 1;
    const isDecided = decision.outcome === 'failed' || decision.outcome === 'passed';
    if (decision.needsHumanReview || !isDecided) reviews += n;
    labelled += n;
    if (isGood) good += n;
    if (decision.outcome === 'failed') {
      if (isGood) rejected += n;
      else caught += n;
    } else if (decision.outcome === 'passed') {
      if (isGood) passed += n;
      else missed += n;
    }
  }
  return { labelled, good, bad: labelled - good, caught, missed, rejected, passed, reviews };
}

/** Whether the decision was right; null if it was neither a pass nor a failure. */
export function rightOf({ outcome }: Rederived, good: boolean): boolean | null {
  if (outcome !== 'passed' && outcome !== 'failed') return null;
  return (outcome === 'passed') === good;
}

/** Whether the verifier's word or the outcome differs. */
export const flips = (before: Rederived, after: Rederived): boolean =>
  before.verdict !== after.verdict || before.outcome !== after.outcome;
