import type { Threshold, ThresholdChange } from '@/app/_trpc/outputs';
import type { StagedValue } from './addresses';

/** Whose verdicts a value decides: all of the project, a mission's, or one task's. */
export interface Scope {
  readonly missionId: string | null;
  readonly taskId: string | null;
}

/** What holds for a scope now, and where it comes from. */
export interface InForce {
  readonly value: number;
  readonly source: 'default' | 'project' | 'mission' | 'task';
  /** The row that set it; null for a default. */
  readonly set: Threshold['set'][number] | null;
}

/** The most specific value wins, as verdicts are decided (VS-33). */
export function inForceOf(
  threshold: Pick<Threshold, 'standard' | 'set'>,
  { missionId, taskId }: Scope,
): InForce {
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
 * The version that a change of a scope's own value builds on, taken back ones too; 0 where it never
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
    // The history is bounded: what has not changed for long is known from the value in force.
    ...(threshold?.set ?? []).filter(isHere),
  ].map(({ version }) => version);
  return Math.max(0, ...versions);
}

/**
 * The newest change of a scope's own value after a version of it; undefined where that version is
 * the newest.
 */
export function movedSince(
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

/** What one press of an arrow key moves. */
export function stepOf({ least, most }: Pick<Threshold, 'least' | 'most'>): number {
  return most - least > 1 ? 1 : 0.01;
}

/** A number of at most four decimals, as it is compared; null for what is none. */
export function readValue(text: string): number | null {
  const plain = text.trim().replace(',', '.');
  return /^-?(?:\d+\.?\d*|\.\d+)$/.test(plain) ? Number(Number(plain).toFixed(4)) : null;
}

const lowerKeys = ['fail_threshold', 'retry_threshold'];

/**
 * The other side that this key must not cross, if it has one: what passes must not lie below what
 * fails or is tried again.
 */
export function crossedBy(
  key: string,
  value: number,
  others: readonly StagedValue[],
): StagedValue | null {
  if (key === 'pass_threshold')
    return others.find((each) => lowerKeys.includes(each.key) && each.value > value) ?? null;
  if (!lowerKeys.includes(key)) return null;
  return others.find((each) => each.key === 'pass_threshold' && each.value < value) ?? null;
}

/** Values along the scale for the curve: at most 41, none that crosses another key. */
export function sweepValues(
  { key, least, most }: Pick<Threshold, 'key' | 'least' | 'most'>,
  others: readonly StagedValue[],
): number[] {
  const parts = 40;
  return Array.from({ length: parts + 1 }, (_, at) =>
    Number((least + ((most - least) * at) / parts).toFixed(4)),
  ).filter((value) => crossedBy(key, value, others) === null);
}

/** One value that is to be applied. */
export interface PlannedChange extends StagedValue {
  /** What holds for the scope now. */
  readonly before: number;
  /** The version of the scope's own value that the reader has seen. */
  readonly version: number;
}

/** The candidate and what is staged next to it, without what would change nothing. */
export function plannedChanges(
  wanted: readonly StagedValue[],
  thresholds: readonly Threshold[],
  changes: readonly ThresholdChange[],
  scope: Scope,
): PlannedChange[] {
  return thresholds.flatMap((threshold) => {
    const found = wanted.find(({ key }) => key === threshold.key);
    const before = inForceOf(threshold, scope).value;
    if (found === undefined || found.value === before) return [];
    return [{ ...found, before, version: versionOf(threshold.key, scope, changes, threshold) }];
  });
}

/**
 * The order in which changes are taken back one by one, so that what passes never lies below what
 * fails on the way.
 */
export function undoOrder<T extends Pick<PlannedChange, 'key' | 'before' | 'value'>>(
  changes: readonly T[],
): T[] {
  const rankOf = ({ key, before, value }: T): number =>
    key !== 'pass_threshold' ? 1 : before > value ? 0 : 2;
  return changes.toSorted((one, other) => rankOf(one) - rankOf(other));
}
