import type { GateFindings, NotTried } from './gate-findings';

/**
 * `advise`: what is worse is refused unless somebody forces it. `require`: a trial that it did not
 * lose, and another person's approval.
 */
export type PromotionMode = 'advise' | 'require';

/**
 * `waiting` for an approval; `forced`: against the gate's word; `rolled_back`: it ran, and what ran
 * before runs again.
 */
export type PromotionState =
  | 'waiting'
  | 'refused'
  | 'promoted'
  | 'forced'
  | 'withdrawn'
  | 'rolled_back';

/** A wish to let another prompt version or another judge into production, and what became of it. */
export interface Promotion {
  readonly id: string;
  /** Of the prompt; '' where the judge changes. */
  readonly slug: string;
  /** Versions of the prompt as text, or who judges (`JudgeSeats`); '' where no one was named. */
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
  /** What it let in runs now, and what ran before can be brought back. */
  readonly inForce: boolean;
}

/** What the gate says of letting something in, before it is asked for. */
export interface PromotionCheck {
  readonly mode: PromotionMode;
  /**
   * What asking would come to; `rolled_back`: it ran just before, and going back is never gated.
   */
  readonly outcome: 'promoted' | 'waiting' | 'refused' | 'rolled_back' | 'runs_now';
  /** The latest trial on held-out labels against what runs now; null: there is none. */
  readonly trialId: string | null;
  /** Trials of the two on held-out labels that ended: of many, one wins by chance. */
  readonly trials: number;
  readonly findings: GateFindings | NotTried;
}
