import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../../access';
import type { Database } from '../../platform';
import type { ReviewSettingsBody } from './review-input';

/**
 * The default settings (calibration.md 5.11 leaves them open): 5% of verdicts at random, one rater
 * per item.
 */
export const standardReview: ReviewSettingsBody = {
  auditRate: 0.05,
  uncertainBand: 0.05,
  raters: 1,
  blind: false,
};

export interface StoredSettings extends ReviewSettingsBody {
  /** '' applies to all verifiers without their own settings. */
  readonly slug: string;
  /**
   * The history of the audit rate, oldest first; `from` is in seconds since 1970 by the database's
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

/** The stored settings; those for all verifiers come first. */
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

/**
 * The settings of one verifier: its own, otherwise those for all verifiers, otherwise the defaults.
 */
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
 * The audit rate for a verdict: the rate of its verifier when the verdict settled. It does not
 * depend on when, how often or why the verdict is read, so neither a change of the rate nor a
 * report can invalidate the stored probability.
 * @param settledAt seconds since 1970
 */
export function auditRateAt(
  stored: readonly StoredSettings[],
  slug: string,
  settledAt: number,
): number {
  for (const name of [slug, '']) {
    const rates = stored.find((each) => each.slug === name)?.rates ?? [];
    const current = rates.findLast(({ from }) => from <= settledAt);
    if (current !== undefined) return current.rate;
  }
  return standardReview.auditRate;
}

/**
 * Locks a project's queue settings until the transaction ends, both to fill the queue and to change
 * its settings, so that a rate applies from a time that the queue has not yet passed.
 */
export async function lockSettings(
  tx: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
): Promise<void> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`review settings ${projectId}`}, 0))`,
  );
}
