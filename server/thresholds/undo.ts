import type { ProjectCtx } from '../access';
import { notFound } from '../platform';
import { applyThresholds } from './apply';
import { listThresholdKeys } from './keys';

export interface UndoThreshold {
  readonly verifier: string;
  readonly key: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
  /** The current version to undo; refused as `conflict` if another is current by now. */
  readonly version: number;
  readonly reason: string | null;
}

/**
 * Restores the value before a scope's latest version, as its next version. If that is already
 * current nothing is changed, so that it may be repeated.
 * @throws AssayError not_found (no such threshold, or version), conflict, refused (the restored
 * value would cross another by now)
 */
export async function undoThreshold(
  ctx: ProjectCtx,
  { verifier, key, missionId, taskId, version, reason }: UndoThreshold,
): Promise<void> {
  if (!listThresholdKeys(verifier).some((each) => each.key === key)) throw notFound('threshold');
  const rows = await ctx.sql<{ version: number; value: number | null }[]>`
    select version, value from thresholds
    where project_id = ${ctx.projectId} and verifier = ${verifier} and key = ${key} and mission_id = ${missionId ?? ''}
      and task_id = ${taskId ?? ''} and version in (${version}, ${version - 1})`;
  if (!rows.some((row) => row.version === version)) throw notFound('version of the threshold');
  const value = rows.find((row) => row.version === version - 1)?.value ?? null;
  const changes = [{ key, value, expectedVersion: version }];
  await applyThresholds(ctx, {
    verifier,
    missionId,
    taskId,
    reason,
    changes,
    action: 'thresholds.undo',
  });
}
