import type { Split } from '../../domain';
import { type EffectiveThresholds, resolveThresholds, type ScopedValue } from '../../thresholds';
import type { Rederived } from '../../verifiers';
import type { HistoryGroup, Origin } from './history';

/** What one set of thresholds makes of labelled verdicts; those that it neither passes nor fails are in no cell. */
export interface Tally {
  readonly labelled: number;
  readonly good: number;
  readonly bad: number;
  readonly caught: number;
  readonly missed: number;
  readonly rejected: number;
  readonly passed: number;
  /** A person is called for. */
  readonly reviews: number;
}

/** What a missed failure, a false rejection and a review cost, in one unit. */
export interface SimulationPrices {
  readonly missed: number;
  readonly rejected: number;
  readonly review: number;
}

export function priceOf({ missed, rejected, reviews }: Tally, prices: SimulationPrices): number {
  return missed * prices.missed + rejected * prices.rejected + reviews * prices.review;
}

/** A value put in for one key of one scope; those of narrower scopes, and of calls, stay above it. */
export function withCandidate(
  stored: readonly ScopedValue[],
  key: string,
  scope: { readonly missionId: string | null; readonly taskId: string | null },
  value: number,
): readonly ScopedValue[] {
  const place = { key, missionId: scope.missionId ?? '', taskId: scope.taskId ?? '' };
  const others = stored.filter((each) => each.key !== key || each.missionId !== place.missionId || each.taskId !== place.taskId);
  return [...others, { ...place, version: 0, value }];
}

/** One decision for each group, under one set of thresholds; those of equal origin (the same object) are resolved once. */
export function decideAll<Group extends Pick<HistoryGroup, 'decide' | 'origin'>>(
  groups: readonly Group[],
  verifier: string,
  stored: readonly ScopedValue[],
): readonly Rederived[] {
  const known = new Map<Origin, EffectiveThresholds>();
  return groups.map(({ decide, origin }) => {
    let thresholds = known.get(origin);
    if (thresholds === undefined) {
      thresholds = thresholdsFor(verifier, stored, origin);
      known.set(origin, thresholds);
    }
    return decide(thresholds);
  });
}

function thresholdsFor(verifier: string, stored: readonly ScopedValue[], { missionId, taskId, own }: Origin): EffectiveThresholds {
  return resolveThresholds({ verifier, missionId, taskId }, stored, new Map(own === null ? [] : [[own.key, own.value]]));
}

/** @param part only the labelled verdicts of it; left out: all */
export function tallyOf(groups: readonly HistoryGroup[], decisions: readonly Rederived[], part?: Split): Tally {
  let [labelled, good, caught, missed, rejected, passed, reviews] = [0, 0, 0, 0, 0, 0, 0];
  for (const [i, group] of groups.entries()) {
    const decision = decisions[i];
    if (decision === undefined) continue;
    const n = part === undefined ? group.items.length : group.parts[part];
    labelled += n;
    if (group.good) good += n;
    if (decision.needsHumanReview) reviews += n;
    if (decision.outcome === 'failed') {
      if (group.good) rejected += n;
      else caught += n;
    } else if (decision.outcome === 'passed') {
      if (group.good) passed += n;
      else missed += n;
    }
  }
  return { labelled, good, bad: labelled - good, caught, missed, rejected, passed, reviews };
}

/** Whether the decision was right; null where it was neither a pass nor a failure. */
export function rightOf({ outcome }: Rederived, good: boolean): boolean | null {
  if (outcome !== 'passed' && outcome !== 'failed') return null;
  return (outcome === 'passed') === good;
}

/** Another word of the verifier, or another of the six of all. */
export const flips = (before: Rederived, after: Rederived): boolean => before.verdict !== after.verdict || before.outcome !== after.outcome;
