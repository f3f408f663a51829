import { cohenKappa, leastForRate, type Matrix, rate } from '../../domain';

/** `no_data` has no value; `insufficient` has one, of fewer than 20. */
export type MeasureState = 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';

/** One measure with its 95 % interval. Kappa is no share: its `numerator` is null, and `denominator` counts the pairs. */
export interface Measure {
  readonly value: number | null;
  readonly numerator: number | null;
  readonly denominator: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly state: MeasureState;
}

/** What was counted of one verifier. */
export interface Counts extends Matrix {
  /** With truth, and neither passed nor failed by the verifier: outside of every rate. */
  readonly undecided: number;
  /** Replies of an imported judge that could not be read, with truth or without. */
  readonly unparseable: number;
  /** Verdicts that a person ruled on, and those of them that were ruled otherwise. */
  readonly ruled: number;
  readonly overruled: number;
  /** Verdicts that decided, with truth or without, and those of them that passed. */
  readonly decided: number;
  readonly passes: number;
}

export interface Rates {
  readonly catchRate: Measure;
  /** SOAR's formula: good ones rejected, of all that have truth (SOAR-27). */
  readonly falsePositiveRate: Measure;
  /** Good ones rejected, of the good ones. */
  readonly falseRejectionRate: Measure;
  readonly retrySuccess: Measure;
  readonly agreement: Measure;
  readonly kappa: Measure;
  readonly overrideRate: Measure;
  readonly correlation: Measure;
  readonly passRate: Measure;
  readonly correctedPassRate: Measure;
}

/** In percent, compared as whole numbers: 0.60 and 0.15 themselves do not alert (SOAR-29). */
interface Target {
  readonly wants: 'high' | 'low';
  readonly target: number;
  readonly alert: number;
}
const catchTarget: Target = { wants: 'high', target: 70, alert: 60 };
const falsePositiveTarget: Target = { wants: 'low', target: 10, alert: 15 };

const noData: Measure = { value: null, numerator: 0, denominator: 0, low: null, high: null, state: 'no_data' };

export const noCounts: Counts = {
  caught: 0,
  missed: 0,
  rejected: 0,
  passed: 0,
  undecided: 0,
  unparseable: 0,
  ruled: 0,
  overruled: 0,
  decided: 0,
  passes: 0,
};

/** Pure. What has no source in this release (retries, scores of people, corrections) is no data, never a guess. */
export function ratesOf(counts: Counts): Rates {
  const { caught, missed, rejected, passed } = counts;
  const labelled = caught + missed + rejected + passed;
  return {
    catchRate: share(caught, caught + missed, catchTarget),
    falsePositiveRate: share(rejected, labelled, falsePositiveTarget),
    falseRejectionRate: share(rejected, rejected + passed),
    retrySuccess: noData,
    agreement: share(caught + passed, labelled),
    kappa: kappaOf(counts),
    overrideRate: share(counts.overruled, counts.ruled),
    correlation: noData,
    passRate: share(counts.passes, counts.decided),
    correctedPassRate: noData,
  };
}

function share(k: number, n: number, target?: Target): Measure {
  const { state, ...measured } = rate(k, n);
  return { ...measured, state: state === 'measured' ? stateOf(k, n, target) : state };
}

/** What has no target cannot be off it. */
function stateOf(k: number, n: number, target: Target | undefined): MeasureState {
  if (target === undefined) return 'on_target';
  const sign = target.wants === 'high' ? 1 : -1;
  if (sign * (100 * k - target.target * n) >= 0) return 'on_target';
  return sign * (100 * k - target.alert * n) < 0 ? 'alerting' : 'off_target';
}

function kappaOf(matrix: Matrix): Measure {
  const { value, low, high, n } = cohenKappa(matrix);
  const state = value === null ? 'no_data' : n < leastForRate ? 'insufficient' : 'on_target';
  return { value, numerator: null, denominator: n, low, high, state };
}
