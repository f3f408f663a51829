import type { Outcome } from '../../domain';
import type { ProbeFindings } from './probe-findings';
import type { Probe } from './probe-input';

/** What a probe would judge, and what that would take. */
export interface ProbePlan {
  readonly verifier: string;
  readonly probe: Probe;
  /** Subjects or canaries, those of them whose truth is known, and how often a verdict is made. */
  readonly items: number;
  readonly labelled: number;
  readonly answers: number;
  /** Why it cannot be started; null where it can. */
  readonly refusal: string | null;
  /** Models that would be asked; empty where no one is. */
  readonly judges: readonly string[];
  /** At most: checks may decide without a judge. */
  readonly tokens: number;
  /** US dollars; null where a price is not known. */
  readonly costUsd: number | null;
}

/** One probe of one version of a verifier. */
export interface ProbeRun {
  readonly id: string;
  readonly probe: Probe;
  /** With its version. */
  readonly verifier: string;
  readonly prompts: string | null;
  readonly judge: string | null;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly items: number;
  readonly repeats: number;
  readonly done: number;
  readonly total: number;
  readonly costUsd: number;
  readonly createdBy: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  /** Why it failed, or waits; null where it does neither. */
  readonly reason: string | null;
  /** Null until it has ended, and where it did not end well. */
  readonly findings: ProbeFindings | null;
}

/** One probe of a verifier with its runs. */
export interface ProbeState {
  readonly probe: Probe;
  /** Newest first, at most 10. */
  readonly runs: readonly ProbeRun[];
}

/** What one time of judging gave. */
export interface ProbeAnswer {
  /** `as_is`, `reordered`, `padded` or `canary`. */
  readonly variant: string;
  /** From 0. */
  readonly repeat: number;
  /** Null while it waits; `left_out` where the subject is gone or was changed. */
  readonly outcome: Outcome | 'left_out' | null;
  readonly verdict: string | null;
  /** Native scale of the kind. */
  readonly score: number | null;
  readonly reason: string | null;
  readonly judge: string | null;
}

export interface ProbeItem {
  readonly ordinal: number;
  readonly excerpt: string;
  /** The subject's latest verdict, for a link; null for canaries and what is gone. */
  readonly verdictId: string | null;
  readonly good: boolean | null;
  /** It was not judged alike each time. */
  readonly moved: boolean;
  readonly answers: readonly ProbeAnswer[];
}

export interface ProbeDetail extends ProbeRun {
  readonly rows: readonly ProbeItem[];
  /** Where the next page begins; null on the last one. */
  readonly next: number | null;
}
