import { minSampleSize, type Matrix, meetsThreshold, rate, type Share, sharesOf } from '../domain';
import { cohenKappa, type CorrelationOf, widened } from '../stats';
import { correctPassRate, shownOf } from './corrected-rate';
import type { ItemWeights } from './clusters';
import type { RetryCount } from './retries';

/** `no_data` has no value; `insufficient` has a value based on fewer than 20 items. */
export type MeasureState = 'no_data' | 'insufficient' | 'on_target' | 'off_target' | 'alerting';

/**
 * One measure with its 95% interval. Kappa, the correlation and the corrected pass rate are not
 * shares of counts: their `numerator` is null, and their `denominator` counts labels.
 */
export interface Measure {
  readonly value: number | null;
  readonly numerator: number | null;
  readonly denominator: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly state: MeasureState;
}

/**
 * Rows of one cell that the audit drew with known probability, with the sums of 1 / probability and
 * of its square.
 */
export interface SampledCell {
  readonly n: number;
  readonly weight: number;
  readonly square: number;
}

/**
 * The matrix of the audit's random sample alone: draws that the verifier decided and that have a
 * ruling made for the sample.
 */
export type Sample = Readonly<Record<keyof Matrix, SampledCell>>;

/** The counts of one verifier. */
export interface Counts extends Matrix {
  /** With truth, and neither passed nor failed by the verifier: excluded from every rate. */
  readonly undecided: number;
  /** Unreadable replies of an imported judge, with or without truth. */
  readonly unparseable: number;
  /** Verdicts that a person ruled on, and those of them that a person overruled. */
  readonly ruled: number;
  readonly overruled: number;
  /** Verdicts that passed or failed, with or without truth, and those of them that passed. */
  readonly decided: number;
  readonly passes: number;
  /** Items with contested blind votes, which have no truth and are excluded from every rate. */
  readonly contested: number;
  /** Items whose truth is a ruling and which a review queue picked by their verdict. */
  readonly queued: number;
  readonly sample: Sample;
  /** All draws of the audit among decided verdicts, labelled or not. */
  readonly drawn: SampledCell;
  /**
   * The decided verdicts that the sample represents; omitted if nothing was drawn or if not
   * requested.
   */
  readonly audit?: AuditReach | undefined;
  /**
   * The weights of labels if sessions have several; omitted if each label is in a separate session.
   */
  readonly weights?: ItemWeights | undefined;
}

/** The verdicts that the audit's sample represents, and how many of its draws were ruled on. */
export interface AuditReach {
  /** Verdicts decided from the first drawn one on, and those of them that passed. */
  readonly decided: number;
  readonly passes: number;
  /** Verdicts drawn more than a day ago, and those of them that were ruled on for the sample. */
  readonly aged: number;
  readonly agedLabelled: number;
}

export interface Rates {
  readonly catchRate: Measure;
  /** SOAR's formula: rejected good items as a share of all items with truth (SOAR-27). */
  readonly falsePositiveRate: Measure;
  /** Rejected good items as a share of the good items. */
  readonly falseRejectionRate: Measure;
  readonly retrySuccess: Measure;
  readonly agreement: Measure;
  readonly kappa: Measure;
  readonly overrideRate: Measure;
  readonly correlation: Measure;
  readonly passRate: Measure;
  readonly correctedPassRate: Measure;
}

/** In percent and compared as integers: exactly 0.60 and 0.15 do not alert (SOAR-29). */
interface Target {
  readonly wants: 'high' | 'low';
  readonly target: number;
  readonly alert: number;
}
const catchTarget: Target = { wants: 'high', target: 70, alert: 60 };
const falsePositiveTarget: Target = { wants: 'low', target: 10, alert: 15 };
const retryTarget: Target = { wants: 'high', target: 60, alert: 50 };

/**
 * SOAR-33: with fewer pairs of score and truth, the correlation is shown without suggestions; below
 * the target, scores need recalibration.
 */
export const minForCorrelation = 100;
const correlationTarget = 0.7;

const noData: Measure = {
  value: null,
  numerator: 0,
  denominator: 0,
  low: null,
  high: null,
  state: 'no_data',
};

