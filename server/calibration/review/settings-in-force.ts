import type { ProjectCtx } from '../../access';
import type { ReviewSettingsBody } from './review-input';

/** How a desk is filled where nobody has said otherwise (calibration.md 5.11 leaves it open): a twentieth at random, one person an item. */
export const standardReview: ReviewSettingsBody = { auditRate: 0.05, uncertainBand: 0.05, raters: 1, blind: false };

export interface StoredSettings extends ReviewSettingsBody {
  /** '' is for all verifiers that have none of their own. */
  readonly slug: string;
  readonly updatedBy: string;
  readonly updatedAt: Date;
}

interface Row {
  verifier_slug: string;
  audit_rate: number;
  uncertain_band: number;
  raters: number;
  blind: boolean;
  updated_by: string;
  updated_at: string;
}

/** What is set, that for all verifiers first. */
export async function loadReviewSettings({ sql, projectId }: Pick<ProjectCtx, 'sql' | 'projectId'>): Promise<StoredSettings[]> {
  const rows = await sql<Row[]>`
    select verifier_slug, audit_rate, uncertain_band, raters, blind, updated_by, updated_at from review_settings
    where project_id = ${projectId} order by verifier_slug`;
  return rows.map((row) => ({
    slug: row.verifier_slug,
    auditRate: row.audit_rate,
    uncertainBand: row.uncertain_band,
    raters: row.raters,
    blind: row.blind,
    updatedBy: row.updated_by,
    updatedAt: new Date(row.updated_at),
  }));
}

/** What goes for one verifier: its own settings, else those for all, else the defaults. */
export function settingsOf(stored: readonly StoredSettings[], slug: string): ReviewSettingsBody {
  return stored.find((each) => each.slug === slug) ?? stored.find((each) => each.slug === '') ?? standardReview;
}
