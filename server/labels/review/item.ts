import type { Outcome, Rate } from '../../domain';
import type { ReviewQueue, ReviewSettingsBody } from './review-input';

/** A verdict to review, with only the data that the reviewer may see before ruling. */
export interface ReviewItem {
  readonly id: string;
  readonly verdictId: string;
  readonly kind: string;
  /** `integrity@3` */
  readonly verifier: string;
  readonly subjectId: string;
  /** One line of the task or of the answer; empty if there is no text. */
  readonly title: string;
  readonly queues: readonly ReviewQueue[];
  readonly reason: string | null;
  /** The required number of rulings, and the number given. */
  readonly raters: number;
  readonly ruled: number;
  readonly blind: boolean;
  readonly state: 'open' | 'done' | 'withdrawn';
  readonly verdictAt: Date;
  /** The end of this person's reservation; null if there is none. */
  readonly reservedUntil: Date | null;
  /** The email of the person who should rule on it; null if none. */
  readonly assignedTo: string | null;
  /** This person's answer; null if there is none or it was undone. */
  readonly mine: OwnRuling | null;
}

export interface OwnRuling {
  readonly answer: 'pass' | 'fail' | 'unsure';
  readonly reason: string | null;
  readonly grade: number | null;
}

/**
 * A reviewer's view. Until this person has ruled on a blind item, it contains nothing from the
 * verifier or other raters.
 */
export interface ReviewContent {
  readonly item: ReviewItem;
  /** The request; null if unknown. */
  readonly request: string | null;
  /** The answer: one part, or a part per file or output, with its name. */
  readonly output: readonly { readonly name: string | null; readonly text: string }[];
  readonly sources: readonly { readonly name: string; readonly text: string }[];
  /** Long texts are truncated. */
  readonly cut: boolean;
  readonly policy: { readonly version: number; readonly body: string } | null;
  /** Null until this person has ruled on a blind item. */
  readonly seen: ReviewSeen | null;
}

/** Shown once it can no longer influence the rater: the verdict and others' rulings. */
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
 * Open items of the same verifier with the same finding, or with the same text. Blind items are
 * compared by text only, since the finding is hidden.
 */
export interface SimilarItems {
  readonly items: readonly {
    readonly item: ReviewItem;
    /** The verifier's first finding; null for a blind item, or if there is none. */
    readonly finding: string | null;
  }[];
}

/**
 * The result of ruling on an item, with this person's agreement with the verifier and with others.
 */
export interface ItemRuled {
  readonly item: ReviewItem;
  readonly seen: ReviewSeen;
  readonly agreement: { readonly machine: Rate; readonly others: Rate };
}

export interface ReviewCounts {
  /** Open items that this person has not ruled on. */
  readonly open: number;
  readonly byQueue: Readonly<Record<ReviewQueue, number>>;
  readonly byVerifier: readonly { readonly verifier: string; readonly open: number }[];
  /** The number of items ruled on since midnight UTC, by this person and by all. */
  readonly mineToday: number;
  readonly doneToday: number;
  /** Open items that are assigned to this person, and to no one, under the other filters. */
  readonly byAssignment: { readonly mine: number; readonly none: number };
  /** This person's seconds per ruling today, without breaks; null below 5 intervals. */
  readonly paceSeconds: number | null;
  /** This person's agreement over the last 30 days. */
  readonly agreement: { readonly machine: Rate; readonly others: Rate };
  /** The time up to which verdicts were read for the queue; null if never. */
  readonly drawnTo: Date | null;
  /**
   * Verifiers with the maximum number of open items, not counting the random sample; less urgent
   * items were withdrawn.
   */
  readonly full: readonly string[];
}

export interface ReviewSettings extends ReviewSettingsBody {
  /** Null for all verifiers without their own settings. */
  readonly verifier: string | null;
  /** `default`: nothing is stored. */
  readonly source: 'default' | 'project' | 'verifier';
  readonly updatedBy: string | null;
  readonly updatedAt: Date | null;
}

/** A version of the instructions for raters of a verifier. */
export interface Policy {
  readonly version: number;
  readonly body: string;
  readonly message: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** The number of labels given under this version. */
  readonly labels: number;
}
