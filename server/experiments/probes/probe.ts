import type { Outcome } from '../../domain';
import type { ProbeFindings } from './probe-findings';
import type { Probe } from './probe-input';

/** The items of a probe, and its cost. */
export interface ProbePlan {
  readonly verifier: string;
  readonly probe: Probe;
  /** The number of subjects or canaries, of those with a known truth, and of judgements. */
  readonly items: number;
  readonly labelled: number;
  readonly answers: number;
  /** Why the probe cannot be started; null if it can. */
  readonly refusal: string | null;
  /** Models to call; empty if there are none. */
  readonly judges: readonly string[];
  /** Upper bound: checks may decide without a judge. */
  readonly tokens: number;
  /** US dollars; null if a price is unknown. */
  readonly costUsd: number | null;
}

/** One probe of one version of a verifier. */
export interface ProbeRun {
  readonly id: string;
  readonly probe: Probe;
  /** Name with version. */
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
  /** Why the probe failed or is waiting; null if it does neither. */
  readonly reason: string | null;
  /** Null until the probe has ended, and if it failed. */
  readonly findings: ProbeFindings | null;
}

/** One probe of a verifier with its runs. */
export interface ProbeState {
  readonly probe: Probe;
  /** Newest first, at most 10. */
  readonly runs: readonly ProbeRun[];
}

/** The result of one judgement. */
export interface ProbeAnswer {
  /** `as_is`, `reordered`, `padded` or `canary`. */
  readonly variant: string;
  /** From 0. */
  readonly repeat: number;
  /** Null while it is pending; `left_out` if the subject was deleted or has changed. */
  readonly outcome: Outcome | 'left_out' | null;
  readonly verdict: string | null;
  /** On the verifier's own scale. */
  readonly score: number | null;
  readonly reason: string | null;
  readonly judge: string | null;
}

export interface ProbeItem {
  readonly ordinal: number;
  readonly excerpt: string;
  /** The subject's latest verdict, for a link; null for canaries and missing subjects. */
  readonly verdictId: string | null;
  readonly good: boolean | null;
  /** Whether its decisions differ. */
  readonly moved: boolean;
  readonly answers: readonly ProbeAnswer[];
}

export interface ProbeDetail extends ProbeRun {
  readonly rows: readonly ProbeItem[];
  /** Start of the next page; null on the last one. */
  readonly next: number | null;
}
