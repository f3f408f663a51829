import type { Scope } from './threshold-values';

/** The choices and typed text of a scope. */
export interface ScopeDraft {
  readonly kind: 'project' | 'mission' | 'task';
  readonly mission: string;
  readonly task: string;
}

export type ScopeErrors = Partial<Record<'mission' | 'task', string>>;

export function draftOf({ missionId, taskId }: Scope): ScopeDraft {
  return {
    kind: taskId !== null ? 'task' : missionId !== null ? 'mission' : 'project',
    mission: missionId ?? '',
    task: taskId ?? '',
  };
}

/** Errors are reported at their field: an empty mission must never become the whole project. */
export function readScope({
  kind,
  mission: typedMission,
  task: typedTask,
}: ScopeDraft): Scope | { readonly errors: ScopeErrors } {
  const [mission, task] = [typedMission.trim(), typedTask.trim()];
  if (kind === 'project') return { missionId: null, taskId: null };
  if (kind === 'mission')
    return mission === ''
      ? { errors: { mission: 'Name the mission.' } }
      : { missionId: mission, taskId: null };
  return task === ''
    ? { errors: { task: 'Name the task.' } }
    : { missionId: mission === '' ? null : mission, taskId: task };
}
