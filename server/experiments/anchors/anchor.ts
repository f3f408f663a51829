import type { Measure } from '../../measures';

/** Frozen labelled subjects that are judged repeatedly. */
export interface AnchorSet {
  readonly id: string;
  readonly verifier: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly items: number;
  readonly good: number;
  readonly cron: string | null;
  readonly zone: string;
  /** Time of the next scheduled run; null if the set is judged only on demand. */
  readonly nextAt: Date | null;
  readonly retired: boolean;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Newest first, at most 20. */
  readonly runs: readonly AnchorRun[];
}

export interface AnchorRun {
  readonly id: string;
  readonly verifier: string;
  readonly prompts: string | null;
  readonly judge: string | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly done: number;
  readonly total: number;
  /**
   * Neither passed nor failed, for example because the judge failed: excluded from every rate
   * (X-3).
   */
  readonly undecided: number;
  /**
   * Items not judged because they were deleted or their content has changed since they were frozen.
   */
  readonly leftOut: number;
  /** Why the run failed; null if it did not. */
  readonly reason: string | null;
  readonly agreement: Measure;
  readonly catchRate: Measure;
  readonly falseRejectionRate: Measure;
  readonly costUsd: number;
}

/** The content of a set, and the cost of judging it once, before it is frozen. */
export interface AnchorPlan {
  readonly verifier: string;
  /** Labelled subjects to draw from. */
  readonly labelled: { readonly good: number; readonly bad: number };
  /** How many of them the set contains. */
  readonly items: { readonly good: number; readonly bad: number };
  /** Why the set cannot be frozen; null if it can. */
  readonly refusal: string | null;
  /** Models to call; empty if the verifier calls none, or if none is available. */
  readonly judges: readonly string[];
  readonly whyNone: string | null;
  /** Upper bound: checks may decide without a judge. */
  readonly tokens: number;
  /** US dollars; null if a price is unknown. */
  readonly costUsd: number | null;
}
