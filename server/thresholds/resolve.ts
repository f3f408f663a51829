import { listThresholdKeys } from './keys';

/** A value set for one scope. Ids that a wider scope does not have are ''. */
export interface ScopedValue {
  readonly key: string;
  readonly missionId: string;
  readonly taskId: string;
  readonly version: number;
  readonly value: number;
}

/** `tier`: the default for the size class of the model that wrote the code. */
export type ThresholdSource = 'default' | 'tier' | 'project' | 'mission' | 'task';

/** The threshold that decides one verdict. */
export interface EffectiveThreshold {
  readonly value: number;
  readonly source: ThresholdSource;
  /** The version within the value's scope; 0 for a default and for a value given in the call. */
  readonly version: number;
}

export type EffectiveThresholds = ReadonlyMap<string, EffectiveThreshold>;

/** The work whose thresholds are resolved. */
export interface ThresholdScope {
  readonly verifier: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
}

/**
 * The value of each key of a verifier, by precedence: given in the call, set for the task, for the
 * mission, for the project, default (VS-33).
 * @param given values given in the call, by key
 */
export function resolveThresholds(
  scope: ThresholdScope,
  stored: readonly ScopedValue[],
  given: ReadonlyMap<string, number> = new Map(),
): EffectiveThresholds {
  const ranked: readonly (readonly [ThresholdSource, (each: ScopedValue) => boolean])[] = [
    [
      'task',
      (each) =>
        scope.taskId !== null &&
        each.taskId === scope.taskId &&
        each.missionId === (scope.missionId ?? ''),
    ],
    [
      'mission',
      (each) =>
        scope.missionId !== null && each.missionId === scope.missionId && each.taskId === '',
    ],
    ['project', (each) => each.missionId === '' && each.taskId === ''],
  ];
  const found = new Map<string, EffectiveThreshold>();
  for (const { key, standard, standardSource } of listThresholdKeys(scope.verifier)) {
    const own = given.get(key);
    if (own !== undefined) {
      found.set(key, { value: own, source: 'task', version: 0 });
      continue;
    }
    const ofKey = stored.filter((each) => each.key === key);
    const best = ranked.flatMap(([source, holds]) =>
      ofKey.filter(holds).map(({ value, version }) => ({
        value,
        // Version 0 is the default that a definition states.
        source: version === 0 ? ('default' as const) : source,
        version,
      })),
    )[0];
    found.set(key, best ?? { value: standard, source: standardSource ?? 'default', version: 0 });
  }
  return found;
}

/**
 * The fault of a combination of values, or null. The pass threshold must not be below the fail
 * threshold.
 */
export function thresholdFault(
  values: ReadonlyMap<string, { readonly value: number }>,
): string | null {
  const pass = values.get('pass_threshold');
  if (pass === undefined) return null;
  for (const key of ['fail_threshold', 'retry_threshold']) {
    const lower = values.get(key);
    if (lower !== undefined && pass.value < lower.value)
      return `pass_threshold (${pass.value}) must not be below ${key} (${lower.value})`;
  }
  return null;
}
