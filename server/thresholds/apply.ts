import { and, asc, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { conflict, type Database, notFound, refused } from '../platform';
import { crossingOf } from './crossing';
import type { ThresholdKey } from './keys';
import { findThresholdKeys } from './custom-keys';
import type { ScopedValue } from './resolve';

/** New values of one scope, for different keys of one verifier. */
export interface ApplyThresholds {
  readonly verifier: string;
  readonly missionId: string | null;
  readonly taskId: string | null;
  readonly reason: string | null;
  readonly changes: readonly ThresholdMove[];
  /** The audit action; omitted means an update. */
  readonly action?: 'thresholds.update' | 'thresholds.undo';
}

export interface ThresholdMove {
  readonly key: string;
  /** Null removes the scope's own value. */
  readonly value: number | null;
  /** The version that the change is based on, 0 if none; omitted means any. */
  readonly expectedVersion?: number | undefined;
}

/** The scope's current version: the new one, or the existing one if it has the same value. */
export interface AppliedThreshold {
  readonly key: string;
  readonly version: number;
}

type Place = Pick<ScopedValue, 'key' | 'missionId' | 'taskId'>;

/**
 * Sets values of several keys for one scope, all or none, each as the scope's next version. Stored
 * verdicts keep the values that decided them. Setting the same value again changes nothing.
 * @throws AssayError not_found (no such verifier or key), refused (out of range, or pass below fail
 * in this scope or a narrower one), conflict (the current version is not the expected one)
 */
export async function applyThresholds(
  ctx: ProjectCtx,
  wanted: ApplyThresholds,
): Promise<readonly AppliedThreshold[]> {
  const { verifier, changes } = wanted;
  const known = await findThresholdKeys(ctx, verifier);
  for (const { key, value } of changes) {
    const found = known.find((each) => each.key === key);
    if (found === undefined) throw notFound('threshold');
    if (value !== null) refuseOutOfRange(found, value);
  }
  return ctx.db.transaction(async (tx) => {
    // Serialises changes: two concurrent ones could otherwise both become version n + 1, or make
    // the thresholds cross unnoticed.
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`thresholds ${ctx.projectId}`}, 0))`,
    );
    const versions = await listVersions(ctx, tx, verifier);
    const placeOf = (key: string): Place => ({
      key,
      missionId: wanted.missionId ?? '',
      taskId: wanted.taskId ?? '',
    });
    const moves = changes.filter(
      ({ key, value }) => (versions.get(keyOf(placeOf(key)))?.value ?? null) !== value,
    );
    for (const { key, expectedVersion } of moves) {
      const now = versions.get(keyOf(placeOf(key)))?.version ?? 0;
      if (expectedVersion !== undefined && expectedVersion !== now)
        throw movedMeanwhile(key, expectedVersion, now);
    }
    const after = new Map(versions);
    for (const { key, value } of moves)
      after.set(keyOf(placeOf(key)), { ...placeOf(key), version: 0, value });
    if (moves.length > 0) refuseCrossed(verifier, [...after.values()].flatMap(setValueOf));
    for (const { key, value } of moves)
      await appendVersion(
        ctx,
        tx,
        wanted,
        { ...placeOf(key), value },
        versions.get(keyOf(placeOf(key))),
      );
    const movedKeys = new Set(moves.map(({ key }) => key));
    return changes.map(({ key }) => ({
      key,
      version: (versions.get(keyOf(placeOf(key)))?.version ?? 0) + (movedKeys.has(key) ? 1 : 0),
    }));
  });
}

function movedMeanwhile(key: string, expected: number, now: number): Error {
  return conflict(
    `${key} was changed in the meantime: the current version is ${now}, not ${expected}`,
  );
}

async function appendVersion(
  ctx: ProjectCtx,
  tx: Database,
  { verifier, missionId, taskId, reason, action = 'thresholds.update' }: ApplyThresholds,
  place: Place & { readonly value: number | null },
  before: Version | undefined,
): Promise<void> {
  const version = (before?.version ?? 0) + 1;
  const { key, value } = place;
  await tx.insert(schema.thresholds).values({
    projectId: ctx.projectId,
    verifier,
    ...place,
    version,
    reason,
    createdBy: ctx.actor.label,
  });
  await recordAudit(ctx, tx, ctx.actor, {
    projectId: ctx.projectId,
    action,
    target: `${verifier}/${key}`,
    detail: {
      version,
      value,
      before: before?.value ?? null,
      mission_id: missionId,
      task_id: taskId,
      reason,
    },
  });
}

function refuseOutOfRange({ min, max }: ThresholdKey, value: number): void {
  if (value >= min && value <= max) return;
  throw refused(`value: must be from ${min} to ${max}, not ${value}`, [
    { path: 'value', message: `must be from ${min} to ${max}, not ${value}` },
  ]);
}

function refuseCrossed(verifier: string, values: readonly ScopedValue[]): void {
  const found = crossingOf(verifier, values);
  if (found !== null)
    throw refused(`${found.fault}${found.where}`, [{ path: 'value', message: found.fault }]);
}

type Version = Place & { readonly version: number; readonly value: number | null };

/** The latest version of each scope, including removed ones. */
async function listVersions(
  ctx: ProjectCtx,
  tx: Database,
  verifier: string,
): Promise<Map<string, Version>> {
  const { thresholds } = schema;
  const rows = await tx
    .select({
      key: thresholds.key,
      missionId: thresholds.missionId,
      taskId: thresholds.taskId,
      version: thresholds.version,
      value: thresholds.value,
    })
    .from(thresholds)
    .where(and(eq(thresholds.projectId, ctx.projectId), eq(thresholds.verifier, verifier)))
    .orderBy(asc(thresholds.version));
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function setValueOf({ value, ...rest }: Version): ScopedValue[] {
  return value === null ? [] : [{ ...rest, value }];
}

const keyOf = ({ key, missionId, taskId }: Place): string =>
  JSON.stringify([key, missionId, taskId]);
