import type { ProjectCtx } from '../access';
import { applyThresholds } from './apply';
import type { ThresholdBody } from './input';

export interface PutThreshold {
  readonly verifier: string;
  readonly key: string;
  readonly body: ThresholdBody;
}

/**
 * Sets a value for a scope, as the scope's next version, or removes it. Stored verdicts keep the
 * values that decided them. Setting the same value again changes nothing.
 * @throws AssayError not_found (no such verifier or key), refused (out of range, or pass below fail
 * in this scope or a narrower one), conflict (the current version is not the expected one)
 */
export async function putThreshold(
  ctx: ProjectCtx,
  { verifier, key, body }: PutThreshold,
): Promise<void> {
  const { value, reason, scope, expected_version: expectedVersion } = body;
  await applyThresholds(ctx, {
    verifier,
    missionId: scope.mission_id,
    taskId: scope.task_id,
    reason,
    changes: [{ key, value, expectedVersion }],
  });
}
