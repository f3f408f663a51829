import type { GateFindings, NotTried } from './gate-findings';

/**
 * `advise`: a worse option is refused unless someone forces it. `require`: needs a trial that the
 * option did not lose, and the approval of a second person.
 */
export type PromotionMode = 'advise' | 'require';

/**
 * `waiting` for an approval; `forced`: against the gate's decision; `rolled_back`: it was current,
 * and its predecessor is current again.
 */
export type PromotionState =
  | 'waiting'
  | 'refused'
  | 'promoted'
  | 'forced'
  | 'withdrawn'
  | 'rolled_back';

/** A request to promote another prompt version or another judge, and its result. */
export interface Promotion {
  readonly id: string;
  /** The slug of the prompt; '' for a change of the judge. */
  readonly slug: string;
  /** Prompt versions as text, or judges (`JudgeList`); '' if none was named. */
  readonly before: string;
  readonly after: string;
  readonly trialId: string | null;
  readonly state: PromotionState;
  readonly findings: GateFindings | NotTried;
  readonly reason: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly approvedBy: string | null;
  readonly endedBy: string | null;
  readonly endedAt: Date | null;
  /** Whether its result is current and can be rolled back. */
  readonly isCurrent: boolean;
}

/** The gate's decision on a promotion, before it is requested. */
export interface PromotionCheck {
  readonly mode: PromotionMode;
  /**
   * The expected result of a request; `rolled_back` if the version was the previous one, since
   * rolling back is never gated.
   */
  readonly outcome: 'promoted' | 'waiting' | 'refused' | 'rolled_back' | 'runs_now';
  /** The latest trial on held-out labels against the current version; null if there is none. */
  readonly trialId: string | null;
  /**
   * Number of completed trials of the two on held-out labels: with many trials, one wins by chance.
   */
  readonly trials: number;
  readonly findings: GateFindings | NotTried;
}
