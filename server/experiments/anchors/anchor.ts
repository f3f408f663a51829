import type { Measure } from '../../measures';

/** Labelled subjects that are frozen, to be judged again and again. */
export interface AnchorSet {
  readonly id: string;
  readonly verifier: string;
  readonly name: string;
  readonly fingerprint: string;
  readonly items: number;
  readonly good: number;
  readonly cron: string | null;
  readonly zone: string;
  /** When it is judged next; null where by hand only. */
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
  /** Neither passed nor failed, as where the judge broke: outside of every rate. */
  readonly undecided: number;
  /**
   * Items that are gone, or whose content has changed since they were frozen: they were not judged.
   */
  readonly leftOut: number;
  /** Why it failed; null where it did not. */
  readonly reason: string | null;
  readonly agreement: Measure;
  readonly catchRate: Measure;
  readonly falseRejectionRate: Measure;
  readonly costUsd: number;
}

/** What a set would hold, and what judging it once would take, before it is frozen. */
export interface AnchorPlan {
  readonly verifier: string;
  /** Labelled subjects that could be drawn. */
  readonly labelled: { readonly good: number; readonly bad: number };
  /** Of them, those that the set would hold. */
  readonly items: { readonly good: number; readonly bad: number };
  /** Why the set cannot be frozen; null where it can. */
  readonly refusal: string | null;
  /** Models that would be asked; empty where the verifier asks none, or no one can be asked. */
  readonly judges: readonly string[];
  readonly whyNone: string | null;
  /** At most: checks may decide without a judge. */
  readonly tokens: number;
  /** US dollars; null where a price is not known. */
  readonly costUsd: number | null;
}
