import type { Outcome, Rate } from '../../domain';
import type { ReviewQueue, ReviewSettingsBody } from './review-input';

/** A verdict that a person is asked to look at, as its reviewer may know it before ruling. */
export interface ReviewItem {
  readonly id: string;
  readonly verdictId: string;
  readonly kind: string;
  /** `integrity@3` */
  readonly verifier: string;
  readonly subjectId: string;
  readonly queues: readonly ReviewQueue[];
  readonly reason: string | null;
  /** People who rule on it before it is done, and those who have. */
  readonly raters: number;
  readonly ruled: number;
  readonly blind: boolean;
  readonly state: 'open' | 'done' | 'withdrawn';
  readonly verdictAt: Date;
  /** Until when it is this person's; null where it is not. */
  readonly reservedUntil: Date | null;
  /** What this person said of it and did not take back. */
  readonly mine: OwnRuling | null;
}

export interface OwnRuling {
  readonly answer: 'pass' | 'fail' | 'unsure';
  readonly reason: string | null;
  readonly grade: number | null;
}

/**
 * What a reviewer reads. Of a blind item that this person has not ruled on it holds nothing that
 * the verifier or others made.
 */
export interface ReviewContent {
  readonly item: ReviewItem;
  /** What was asked for, as far as it is known. */
  readonly request: string | null;
  /** What was answered: one part, or a part a file or output, with its name. */
  readonly output: readonly { readonly name: string | null; readonly text: string }[];
  readonly sources: readonly { readonly name: string; readonly text: string }[];
  /** Of long texts only the beginning is here. */
  readonly cut: boolean;
  readonly policy: { readonly version: number; readonly body: string } | null;
  /** Null while a blind item waits for this person. */
  readonly seen: ReviewSeen | null;
}

/**
 * What is told once it cannot sway: the verdict, what others said, how far one agrees with them.
 */
export interface ReviewSeen {
  readonly machine: {
    readonly verdict: string | null;
    readonly outcome: Outcome;
    readonly score: number | null;
    readonly threshold: number | null;
  };
  readonly issues: readonly {
    readonly code: string;
    readonly message: string;
    readonly severity: string;
  }[];
  readonly others: readonly {
    readonly rater: string;
    readonly answer: 'pass' | 'fail' | 'unsure';
    readonly reason: string | null;
  }[];
}

/**
 * What ruling gives back: progress, and agreement with the verifier and with others on items that
 * both ruled on.
 */
export interface ItemRuled {
  readonly item: ReviewItem;
  readonly seen: ReviewSeen;
  readonly agreement: { readonly machine: Rate; readonly others: Rate };
}

export interface Desk {
  /** Open and not yet ruled on by this person. */
  readonly open: number;
  readonly byQueue: Readonly<Record<ReviewQueue, number>>;
  readonly byVerifier: readonly { readonly verifier: string; readonly open: number }[];
  /** Ruled on by this person since midnight UTC, and by all. */
  readonly mineToday: number;
  readonly doneToday: number;
  /** This person's agreement so far, of the last 30 days. */
  readonly agreement: { readonly machine: Rate; readonly others: Rate };
  /** Up to when verdicts were looked through for the desk; null: never. */
  readonly drawnTo: Date | null;
  /**
   * Verifiers that have as many open items as the desk holds of one, next to the random sample:
   * what presses less was left out.
   */
  readonly full: readonly string[];
}

export interface ReviewSettings extends ReviewSettingsBody {
  /** Null: for all that have none of their own. */
  readonly verifier: string | null;
  /** `default`: no one has set them. */
  readonly source: 'default' | 'project' | 'verifier';
  readonly updatedBy: string | null;
  readonly updatedAt: Date | null;
}

/** A version of the wording that labels of a verifier are given under. */
export interface Policy {
  readonly version: number;
  readonly body: string;
  readonly message: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Labels that were given under it. */
  readonly labels: number;
}
