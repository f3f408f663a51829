import type { Flip, SimulatedCandidate, Threshold, ThresholdChange } from '@/app/_trpc/outputs';
import { plainNumber } from '../verdicts/[id]/subject/words';
import type { StagedValue } from './addresses';
import { crossedBy, type CurrentValue, currentValueOf, type Scope } from './threshold-values';

/**
 * `the whole project`, `mission release-9`, `task note of mission release-9`. Contains ids:
 * untrusted text.
 */
export function scopeText({ missionId, taskId }: Scope): string {
  if (missionId === null && taskId === null) return 'the whole project';
  if (taskId === null) return `mission ${missionId ?? ''}`;
  return missionId === null
    ? `task ${taskId} of no mission`
    : `task ${taskId} of mission ${missionId}`;
}

/** `catches 35 of 50 bad, rejects 3 of 100 good`. */
export function outcomeText({
  matrix: { caught, missed, rejected, passed },
}: Pick<SimulatedCandidate, 'matrix'>): string {
  return `catches ${caught} of ${caught + missed} bad, rejects ${rejected} of ${rejected + passed} good`;
}

const sources: Record<CurrentValue['source'], string> = {
  default: 'default',
  project: 'set for the project',
  mission: 'set for the mission',
  task: 'set for the task',
};

/** Origin of a value: `set for the project, version 3`. */
export function sourceText({ source, set }: Pick<CurrentValue, 'source' | 'set'>): string {
  return set === null ? sources[source] : `${sources[source]}, version ${set.version}`;
}

/** `0 to 1`, `0 to 100 points`. */
export function rangeText({ min, max }: Pick<Threshold, 'min' | 'max'>): string {
  return `${plainNumber(min)} to ${plainNumber(max)}${max > 1 ? ' points' : ''}`;
}

/**
 * Why these values would be refused together; null if this scope permits them. The server checks
 * narrower scopes.
 */
export function refusalText(
  planned: readonly StagedValue[],
  thresholds: readonly Threshold[],
  scope: Scope,
): string | null {
  const plannedValues = new Map(planned.map(({ key, value }) => [key, value]));
  const after = thresholds.map((each) => ({
    key: each.key,
    value: plannedValues.get(each.key) ?? currentValueOf(each, scope).value,
  }));
  for (const { key, value } of planned) {
    const threshold = thresholds.find((each) => each.key === key);
    if (threshold !== undefined && (value < threshold.min || value > threshold.max))
      return `${key} takes ${rangeText(threshold)}, not ${plainNumber(value)}.`;
    const crossed = crossedBy(key, value, after);
    if (crossed !== null)
      return `${key} at ${plainNumber(value)} would cross ${crossed.key}, ${plainNumber(crossed.value)}.`;
  }
  return null;
}

/** `olga moved pass_threshold to 0.65`. Contains a name: untrusted text. */
export function movedText({
  by,
  key,
  value,
}: Pick<ThresholdChange, 'by' | 'key' | 'value'>): string {
  return value === null
    ? `${by} removed the value of ${key}`
    : `${by} moved ${key} to ${plainNumber(value)}`;
}

/** Why nothing was applied, and who changed the value first, as far as it has been loaded. */
export function conflictText(message: string, since: readonly ThresholdChange[]): string {
  const sentences = [message, ...since.map(movedText)].map((text) =>
    text.endsWith('.') ? text : `${text}.`,
  );
  return [
    ...sentences,
    'The page behind shows the current values: review them before you apply changes.',
  ].join(' ');
}

type Side = 'right' | 'wrong' | 'undecided';

function sideOf(good: boolean, outcome: Flip['before']['outcome']): Side {
  if (outcome !== 'passed' && outcome !== 'failed') return 'undecided';
  return good === (outcome === 'passed') ? 'right' : 'wrong';
}

/** The effect of the change on one verdict, given the label of its subject. */
export function effectText({
  good,
  before,
  after,
}: Pick<Flip, 'good' | 'before' | 'after'>): string {
  if (good === null) return 'no label';
  const [was, is] = [sideOf(good, before.outcome), sideOf(good, after.outcome)];
  if (is === was) return 'unchanged';
  if (is === 'undecided') return was === 'right' ? 'no longer right' : 'no longer wrong';
  return is === 'right'
    ? 'becomes right'
    : good
      ? 'becomes a false rejection'
      : 'becomes a missed failure';
}

/** `+3`, `−2`, `0`: always with the sign. */
export function signedCount(value: number): string {
  const text = Math.abs(value).toLocaleString('en', { maximumFractionDigits: 2 });
  return value === 0 ? '0' : `${value > 0 ? '+' : '−'}${text}`;
}