const noCell: SampledCell = { n: 0, weight: 0, square: 0 };

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
  contested: 0,
  queued: 0,
  sample: { caught: noCell, missed: noCell, rejected: noCell, passed: noCell },
  drawn: noCell,
};

/** Measures of a verifier besides its verdict counts; omitted if it has none. */
export interface OtherMeasures {
  readonly retries?: RetryCount | undefined;
  /** Correlation of score and truth, with good as 1 and bad as 0. */
  readonly correlation?: CorrelationOf | undefined;
}

/** Pure. Reports unmeasured values as no data, never as a guess. */
export function ratesOf(counts: Counts, { retries, correlation }: OtherMeasures = {}): Rates {
  const { catchRate, falsePositiveRate, falseRejectionRate, agreement } = sharesOf(counts);
  return {
    catchRate: measured(catchRate, catchTarget, counts.weights?.bad),
    falsePositiveRate: measured(falsePositiveRate, falsePositiveTarget, counts.weights?.rejected),
    falseRejectionRate: measured(falseRejectionRate, undefined, counts.weights?.good),
    retrySuccess: measureShare(
      retries?.passed ?? 0,
      retries?.retries ?? 0,
      retryTarget,
      retries?.weight,
    ),
    agreement: measured(agreement, undefined, counts.weights?.agreed),
    kappa: widened(kappaOf(counts), counts.weights?.agreed ?? 1, [-1, 1]),
    overrideRate: measureShare(counts.overruled, counts.ruled, undefined, counts.weights?.ruled),
    correlation: widened(correlationOf(correlation), counts.weights?.agreed ?? 1, [-1, 1]),
    passRate: measureShare(counts.passes, counts.decided, undefined, counts.weights?.decided),
    correctedPassRate: correctedOf(counts),
  };
}

/**
 * Measures a share of `sharesOf`; `weight` is the weight of its items if they are clustered
 * (`ItemWeights`).
 */
export function measured(
  { numerator, denominator }: Share,
  target?: Target,
  weight?: number,
): Measure {
  return measureShare(numerator, denominator, target, weight);
}

/** Measures a share of counts and compares it with its target. */
export function measureShare(k: number, n: number, target?: Target, weight?: number): Measure {
  const { state, ...found } = rate(k, n, weight);
  return { ...found, state: state === 'measured' ? stateOf(k, n, target) : state };
}

/** Without a target a measure cannot be off target. */
function stateOf(k: number, n: number, target: Target | undefined): MeasureState {
  if (target === undefined) return 'on_target';
  const sign = target.wants === 'high' ? 1 : -1;
  if (sign * (100 * k - target.target * n) >= 0) return 'on_target';
  return sign * (100 * k - target.alert * n) < 0 ? 'alerting' : 'off_target';
}

function kappaOf(matrix: Matrix): Measure {
  const { value, low, high, n } = cohenKappa(matrix);
  const state = value === null ? 'no_data' : n < minSampleSize ? 'insufficient' : 'on_target';
  return { value, numerator: null, denominator: n, low, high, state };
}

/**
 * With fewer than 100 pairs the state says nothing about the verifier; a constant series has no
 * correlation.
 */
function correlationOf(found: CorrelationOf | undefined): Measure {
  if (found === undefined || found.value === null)
    return { ...noData, numerator: null, denominator: found?.n ?? 0 };
  const { value, low, high, n } = found;
  const state =
    n < minForCorrelation
      ? 'insufficient'
      : meetsThreshold(value, correlationTarget)
        ? 'on_target'
        : 'off_target';
  return { value, numerator: null, denominator: n, low, high, state };
}

/**
 * The corrected value if the sampling meets an assumption of calibration.md 5.4; otherwise no data,
 * however many verdicts were decided.
 */
function correctedOf(counts: Counts): Measure {
  const corrected = correctPassRate(counts);
  const shown = shownOf(corrected);
  if (shown === null || shown.value === null) return { ...noData, numerator: null };
  const { value, low, high, n } = shown;
  return {
    value,
    numerator: null,
    denominator: n,
    low,
    high,
    state: n < minSampleSize ? 'insufficient' : 'on_target',
  };
}
