import { thresholdFault, resolveThresholds, type ScopedValue } from './resolve';

/**
 * The fault of a verifier's values in combination, in the project or in any scope with its own
 * value; null if there is none. A project's value may cross a mission's. Names the scope if it is
 * not the project.
 */
export function crossingOf(
  verifier: string,
  values: readonly ScopedValue[],
): { readonly fault: string; readonly where: string } | null {
  for (const { missionId, taskId } of [{ missionId: '', taskId: '' }, ...values]) {
    const fault = thresholdFault(
      resolveThresholds({ verifier, missionId: missionId || null, taskId: taskId || null }, values),
    );
    if (fault === null) continue;
    const where =
      taskId !== ''
        ? ` for the task "${taskId}"`
        : missionId !== ''
          ? ` for the mission "${missionId}"`
          : '';
    return { fault, where };
  }
  return null;
}
