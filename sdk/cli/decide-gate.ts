import type { Outcome, Verification } from '../client/turn';
import { wilsonInterval } from './wilson';

/** Compares the pass rate of selected verdicts with a required rate. Pure. */

/** Maximum number of ids listed in a sentence. */
const namedIds = 5;

export interface GateRule {
  /** 0 to 1. */
  readonly minPassRate: number;
  readonly minN: number;
  /** Confidence level of the interval, 0 to 1. */
  readonly confidence: number;
  /** Whether the rate itself decides instead of its interval. */
  readonly point: boolean;
  /**
   * `fail` counts a verdict that neither passed, failed nor was skipped as failed; `ignore`
   * excludes it.
   */
  readonly inconclusive: 'fail' | 'ignore';
}

export interface GateDecision {
  readonly result: 'passed' | 'failed' | 'cannot_tell';
  /** One sentence. */
  readonly reason: string;
  readonly passed: number;
  readonly failed: number;
  /** passed + failed: the denominator of the rate. */
  readonly n: number;
  /** 0 to 1; null if there are no verdicts. */
  readonly passRate: number | null;
  readonly low: number;
  readonly high: number;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly pending: number;
  /** Requested turns that have no verdict and are not pending. */
  readonly notThere: readonly string[];
}

/**
 * Each subject counts once per verifier, with its newest verdict of any revision and version.
 * `verdicts` is ordered newest first.
 */
export function newestOfEach(verdicts: readonly Verification[]): Verification[] {
  const newest = new Map<string, Verification>();
  for (const verdict of verdicts) {
    const key = `${verdict.verifier.replace(/@.*/, '')}\n${verdict.subject_id}`;
    const known = newest.get(key);
    if (known === undefined || (verdict.settled_at ?? '') > (known.settled_at ?? ''))
      newest.set(key, verdict);
  }
  return [...newest.values()];
}

/** Whether a verdict counts for, against, or not at all. */
export function countsAs(verdict: Verification, rule: GateRule): 'passed' | 'failed' | 'apart' {
  const { outcome } = verdict;
  if (outcome === 'passed' || outcome === 'failed') return outcome;
  return outcome === 'skipped' || rule.inconclusive === 'ignore' ? 'apart' : 'failed';
}

export function decideGate(
  verdicts: readonly Verification[],
  pending: number,
  rule: GateRule,
  notThere: readonly string[] = [],
): GateDecision {
  const outcomes = {
    passed: 0,
    failed: 0,
    needs_review: 0,
    steered: 0,
    inconclusive: 0,
    skipped: 0,
  };
  const counts = { passed: 0, failed: 0, apart: 0 };
  for (const verdict of verdicts) {
    if (verdict.outcome !== null) outcomes[verdict.outcome]++;
    counts[countsAs(verdict, rule)]++;
  }
  const { passed, failed } = counts;
  const n = passed + failed;
  const { low, high } = wilsonInterval(passed, n, rule.confidence);
  const passRate = n === 0 ? null : passed / n;
  const counted = { pending, n, passRate, low, high };
  return {
    ...decide({ ...counted, notThere }, rule),
    ...counted,
    passed,
    failed,
    outcomes,
    notThere,
  };
}

interface Measured {
  readonly pending: number;
  readonly notThere: readonly string[];
  readonly n: number;
  readonly passRate: number | null;
  readonly low: number;
  readonly high: number;
}

function decide(
  { pending, notThere, n, passRate, low, high }: Measured,
  rule: GateRule,
): Pick<GateDecision, 'result' | 'reason'> {
  const { minPassRate, minN, confidence, point } = rule;
  if (pending > 0)
    return { result: 'cannot_tell', reason: `${pending} verdicts are still pending` };
  if (notThere.length > 0) return { result: 'cannot_tell', reason: describeNotThere(notThere) };
  if (passRate === null)
    return { result: 'cannot_tell', reason: 'there is no verdict that passed or failed' };
  if (n < minN)
    return {
      result: 'cannot_tell',
      reason: `${n} verdicts are too few: at least ${minN} are needed`,
    };
  const needed = `${percent(minPassRate)} is needed`;
  if (point) {
    const isEnough = passRate >= minPassRate;
    return {
      result: isEnough ? 'passed' : 'failed',
      reason: `the pass rate is ${percent(passRate)}, ${needed}`,
    };
  }
  const interval = `the ${percent(confidence)} interval of the pass rate is ${percent(low)} to ${percent(high)}, ${needed}`;
  if (low >= minPassRate) return { result: 'passed', reason: interval };
  if (high < minPassRate) return { result: 'failed', reason: interval };
  return { result: 'cannot_tell', reason: `${interval}: not enough evidence either way` };
}

function describeNotThere(ids: readonly string[]): string {
  const more = ids.length > namedIds ? ` and ${ids.length - namedIds} more` : '';
  return `${ids.length} turns have no verdict and are not waiting: ${ids.slice(0, namedIds).join(', ')}${more}`;
}

/**
 * Rounds down, so that it never shows a rate that was not reached: 94.96% is not shown as 95%.
 */
export function percent(rate: number): string {
  const tenths = rate * 1000;
  const near = Math.round(tenths);
  const shown = Math.abs(tenths - near) < 1e-6 ? near : Math.floor(tenths);
  return `${shown % 10 === 0 ? shown / 10 : (shown / 10).toFixed(1)}%`;
}
