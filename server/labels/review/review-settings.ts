import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../../access';
import type { Database } from '../../platform';
import type { ReviewSettingsBody } from './review-input';

/**
 * The default for filling a queue (calibration.md 5.11 leaves it open): a twentieth at random, one
 * person per item.
 */
export const standardReview: ReviewSettingsBody = {
  auditRate: 0.05,
  uncertainBand: 0.05,
  raters: 1,
  blind: false,
};

export interface StoredSettings extends ReviewSettingsBody {
  /** '' is for all verifiers without settings of their own. */
  readonly slug: string;
  /**
   * The history of the audit's share, oldest first; `from` in seconds since 1970 by the database's
   * clock.
   */
  readonly rates: readonly { readonly from: number; readonly rate: number }[];
  readonly updatedBy: string;
  readonly updatedAt: Date;
}

interface Row {
  verifier_slug: string;
  audit_rate: number;
  audit_rates: StoredSettings['rates'];
  uncertain_band: number;
  raters: number;
  blind: boolean;
  updated_by: string;
  updated_at: string;
}

/** The stored settings, those for all verifiers first. */
export async function loadReviewSettings(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
): Promise<StoredSettings[]> {
  const rows = await ctx.sql<Row[]>`
    select verifier_slug, audit_rate, audit_rates, uncertain_band, raters, blind, updated_by, updated_at from review_settings
    where project_id = ${ctx.projectId} order by verifier_slug`;
  return rows.map((row) => ({
    slug: row.verifier_slug,
    rates: row.audit_rates,
    auditRate: row.audit_rate,
    uncertainBand: row.uncertain_band,
    raters: row.raters,
    blind: row.blind,
    updatedBy: row.updated_by,
    updatedAt: new Date(row.updated_at),
  }));
}

/** The settings of one verifier: its own, else those for all, else the defaults. */
export function reviewSettingsOf(
  stored: readonly StoredSettings[],
  slug: string,
): ReviewSettingsBody {
  return (
    stored.find((each) => each.slug === slug) ??
    stored.find((each) => each.slug === '') ??
    standardReview
  );
}

/**
 * The audit's share for a verdict: the one of its verifier when it settled. It does not depend on
 * when, how often and why the verdict is read, so neither a share that changes between two reads
 * nor a report can invalidate the stored probability.
 * @param settledAt seconds since 1970
 */
export function auditRateAt(
  stored: readonly StoredSettings[],
  slug: string,
  settledAt: number,
): number {
  for (const name of [slug, '']) {
    const rates = stored.find((each) => each.slug === name)?.rates ?? [];
    const inForce = rates.findLast(({ from }) => from <= settledAt);
    if (inForce !== undefined) return inForce.rate;
  }
  return standardReview.auditRate;
}

/**
 * Locked both for filling a queue and for changing its settings, until the transaction ends: a
 * share applies from a time that no read has passed yet.
 */
export async function lockSettings(
  tx: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`review settings ${projectId}`}, 0))`,
  );
}
