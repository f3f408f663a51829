import type { Outcome, Rate } from '../../domain';
import type { ReviewQueue, ReviewSettingsBody } from './review-input';

/** A verdict for review, in the form that its reviewer may see before ruling. */
export interface ReviewItem {
  readonly id: string;
  readonly verdictId: string;
  readonly kind: string;
  /** `integrity@3` */
  readonly verifier: string;
  readonly subjectId: string;
  readonly queues: readonly ReviewQueue[];
  readonly reason: string | null;
  /** Required number of rulings, and those given. */
  readonly raters: number;
  readonly ruled: number;
  readonly blind: boolean;
  readonly state: 'open' | 'done' | 'withdrawn';
  readonly verdictAt: Date;
  /** End of this person's reservation; null if there is none. */
  readonly reservedUntil: Date | null;
  /** This person's answer, unless undone. */
  readonly mine: OwnRuling | null;
}

export interface OwnRuling {
  readonly answer: 'pass' | 'fail' | 'unsure';
  readonly reason: string | null;
  readonly grade: number | null;
}

/**
 * A reviewer's view. For a blind item without this person's ruling it contains nothing by the
 * verifier or others.
 */
export interface ReviewContent {
  readonly item: ReviewItem;
  /** The request, as far as known. */
  readonly request: string | null;
  /** The answer: one part, or a part per file or output, with its name. */
  readonly output: readonly { readonly name: string | null; readonly text: string }[];
  readonly sources: readonly { readonly name: string; readonly text: string }[];
  /** Long texts are truncated. */
  readonly cut: boolean;
  readonly policy: { readonly version: number; readonly body: string } | null;
  /** Null while a blind item waits for this person. */
  readonly seen: ReviewSeen | null;
}

/** Shown once it cannot influence: the verdict, others' rulings, and the agreement with them. */
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
 * The result of ruling: progress, and agreement with the verifier and with others on common items.
 */
export interface ItemRuled {
  readonly item: ReviewItem;
  readonly seen: ReviewSeen;
  readonly agreement: { readonly machine: Rate; readonly others: Rate };
}

export interface ReviewCounts {
  /** Open and not yet ruled on by this person. */
  readonly open: number;
  readonly byQueue: Readonly<Record<ReviewQueue, number>>;
  readonly byVerifier: readonly { readonly verifier: string; readonly open: number }[];
  /** Ruled on by this person since midnight UTC, and by all. */
  readonly mineToday: number;
  readonly doneToday: number;
  /** This person's agreement so far, of the last 30 days. */
  readonly agreement: { readonly machine: Rate; readonly others: Rate };
  /** Up to when verdicts were read for the queue; null: never. */
  readonly drawnTo: Date | null;
  /**
   * Verifiers with the maximum of open items, besides the random sample: less urgent ones were
   * dropped.
   */
  readonly full: readonly string[];
}

export interface ReviewSettings extends ReviewSettingsBody {
  /** Null: for all without settings of their own. */
  readonly verifier: string | null;
  /** `default`: never set. */
  readonly source: 'default' | 'project' | 'verifier';
  readonly updatedBy: string | null;
  readonly updatedAt: Date | null;
}

/** A version of the instructions under which labels of a verifier are given. */
export interface Policy {
  readonly version: number;
  readonly body: string;
  readonly message: string;
  readonly createdBy: string;
  readonly createdAt: Date;
  /** Labels given under it. */
  readonly labels: number;
}
