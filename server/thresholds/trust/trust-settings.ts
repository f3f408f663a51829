import type { ProjectCtx } from '../../access';
import type { TrustSettingsBody } from './trust-input';

/** The requirements for a verifier's trust, and whether it is enforced. */
export interface TrustSettings extends TrustSettingsBody {
  /** Null for all verifiers without their own settings. */
  readonly verifier: string | null;
  readonly source: 'default' | 'project' | 'verifier';
  readonly updatedBy: string | null;
  readonly updatedAt: Date | null;
}

/**
 * Trust is advisory by default (systems.md, "Settled since"). The targets are SOAR's, applied to
 * bounds (calibration.md 5.11).
 */
export const standardTrust: TrustSettingsBody = {
  enforceTrust: false,
  catchTarget: 0.7,
  falseRejectionTarget: 0.1,
  requiredSlices: [],
  halfLifeDays: 90,
};

interface Row {
  verifier_slug: string;
  enforce_trust: boolean;
  catch_target: number;
  false_rejection_target: number;
  required_slices: TrustSettingsBody['requiredSlices'];
  half_life_days: number;
  updated_by: string;
  updated_at: string;
}

/** The settings for all verifiers, followed by those of single verifiers. */
export async function listTrustSettings(
  ctx: Pick<ProjectCtx, 'sql' | 'projectId'>,
): Promise<TrustSettings[]> {
  const rows = await ctx.sql<Row[]>`
    select verifier_slug, enforce_trust, catch_target, false_rejection_target, required_slices, half_life_days, updated_by, updated_at
    from trust_settings where project_id = ${ctx.projectId} order by verifier_slug`;
  const stored = rows.map(
    (row): TrustSettings => ({
      verifier: row.verifier_slug === '' ? null : row.verifier_slug,
      source: row.verifier_slug === '' ? 'project' : 'verifier',
      enforceTrust: row.enforce_trust,
      catchTarget: row.catch_target,
      falseRejectionTarget: row.false_rejection_target,
      requiredSlices: row.required_slices,
      halfLifeDays: row.half_life_days,
      updatedBy: row.updated_by,
      updatedAt: new Date(row.updated_at),
    }),
  );
  if (stored.some(({ verifier }) => verifier === null)) return stored;
  return [
    { ...standardTrust, verifier: null, source: 'default', updatedBy: null, updatedAt: null },
    ...stored,
  ];
}

/** The settings of one verifier: its own, else those for all, else the defaults. */
export function trustSettingsOf(
  settings: readonly TrustSettings[],
  slug: string,
): TrustSettingsBody {
  return (
    settings.find(({ verifier }) => verifier === slug) ??
    settings.find(({ verifier }) => verifier === null) ??
    standardTrust
  );
}
