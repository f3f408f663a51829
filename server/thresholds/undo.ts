import type { ProjectCtx } from '../access';
import { notFound } from '../platform';
import { applyThresholds } from './apply';
import { findThresholdKeys } from './custom-keys';

export interface UndoThreshold {
  readonly verifier: string;
  readonly key: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
  /** The version to undo, which must be current; otherwise the request is refused as `conflict`. */
  readonly version: number;
  readonly reason: string | null;
}

/**
 * Restores the value before a scope's latest version, as its next version. If that value is already
 * current, changes nothing, and may therefore be repeated.
 * @throws AssayError not_found (no such threshold or version), conflict, refused (the restored
 * value would now cross another)
 */
export async function undoThreshold(
  ctx: ProjectCtx,
  { verifier, key, missionId, taskId, version, reason }: UndoThreshold,
): Promise<void> {
  if (!(await findThresholdKeys(ctx, verifier)).some((each) => each.key === key))
    throw notFound('threshold');
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
