/** What a person typed, before it is a threshold. */
export interface ThresholdDraft {
  readonly value: string;
  readonly scope: 'project' | 'mission' | 'task';
  readonly mission: string;
  readonly task: string;
  readonly reason: string;
}

export interface ThresholdChange {
  readonly value: number;
  readonly scope: { readonly mission_id: string | null; readonly task_id: string | null };
  readonly reason: string | null;
}

export type ThresholdErrors = Partial<Record<'value' | 'mission' | 'task', string>>;

/** Ranges are the server's to judge; here is only what is no number, and what is missing. */
export function readThreshold(draft: ThresholdDraft): ThresholdChange | { readonly errors: ThresholdErrors } {
  const text = draft.value.trim().replace(',', '.');
  const value = /^-?\d*\.?\d+$|^-?\d+\.$/.test(text) ? Number(text) : Number.NaN;
  const mission = draft.mission.trim();
  const task = draft.task.trim();
  const errors: ThresholdErrors = {
    ...(Number.isFinite(value) ? {} : { value: 'Write a number, such as 0.7.' }),
    ...(draft.scope === 'mission' && mission === '' ? { mission: 'Name the mission.' } : {}),
    ...(draft.scope === 'task' && task === '' ? { task: 'Name the task.' } : {}),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const reason = draft.reason.trim();
  const scope = {
    mission_id: draft.scope === 'project' || mission === '' ? null : mission,
    task_id: draft.scope === 'task' ? task : null,
  };
  return { value, scope, reason: reason === '' ? null : reason };
}
