import type { Threshold, ThresholdChange } from '@/app/_trpc/outputs';
import type { StagedValue } from './addresses';

/** The verdicts that a value decides: all of the project, of a mission, or of one task. */
export interface Scope {
  readonly missionId: string | null;
  readonly taskId: string | null;
}

/** The current value of a scope, and its origin. */
export interface CurrentValue {
  readonly value: number;
  readonly source: 'default' | 'project' | 'mission' | 'task';
  /** The row that set it; null for a default. */
  readonly set: Threshold['set'][number] | null;
}

/** The most specific value wins, as in verdicts (VS-33). */
export function currentValueOf(
  threshold: Pick<Threshold, 'standard' | 'set'>,
  { missionId, taskId }: Scope,
): CurrentValue {
  const find = (mission: string | null, task: string | null) =>
    threshold.set.find((each) => each.missionId === mission && each.taskId === task);
  const ranked = [
    ['task', taskId === null ? undefined : find(missionId, taskId)],
    ['mission', missionId === null ? undefined : find(missionId, null)],
    ['project', find(null, null)],
  ] as const;
  for (const [source, set] of ranked)
    if (set !== undefined) return { value: set.value, source, set };
  return { value: threshold.standard, source: 'default', set: null };
}

/**
 * The version that a change of a scope's own value builds on, including undone ones; 0 if it never
 * had one.
 */
export function versionOf(
  key: string,
  { missionId, taskId }: Scope,
  changes: readonly ThresholdChange[],
  threshold?: Threshold,
): number {
  const isHere = (each: Scope): boolean => each.missionId === missionId && each.taskId === taskId;
  const versions = [
    ...changes.filter((change) => change.key === key && isHere(change)),
    // The history is limited, so the version of an old change is taken from the current value.
    ...(threshold?.set ?? []).filter(isHere),
  ].map(({ version }) => version);
  return Math.max(0, ...versions);
}

/**
 * The newest change of a scope's own value after a given version; undefined when that version is
 * the newest.
 */
export function changeSince(
  { key, version }: Pick<PlannedChange, 'key' | 'version'>,
  { missionId, taskId }: Scope,
  changes: readonly ThresholdChange[],
): ThresholdChange | undefined {
  return changes
    .filter(
      (each) =>
        each.key === key &&
        each.missionId === missionId &&
        each.taskId === taskId &&
        each.version > version,
    )
    .toSorted((one, other) => other.version - one.version)[0];
}

/** Step of an arrow key. */
export function stepOf({ min, max }: Pick<Threshold, 'min' | 'max'>): number {
  return max - min > 1 ? 1 : 0.01;
}

/** A number rounded to four decimals, as compared; null when the text is not a number. */
export function readValue(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(Number(plain).toFixed(4)) : null;
}

const lowerKeys = ['fail_threshold', 'retry_threshold'];

/**
 * The other threshold that this key must not cross, if there is one: the pass threshold must not be
 * below the fail or retry threshold.
 */
export function crossedBy(
  key: string,
  value: number,
  otherStaged: readonly StagedValue[],
): StagedValue | null {
  if (key === 'pass_threshold')
    return otherStaged.find((each) => lowerKeys.includes(each.key) && each.value > value) ?? null;
  if (!lowerKeys.includes(key)) return null;
  return otherStaged.find((each) => each.key === 'pass_threshold' && each.value < value) ?? null;
}

/** Every value of the slider: at most 101, none that crosses another key. */
export function sweepValues(
  threshold: Pick<Threshold, 'key' | 'min' | 'max'>,
  otherStaged: readonly StagedValue[],
): number[] {
  const { key, min, max } = threshold;
  const parts = Math.min(100, Math.round((max - min) / stepOf(threshold)));
  return Array.from({ length: parts + 1 }, (_, at) =>
    Number((min + ((max - min) * at) / parts).toFixed(4)),
  ).filter((value) => crossedBy(key, value, otherStaged) === null);
}

/** One value to be applied. */
export interface PlannedChange extends StagedValue {
  /** The current value of the scope. */
  readonly before: number;
  /** The version of the scope's own value that the reader has seen. */
  readonly version: number;
}

/** The candidate and the staged values, without those that would change nothing. */
export function plannedChanges(
  staged: readonly StagedValue[],
  thresholds: readonly Threshold[],
  changes: readonly ThresholdChange[],
  scope: Scope,
): PlannedChange[] {
  return thresholds.flatMap((threshold) => {
    const found = staged.find(({ key }) => key === threshold.key);
    const before = currentValueOf(threshold, scope).value;
    if (found === undefined || found.value === before) return [];
    return [{ ...found, before, version: versionOf(threshold.key, scope, changes, threshold) }];
  });
}

/**
 * The order for undoing changes one by one, so that the pass threshold never falls below the fail
 * threshold in between.
 */
export function undoOrder<T extends Pick<PlannedChange, 'key' | 'before' | 'value'>>(
  changes: readonly T[],
): T[] {
  const rankOf = ({ key, before, value }: T): number =>
    key !== 'pass_threshold' ? 1 : before > value ? 0 : 2;
  return changes.toSorted((one, other) => rankOf(one) - rankOf(other));
}
