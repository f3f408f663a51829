import { sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { type Database, newId, refused } from '../../platform';
import { storeJob } from '../../queue';
import type { SubjectDeps } from '../../verdicts';
import type { AnchorRun } from './anchor';
import { type AnchorJob, anchorKind } from './anchor-job';
import { type AnchorSetRow, findAnchorSet } from './find-anchor-set';
import { getAnchorRun } from './list-anchor-sets';
import { estimateAnchors } from './plan-anchors';

/** Number of items used to check whether a judge is available. */
const probe = 5;

/**
 * Starts a job that judges a set again. Returns the existing run if one is in progress.
 * @throws AssayError not_found, refused (a retired set; no judge is available)
 */
export async function runAnchors(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: { readonly id: string },
): Promise<AnchorRun> {
  const set = await findAnchorSet(ctx, input.id);
  if (set.isRetired) throw refused('the anchor set is retired; freeze another one');
  const items = await ctx.sql<{ subject_kind: string; subject_id: string }[]>`
    select subject_kind, subject_id from anchor_items where project_id = ${ctx.projectId} and set_id = ${set.id} order by ordinal limit ${probe}`;
  const first = items.map((item) => ({
    subjectKind: item.subject_kind,
    subjectId: item.subject_id,
  }));
  const { whyNone, judges } = await estimateAnchors(ctx, deps, set.verifier, first);
  if (whyNone !== null && judges.length === 0) throw refused(`no judge is available: ${whyNone}`);
  const { id } = await ctx.db.transaction((tx) => startRun(ctx, tx, set));
  return getAnchorRun(ctx, { set: set.id, run: id });
}

/** A run triggered by a change. It starts only if `after` is still the latest run of the set. */
interface Changed {
  readonly because: string;
  readonly after: string;
}

/** Stores a run and its job in `tx`, or returns the existing or concurrent run (`isNew` false). */
export async function startRun(
  ctx: ProjectCtx,
  tx: Database,
  set: AnchorSetRow,
  changed?: Changed,
): Promise<{ readonly id: string; readonly isNew: boolean }> {
  const { projectId } = ctx;
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`anchor run ${projectId} ${set.id}`}, 0))`,
  );
  const [running] = await tx.execute<{ id: string }>(sql`
    select id from jobs where project_id = ${projectId} and kind = ${anchorKind} and state in ('waiting', 'running')
      and input->>'set' = ${set.id} limit 1`);
  if (running !== undefined) return { id: running.id, isNew: false };
  if (changed !== undefined) {
    const [last] = await tx.execute<{ id: string }>(sql`
      select id from anchor_runs where project_id = ${projectId} and set_id = ${set.id} order by started_at desc, id desc limit 1`);
    if (last !== undefined && last.id !== changed.after) return { id: last.id, isNew: false };
  }
  const [latest] = await tx.execute<{ version: number | null }>(sql`
    select max(version) as version from verifier_versions where project_id = ${projectId} and slug = ${set.verifier}`);
  // Version 1 is the kind's defaults and has no row.
  const verifierVersion = latest?.version ?? 1;
  const id = newId('job', ctx.clock.now());
  const input: AnchorJob = { set: set.id, verifier: set.verifier, verifierVersion };
  await storeJob(ctx, tx, { id, kind: anchorKind, input, total: set.items });
  await tx
    .insert(schema.anchorRuns)
    .values({ projectId, id, setId: set.id, verifierVersion, startedAt: sql`now()` });
  await recordAudit(ctx, tx, ctx.actor, {
    projectId,
    action: 'anchors.run',
    target: set.id,
    detail: {
      run: id,
      verifier: `${set.verifier}@${verifierVersion}`,
      items: set.items,
      ...(changed && { because: changed.because }),
    },
  });
  return { id, isNew: true };
}
