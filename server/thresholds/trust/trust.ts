import type { Rate } from '../../domain';

/** calibration.md 5.11: from too few labels to the right to block, and back. */
export const trustStateNames = ['unmeasured', 'provisional', 'qualified', 'stale'] as const;
export type TrustState = (typeof trustStateNames)[number];

export const trustGaps = [
  'labels',
  'defects',
  'good',
  'catch_rate',
  'false_rejection_rate',
  'slice',
  'policy',
  'drift',
  'label_age',
  'config',
  'judge',
] as const;

/** An unmet requirement of a verifier's next state, or of a state that it lost. */
export interface TrustGap {
  readonly what: (typeof trustGaps)[number];
  /** A sentence with the numbers. */
  readonly text: string;
  readonly have: number | null;
  readonly need: number | null;
}

/**
 * A rate with Wilson's interval for display, and the Clopper-Pearson bound that is compared with
 * its target (calibration.md 5.1).
 */
export interface TrustRate {
  readonly rate: Rate;
  /**
   * The lower bound of the catch rate, or the upper bound of false rejections; null without a
   * denominator.
   */
  readonly bound: number | null;
  readonly target: number;
}

/** The basis of a state: labels of the current version, judge, prompts and policy. */
export interface TrustMeasures {
  readonly labels: number;
  readonly defects: number;
  readonly good: number;
  /** Sum of the labels, each counted as 2^(−age / half-life). */
  readonly effectiveLabels: number;
  readonly catchRate: TrustRate;
  /** Rejected good items as a share of the good items. */
  readonly falseRejectionRate: TrustRate;
  readonly slices: readonly {
    readonly by: string;
    readonly value: string;
    readonly catchRate: TrustRate;
    readonly falseRejectionRate: TrustRate;
  }[];
}

/** The current trust in one verifier. */
export interface Trust {
  /** Its series: `task`, or `decomposition:self` for self-judged work. */
  readonly verifier: string;
  readonly version: number;
  /** The current judge; null if the verifier calls none. */
  readonly judge: string | null;
  readonly state: TrustState;
  readonly gaps: readonly TrustGap[];
  /** The verifier's setting: whether it may block and steer only while it is `qualified`. */
  readonly enforced: boolean;
  /** Whether it may block and steer: trust is not enforced, or the verifier is qualified. */
  readonly mayBlock: boolean;
  /** Null before the first check by a worker. */
  readonly measures: TrustMeasures | null;
  readonly since: Date | null;
  readonly checkedAt: Date | null;
}

/** One change of a state, of the verifier at that time or of one of its judges. */
export interface TrustChange {
  readonly id: string;
  readonly version: number;
  readonly judge: string | null;
  /** Null for its first check. */
  readonly before: TrustState | null;
  readonly after: TrustState;
  readonly reason: string;
  readonly at: Date;
}
