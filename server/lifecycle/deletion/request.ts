import { sql as statement } from 'drizzle-orm';
import { type Actor, closeProject, type ProjectCtx, recordAudit } from '../../access';
import {
  conflict,
  type Ctx,
  deletionChannel,
  deletionId,
  notFound,
  refused,
  userKey,
} from '../../platform';
import { carryOut } from './carry-out';
import { asDeletion, type Deletion, type DeletionRow } from './deletion';

/** How long the response waits for the deletion; after that it reports the deletion as pending. */
const waitMs = 4_000;

export interface RequestDeletion {
  readonly kind: 'session' | 'trace' | 'turn' | 'user';
  readonly id: string;
}

/**
 * Deletes a session, a trace, a turn, or everything that names an end user (S-112), with all
 * derived data. From the commit of the request on, none of it is stored again. The deletion
 * is `done` when nothing is left, usually before this returns. Repeating the request returns the
 * same deletion.
 * @throws AssayError not_found (the id does not exist, and never did), conflict (a turn assembled
 * from spans, which repeat its content)
 */
export async function requestDeletion(
  ctx: ProjectCtx,
  process: Ctx,
  input: RequestDeletion,
): Promise<Deletion> {
  await refuseUnknown(ctx, input);
  const id = deletionId(ctx.projectId, input.kind, keyOf(input));
  await ctx.db.transaction(async (tx) => {
    await tx.execute(statement`
      insert into tombstones (project_id, kind, key, deletion_id) values (${ctx.projectId}, ${input.kind}, ${keyOf(input)}, ${id}) on conflict do nothing`);
    await tx.execute(statement`
      insert into deletions (project_id, id, kind, target, created_by, leased_until)
      values (${ctx.projectId}, ${id}, ${input.kind}, ${input.id}, ${ctx.actor.label}, now() + interval '10 seconds')
      on conflict (project_id, id) do update set state = 'pending', target = excluded.target, fenced_at = null, done_at = null, cursor = '{}',
        sweep_at = null, leased_until = excluded.leased_until`);
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'data.delete',
      target: id,
      detail: {
        kind: input.kind,
        ...(input.kind === 'user' ? { user: userKey(input.id) } : { id: input.id }),
      },
    });
    await tx.execute(statement`select pg_notify(${deletionChannel}, '')`);
  });
  await carryOut(process, { project_id: ctx.projectId, id }, process.clock.monotonicMs() + waitMs);
  return getDeletion(ctx, id);
}

const keyOf = ({ kind, id }: RequestDeletion): string => (kind === 'user' ? userKey(id) : id);

async function refuseUnknown(ctx: ProjectCtx, { kind, id }: RequestDeletion): Promise<void> {
  if (kind === 'user') return;
  const { sql, projectId } = ctx;
  const [row] = await sql<{ there: boolean; trace: string | null; deleted: boolean }[]>`
    select case ${kind}
        when 'turn' then exists (select from turns where project_id = ${projectId} and id = ${id})
        when 'trace' then exists (select from traces where project_id = ${projectId} and id = ${id})
          or exists (select from turns where project_id = ${projectId} and trace_id = ${id})
        else exists (select from sessions where project_id = ${projectId} and id = ${id}) end as there,
      (select trace_id from turns where project_id = ${projectId} and id = ${id} and origin = 'otlp' and ${kind} = 'turn') as trace,
      exists (select from tombstones where project_id = ${projectId} and kind = ${kind} and key = ${id}) as deleted`;
  if (row?.there !== true && row?.deleted !== true) throw notFound(kind);
  if (row.trace !== null)
    throw conflict(
      `the turn was created from the spans of the trace "${row.trace}", which hold the same text; delete the trace`,
    );
}

/** @throws AssayError not_found */
export async function getDeletion({ sql, projectId }: ProjectCtx, id: string): Promise<Deletion> {
  const [row] = await sql<DeletionRow[]>`
    select project_id, id, kind, target, state, cursor, counts, created_by, created_at, fenced_at, done_at
    from deletions where project_id = ${projectId} and id = ${id}`;
  if (row === undefined) throw notFound('deletion');
  return asDeletion(row);
}

/** The latest deletions, newest first. */
export async function listDeletions(
  { sql, projectId }: ProjectCtx,
  limit = 50,
): Promise<Deletion[]> {
  const rows = await sql<DeletionRow[]>`
    select project_id, id, kind, target, state, cursor, counts, created_by, created_at, fenced_at, done_at,
      kind = 'user' and not exists (
        select from tombstones t where t.project_id = d.project_id and t.deletion_id = d.id and t.kind = 'user') as lifted
    from deletions d where project_id = ${projectId} order by created_at desc, id limit ${limit}`;
  return rows.map(asDeletion);
}

/**
 * Accepts data that names a user again, for example when the person returns. Deleted data stays
 * deleted.
 * @throws AssayError not_found, conflict
 */
export async function liftErasure(ctx: ProjectCtx, id: string): Promise<void> {
  const deletion = await getDeletion(ctx, id);
  if (deletion.kind !== 'user')
    throw conflict(
      'only the erasure of a user can be lifted; the ids of other deleted content stay reserved',
    );
  if (deletion.state !== 'done') throw conflict('the deletion is not done yet; try again later');
  await ctx.db.transaction(async (tx) => {
    const rows = await tx.execute(statement`
      delete from tombstones where project_id = ${ctx.projectId} and deletion_id = ${id} and kind = 'user' returning key`);
    if (rows.length === 0) return;
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'data.lift',
      target: id,
    });
  });
}

/**
 * Deletes a project with all its data. No one can enter it from the commit of the request on.
 * @param input `slug` repeats the project's slug as a confirmation
 * @throws AssayError refused (another slug)
 */
export async function removeProject(
  ctx: ProjectCtx,
  process: Ctx,
  input: { readonly slug: string },
): Promise<{ readonly id: string; readonly state: 'pending' | 'done' }> {
  if (input.slug !== ctx.projectSlug)
    throw refused(`slug: must be "${ctx.projectSlug}", the slug of this project`, [
      { path: 'slug', message: `must be "${ctx.projectSlug}", the slug of this project` },
    ]);
  const { projectId } = ctx;
  const id = deletionId(projectId, 'project', '');
  await process.db.transaction(async (tx) => {
    await tx.execute(statement`
      insert into tombstones (project_id, kind, key, deletion_id) values (${projectId}, 'project', '', ${id}) on conflict do nothing`);
    await tx.execute(statement`
      insert into deletions (project_id, id, kind, target, created_by, leased_until)
      values (${projectId}, ${id}, 'project', ${projectId}, ${ctx.actor.label}, now() + interval '10 seconds')
      on conflict (project_id, id) do nothing`);
    await closeProject(tx, projectId);
    const actor: Actor = ctx.actor;
    await recordAudit(ctx, tx, actor, {
      projectId: null,
      action: 'projects.remove',
      target: ctx.projectSlug,
      detail: { project_id: projectId },
    });
    await tx.execute(statement`select pg_notify(${deletionChannel}, '')`);
  });
  const done = await carryOut(
    process,
    { project_id: projectId, id },
    process.clock.monotonicMs() + waitMs,
  );
  return { id, state: done ? 'done' : 'pending' };
}
