import { deriveOutcome, type Outcome } from '../domain';
import { effectiveRuling, type Ruling } from './rulings';

/** One row of a verdict list. */
export interface VerdictRow {
  readonly id: string;
  readonly kind: string;
  readonly verifier: string;
  readonly outcome: Outcome;
  readonly verdict: string | null;
  readonly score: number | null;
  readonly model: string | null;
  readonly excerpt: string;
  readonly unsourced: number | null;
  readonly figures: number | null;
  /** `turn`, or a value of `subjects.kind`. */
  readonly subjectKind: string;
  readonly turnId: string | null;
  readonly sessionId: string | null;
  readonly createdAt: Date;
  readonly settledAt: Date;
  /**
   * The verifier has a verdict on a later revision of the subject, so this one counts in no rate.
   */
  readonly superseded: boolean;
  /**
   * The result after human rulings, null if there are none; `outcome` and `verdict` remain those of
   * the verifier.
   */
  readonly ruled: { readonly verdict: string; readonly outcome: Outcome } | null;
}

/** A row from PostgreSQL; this connection returns timestamps as strings. */
export interface StoredRow {
  id: string;
  kind: string;
  verifier_slug: string;
  verifier_version: number;
  outcome: Outcome;
  verdict: string | null;
  score: number | null;
  model: string | null;
  excerpt: string;
  unsourced: number | null;
  figures: number | null;
  subject_kind: string;
  turn_id: string | null;
  session_id: string | null;
  created_at: string;
  settled_at: string;
  superseded: boolean;
  /** Someone has labelled it, so its rulings must be read. */
  labelled: boolean;
}

export function asVerdictRow(row: StoredRow, rulings: readonly Ruling[]): VerdictRow {
  const ruled = effectiveRuling(rulings)?.verdict ?? null;
  return {
    id: row.id,
    kind: row.kind,
    verifier: `${row.verifier_slug}@${row.verifier_version}`,
    outcome: row.outcome,
    verdict: row.verdict,
    score: row.score,
    model: row.model,
    excerpt: row.excerpt,
    unsourced: row.unsourced,
    figures: row.figures,
    subjectKind: row.subject_kind,
    turnId: row.turn_id,
    sessionId: row.session_id,
    createdAt: new Date(row.created_at),
    settledAt: new Date(row.settled_at),
    superseded: row.superseded,
    ruled: ruled === null ? null : { verdict: ruled, outcome: deriveOutcome(ruled) },
  };
}
