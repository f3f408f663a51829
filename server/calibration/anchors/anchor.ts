import type { Measure } from '../measures/rates';

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
  readonly agreement: Measure;
  readonly catchRate: Measure;
  readonly falseRejectionRate: Measure;
  readonly costUsd: number;
}
