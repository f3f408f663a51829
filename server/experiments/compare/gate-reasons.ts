import { itemsToExclude } from '../../stats';
import { maxWithoutResult } from '../trials/could-not-run';
import type { Comparison } from './compare-experiments';
import type { GateBody, gateCodes } from './compare-input';
import type { ExperimentResult } from './get-experiment';

/** A warning does not fail the gate. */
export interface GateReason {
  readonly code: (typeof gateCodes)[number];
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly verifier: string | null;
  /** Items with which the data could decide; null if unknown or of no use. */
  readonly itemsNeeded: number | null;
}

export const reason = (
  code: GateReason['code'],
  message: string,
  more: Partial<Omit<GateReason, 'code' | 'message'>> = {},
): GateReason => ({ code, severity: 'error', verifier: null, itemsNeeded: null, ...more, message });

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
const points = (share: number): string => `${(100 * share).toFixed(1)} points`;

export function reasonsOfState({ state }: Pick<ExperimentResult, 'state'>): GateReason[] {
  return state === 'done'
    ? []
    : [reason('not_finished', `The experiment is in the state "${state}"; only "done" can pass.`)];
}

/**
 * Only rows that passed or failed are in a rate. Rows without a result are reported; if they are
 * many, the others are not a fair sample, and the gate fails.
 */
export function reasonsOfRates(
  { results, counts }: Pick<ExperimentResult, 'results' | 'counts'>,
  limits: NonNullable<GateBody['min_pass_rate']>,
): GateReason[] {
  return Object.entries(limits).flatMap(([verifier, { at_least: min, by }]) => {
    const found = results.find((each) => each.verifier === verifier);
    const { value, low, high, denominator } = found?.passRate ?? noRate;
    if (value === null || low === null || high === null)
      return [reason('no_scored_rows', 'No answer passed or failed.', { verifier })];
    const reasons: GateReason[] = [];
    // At the limit, with as many decimals as a limit has, a rate passes.
    const isBelow = (share: number) => Math.round(share * 1e6) < Math.round(min * 1e6);
    const needed = itemsToExclude(value, min);
    if (isBelow(by === 'low' ? low : value)) {
      const of =
        by === 'low'
          ? `lower bound of the pass rate is ${percent(low)}`
          : `pass rate is ${percent(value)}`;
      const itemsNeeded = by === 'low' && value > min ? needed : null;
      const message = `The ${of} of ${denominator} rows; at least ${percent(min)} is required.`;
      reasons.push(reason('pass_rate', message, { verifier, itemsNeeded }));
    } else if (by === 'value' && isBelow(low)) {
      const message = `The pass rate is ${percent(value)}, but its interval from ${percent(low)} to ${percent(high)} contains rates below ${percent(min)}.`;
      reasons.push(
        reason('inconclusive', message, { verifier, severity: 'warning', itemsNeeded: needed }),
      );
    }
    const missing = counts.rows - denominator;
    if (missing > 0) {
      const without = found?.withoutResult ?? missing;
      const isUnfair = without > maxWithoutResult * counts.rows;
      const message = isUnfair
        ? `${without} of ${counts.rows} rows have no answer or no result; at most ${percent(maxWithoutResult)} may.`
        : `${missing} of ${counts.rows} rows have no verdict that passed or failed, and are in no rate.`;
      const severity = isUnfair ? 'error' : 'warning';
      reasons.push(reason('unscored', message, { verifier, severity }));
    }
    return reasons;
  });
}

const noRate = { value: null, low: null, high: null, denominator: 0 } as const;

/** A regression that the data cannot exclude, and that is reported. */
const minRegression = 0.05;

/**
 * A regression is a difference below 0 with an adjusted p below 0.05. @param baseline the slugs of
 * the baseline's verifiers
 */
export function reasonsOfDifferences(
  comparisons: readonly Comparison[],
  baseline: ReadonlySet<string>,
): GateReason[] {
  return comparisons.flatMap(({ verifier, difference, pAdjusted, itemsNeeded }): GateReason[] => {
    if (difference === null) {
      const message = 'No item has a verdict that passed or failed in both runs.';
      const severity = baseline.has(verifier) ? 'error' : 'warning';
      return [reason('no_pairs', message, { verifier, severity })];
    }
    const { value, low } = difference;
    if (value < 0 && pAdjusted !== null && pAdjusted < 0.05) {
      const message = `The pass rate is ${points(-value)} below that of the baseline (adjusted p = ${pAdjusted.toPrecision(2)}).`;
      return [reason('regression', message, { verifier })];
    }
    if (low !== null && low > -minRegression) return [];
    const message = `The data cannot exclude a regression of ${points(minRegression)}: the pass rate differs from that of the baseline by ${points(value)}, at worst ${low === null ? 'unknown' : points(low)}.`;
    return [
      reason('inconclusive', message, {
        verifier,
        severity: 'warning',
        itemsNeeded: itemsNeeded.fivePoints,
      }),
    ];
  });
}

/** An unknown cost cannot be shown to be within the limit. */
export function reasonsOfCost(
  { costUsd: { total, unknown } }: Pick<ExperimentResult, 'costUsd'>,
  max: number,
): GateReason[] {
  if (total > max)
    return [reason('cost', `The cost is $${total.toFixed(4)}; at most $${max} is allowed.`)];
  if (unknown === 0) return [];
  const message = `The cost of ${unknown} answers or verdicts is unknown, so that a limit of $${max} cannot be checked; send "cost_usd" with the outputs or add a price of the model.`;
  return [reason('cost_unknown', message)];
}
