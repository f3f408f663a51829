import { and, eq } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { checkJudgeFamilies, checkSpecProviders } from '../../llm';
import type { Ctx } from '../../platform';
import type { MissionSettingsBody } from '../input';
import { lockVersions } from '../../catalog';

/** A mission's overrides of its project's settings (VS-33, VS-45); null where it has none. */
export interface MissionSettings {
  /** A model spec that replaces the project's default judge. */
  readonly judge: string | null;
  /**
   * The cost of work and judging, in US dollars, above which a person reviews every further
   * verdict.
   */
  readonly reviewAboveUsd: number | null;
}

const none: MissionSettings = { judge: null, reviewAboveUsd: null };

export async function loadMissionSettings(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
  missionId: string,
): Promise<MissionSettings> {
  const [row] = await sql<{ judge: string | null; review_above_usd: number | null }[]>`
    select judge, review_above_usd from mission_settings where project_id = ${projectId} and mission_id = ${missionId}`;
  return row === undefined ? none : { judge: row.judge, reviewAboveUsd: row.review_above_usd };
}

/**
 * The judge of a mission that has or had its own settings, and when the settings were last changed.
 */
export interface MissionJudge {
  readonly missionId: string;
  readonly judge: string | null;
  readonly updatedAt: Date;
}

export async function listMissionJudges({
  sql,
  projectId,
}: ProjectCtx): Promise<readonly MissionJudge[]> {
  const rows = await sql<{ mission_id: string; judge: string | null; updated_at: string }[]>`
    select mission_id, judge, updated_at from mission_settings where project_id = ${projectId}`;
  return rows.map(({ mission_id: missionId, judge, updated_at: updatedAt }) => ({
    missionId,
    judge,
    updatedAt: new Date(updatedAt),
  }));
}

/**
 * Changes a mission's settings for future verdicts: null removes the mission's own value, an
 * omitted member is unchanged. The mission need not have any work yet. Repeating the same values
 * changes nothing.
 * @throws AssayError refused (a judge of an unknown provider or model family)
 */
export async function putMissionSettings(
  ctx: ProjectCtx,
  missionId: string,
  body: MissionSettingsBody,
): Promise<MissionSettings> {
  if (body.judge != null) {
    const judge = [['judge', body.judge]] as const;
    await checkSpecProviders(ctx, judge);
    checkJudgeFamilies(judge);
  }
  const { missionSettings } = schema;
  return ctx.db.transaction(async (tx) => {
    await lockVersions(ctx, tx);
    const [row] = await tx
      .select({ judge: missionSettings.judge, reviewAboveUsd: missionSettings.reviewAboveUsd })
      .from(missionSettings)
      .where(
        and(eq(missionSettings.projectId, ctx.projectId), eq(missionSettings.missionId, missionId)),
      );
    const before = row ?? none;
    const after: MissionSettings = {
      judge: body.judge === undefined ? before.judge : body.judge,
      reviewAboveUsd:
        body.review_above_usd === undefined ? before.reviewAboveUsd : body.review_above_usd,
    };
    if (after.judge === before.judge && after.reviewAboveUsd === before.reviewAboveUsd)
      return before;
    await tx
      .insert(missionSettings)
      .values({ projectId: ctx.projectId, missionId, ...after })
      .onConflictDoUpdate({
        target: [missionSettings.projectId, missionSettings.missionId],
        set: { ...after, updatedAt: ctx.clock.now() },
      });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'settings.mission',
      target: missionId,
      detail: { before, after, reason: body.reason ?? null },
    });
    return after;
  });
}
