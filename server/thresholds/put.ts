import { and, asc, eq, sql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { type Database, notFound, refused } from '../platform';
import type { ThresholdBody } from './input';
import { listThresholdKeys, type ThresholdKey } from './keys';
import { faultOf, resolveThresholds, type ScopedValue } from './resolve';

export interface PutThreshold {
  readonly verifier: string;
  readonly key: string;
  readonly body: ThresholdBody;
}

type Place = Pick<ScopedValue, 'key' | 'missionId' | 'taskId'>;

/**
 * Sets a value for a scope, as the scope's next version, or takes it back. Verdicts that are stored keep what decided them. The same
 * value again changes nothing.
 * @throws AssayError not_found (no such verifier or key), refused (out of range, or pass below fail in this scope or a narrower one)
 */
export async function putThreshold(ctx: ProjectCtx, { verifier, key, body }: PutThreshold): Promise<void> {
  const known = listThresholdKeys(verifier).find((each) => each.key === key);
  if (known === undefined) throw notFound('threshold');
  const { value, reason } = body;
  if (value !== null) refuseOutOfRange(known, value);
  const place: Place = { key, missionId: body.scope.mission_id ?? '', taskId: body.scope.task_id ?? '' };
  await ctx.db.transaction(async (tx) => {
    // Two changes at once would otherwise both be version n + 1, or cross each other unseen.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`thresholds ${ctx.projectId}`}, 0))`);
    const versions = await listVersions(ctx, tx, verifier);
    const before = versions.get(keyOf(place));
    if ((before?.value ?? null) === value) return;
    const others = [...versions.values()].filter((each) => keyOf(each) !== keyOf(place));
    const after = [...others, { ...place, version: 0, value }].flatMap(inForce);
    refuseCrossed(verifier, after);
    const version = (before?.version ?? 0) + 1;
    await tx
      .insert(schema.thresholds)
      .values({ projectId: ctx.projectId, verifier, ...place, version, value, reason, createdBy: ctx.actor.label });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'thresholds.update',
      target: `${verifier}/${key}`,
      detail: { version, value, before: before?.value ?? null, mission_id: body.scope.mission_id, task_id: body.scope.task_id, reason },
    });
  });
}

function refuseOutOfRange({ least, most }: ThresholdKey, value: number): void {
  if (value >= least && value <= most) return;
  throw refused(`value: ${value} is out of range, ${least} to ${most}`, [{ path: 'value', message: `must be ${least} to ${most}` }]);
}

/** Every scope that has a value of its own is looked at: a project's value may cross a mission's. */
function refuseCrossed(verifier: string, values: readonly ScopedValue[]): void {
  for (const { missionId, taskId } of [{ missionId: '', taskId: '' }, ...values]) {
    const scope = { verifier, missionId: missionId || null, taskId: taskId || null };
    const fault = faultOf(resolveThresholds(scope, values));
    if (fault === null) continue;
    const where = taskId !== '' ? ` for the task "${taskId}"` : missionId !== '' ? ` for the mission "${missionId}"` : '';
    throw refused(`${fault}${where}`, [{ path: 'value', message: fault }]);
  }
}

type Version = Place & { readonly version: number; readonly value: number | null };

/** The latest version of each place, taken back ones too. */
async function listVersions(ctx: ProjectCtx, tx: Database, verifier: string): Promise<Map<string, Version>> {
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

function inForce({ value, ...rest }: Version): ScopedValue[] {
  return value === null ? [] : [{ ...rest, value }];
}

const keyOf = ({ key, missionId, taskId }: Place): string => JSON.stringify([key, missionId, taskId]);
