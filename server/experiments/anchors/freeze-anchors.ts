import { and, eq, isNull, sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { conflict, newId, refused } from '../../platform';
import { checkTiming } from '../../queue';
import type { AnchorSet } from './anchor';
import { drawAnchors, fingerprintOf } from './draw-anchors';
import { getAnchorSet } from './list-anchor-sets';
import { anchorRefusal } from './plan-anchors';

export interface FreezeAnchors {
  readonly verifier: string;
  readonly name: string;
  readonly items: number;
  readonly seed: number;
  /** Five cron fields; null if the set is judged only on demand. */
  readonly cron: string | null;
  /** IANA time zone. */
  readonly zone: string;
}

/**
 * Freezes labelled subjects of a verifier as a set, whose members, contents and truths no longer
 * change. Repeating the call with the same name, subjects and schedule returns the same set.
 * @throws AssayError not_found (no such verifier), refused (too few labelled subjects; an invalid
 * schedule), conflict (another set of the verifier has the name)
 */
export async function freezeAnchors(ctx: ProjectCtx, input: FreezeAnchors): Promise<AnchorSet> {
  const { name, cron, zone } = input;
  if (cron !== null) checkTiming({ cron, zone });
  const { verifier, items } = await drawAnchors(ctx, input);
  const refusal = anchorRefusal(verifier, items.length);
  if (refusal !== null) throw refused(refusal);
  const fingerprint = fingerprintOf(items);
  const { anchorSets, anchorItems } = schema;
  const id = await ctx.db.transaction(async (tx) => {
    await tx.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`anchors ${ctx.projectId} ${verifier}`}, 0))`,
    );
    const ofName = and(
      eq(anchorSets.projectId, ctx.projectId),
      eq(anchorSets.verifierSlug, verifier),
      eq(anchorSets.name, name),
      isNull(anchorSets.retiredAt),
    );
    const [same] = await tx.select().from(anchorSets).where(ofName).limit(1);
    if (same !== undefined) {
      if (same.fingerprint === fingerprint && same.cron === cron && same.zone === zone)
        return same.id;
      throw conflict(
        `${verifier} has a set "${name}" with other subjects or another schedule; choose another name, or retire that set`,
      );
    }
    const setId = newId('anc', ctx.clock.now());
    const key = { projectId: ctx.projectId };
    await tx.insert(anchorSets).values({
      ...key,
      id: setId,
      verifierSlug: verifier,
      name,
      fingerprint,
      items: items.length,
      cron,
      zone,
      createdBy: ctx.actor.label,
      // The database clock, as for schedules.
      createdAt: sql`now()`,
    });
    await tx
      .insert(anchorItems)
      .values(items.map((item, ordinal) => ({ ...key, setId, ordinal, ...item })));
    await recordAudit(ctx, tx, ctx.actor, {
      ...key,
      action: 'anchors.freeze',
      target: setId,
      detail: { verifier, name, items: items.length, seed: input.seed, cron, zone, fingerprint },
    });
    return setId;
  });
  return getAnchorSet(ctx, id);
}
