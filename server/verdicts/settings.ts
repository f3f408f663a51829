import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { latestConfig, lockVersions, storeVersion } from '../catalog';
import { maskRulesOf } from '../masking';
import { MaskingSettings } from '../masking/input';
import { type Ctx, type Database, refused } from '../platform';
import { type Authority, authorityColumn, unbound } from '../thresholds';
import { IntegrityConfig } from '../verifiers';
import type { ProjectSettings } from './input';
import { loadJudging } from './subjects/judging';

export interface IntegrityState {
  readonly state: 'on' | 'off';
  readonly offBy: 'environment' | 'project' | null;
  readonly allowUserFigures: boolean;
  readonly derivedCountsAsSourced: boolean;
}

/**
 * Checks a caller's `integrity` or `integrity@3`: only the current version runs.
 * @throws AssayError refused (another kind, or an outdated version)
 */
export function requireVerifier(ctx: ProjectCtx, wanted: string, kind: string): Promise<void> {
  return requireVersion(
    wanted,
    kind,
    async () => (await loadJudging(ctx, ctx.projectId, kind)).version,
  );
}

/** The same, for a caller that reads the current version itself. */
export async function requireVersion(
  wanted: string,
  kind: string,
  read: () => Promise<number | undefined>,
): Promise<void> {
  const [slug, version] = wanted.split('@');
  const path = 'verifier';
  if (slug !== kind)
    throw refused(`verifier: must be of the kind ${kind}`, [
      { path, message: `must name a verifier of the kind ${kind}, not "${wanted}"` },
    ]);
  const current = await read();
  if (version !== undefined && version !== String(current)) {
    throw refused(`${path}: must be ${kind}@${current}, the current version`, [
      { path, message: `must be ${kind}@${current}, the current version` },
    ]);
  }
}

/** The integrity settings for the console and the settings route. */
export async function getIntegrityState(ctx: ProjectCtx): Promise<IntegrityState> {
  const { config: stored, disabledBy } = await loadJudging(ctx, ctx.projectId, 'integrity');
  const config = IntegrityConfig.parse(stored);
  return {
    state: disabledBy === null ? 'on' : 'off',
    offBy: disabledBy,
    allowUserFigures: config.allow_user_figures,
    derivedCountsAsSourced: config.derived_counts_as_sourced,
  };
}

/** A project's own integrity settings; the environment's switch is not included. */
export interface ProjectIntegrity {
  readonly projectId: string;
  readonly slug: string;
  readonly enabled: boolean;
  readonly derivedCountsAsSourced: boolean;
  /** Whether integrity may block and mark, and whether the verifier of turns may steer. */
  readonly integrityAuthority: Authority;
  readonly turnAuthority: Authority;
  readonly masking: MaskingSettings;
}

/**
 * Every project with its integrity settings; the gateway caches them, so that it needs no query per
 * request.
 */
export async function listProjectIntegrity(ctx: Pick<Ctx, 'sql'>): Promise<ProjectIntegrity[]> {
  const { sql } = ctx;
  const turnVersion = sql`coalesce((select max(version) from verifier_versions where project_id = p.id and slug = 'turn'), 1)`;
  const rows = await sql<
    {
      id: string;
      slug: string;
      integrity_enabled: boolean | null;
      masking: unknown;
      config: unknown;
      integrity: Authority | null;
      turn: Authority | null;
    }[]
  >`
    select p.id, p.slug, s.integrity_enabled, s.masking, v.config,
      ${authorityColumn(sql, sql`p.id`, 'integrity', sql`coalesce(v.version, 1)`)} as integrity,
      ${authorityColumn(sql, sql`p.id`, 'turn', turnVersion)} as turn
    from projects p
    left join project_settings s on s.project_id = p.id
    left join lateral (
      select version, config from verifier_versions where project_id = p.id and slug = 'integrity' order by version desc limit 1
    ) v on true`;
  return rows.map((row) => ({
    projectId: row.id,
    slug: row.slug,
    enabled: row.integrity_enabled !== false,
    derivedCountsAsSourced: IntegrityConfig.parse(row.config ?? {}).derived_counts_as_sourced,
    integrityAuthority: row.integrity ?? unbound,
    turnAuthority: row.turn ?? unbound,
    masking: MaskingSettings.parse(row.masking ?? null),
  }));
}

/** The parts of its input that the project masks; null if none. */
export async function loadMasking(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
): Promise<MaskingSettings> {
  const [row] = await sql<{ masking: unknown }[]>`
    select masking from project_settings where project_id = ${projectId}`;
  return MaskingSettings.parse(row?.masking ?? null);
}

/**
 * Changes settings. A changed config creates the verifier's next version, so that stored verdicts
 * keep the version that decided them.
 * @internal Only tests call it.
 */
export async function updateSettings(
  ctx: ProjectCtx,
  input: ProjectSettings,
): Promise<IntegrityState> {
  await ctx.db.transaction((tx) => updateSettingsIn(ctx, tx, input));
  return getIntegrityState(ctx);
}

/** The same within `tx`, for changes that must be atomic with others. */
export async function updateSettingsIn(
  ctx: ProjectCtx,
  tx: Database,
  input: ProjectSettings,
): Promise<void> {
  if (Object.values(input).every((value) => value === undefined)) return;
  if (input.masking != null) maskRulesOf(ctx, ctx.projectId, input.masking);
  await lockVersions(ctx, tx);
  const latest = await latestConfig(ctx, tx, 'integrity');
  const before = IntegrityConfig.parse(latest.config);
  const { allowUserFigures: _allow, derivedCountsAsSourced: _derived, ...given } = input;
  const columns = definedOf(given);
  if (Object.keys(columns).length > 0) {
    await tx
      .insert(schema.projectSettings)
      .values({ projectId: ctx.projectId, ...columns })
      .onConflictDoUpdate({
        target: schema.projectSettings.projectId,
        set: { ...columns, updatedAt: ctx.clock.now() },
      });
  }
  const config = {
    ...before,
    allow_user_figures: input.allowUserFigures ?? before.allow_user_figures,
    derived_counts_as_sourced: input.derivedCountsAsSourced ?? before.derived_counts_as_sourced,
  };
  const changed =
    config.allow_user_figures !== before.allow_user_figures ||
    config.derived_counts_as_sourced !== before.derived_counts_as_sourced;
  if (changed) {
    await storeVersion(ctx, tx, {
      slug: 'integrity',
      kind: 'integrity',
      version: latest.version + 1,
      config,
    });
  }
  await recordAudit(ctx, tx, ctx.actor, {
    projectId: ctx.projectId,
    action: 'settings.update',
    target: 'project',
    detail: { ...input },
  });
}

/** A copy without undefined members. */
function definedOf<T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
