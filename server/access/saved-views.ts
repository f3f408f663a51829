import { and, asc, eq, or, sql } from 'drizzle-orm';
import { schema } from '../../db';
import type { SavedViewPage } from '../domain';
import { conflict, type Database, forbidden, newId, notFound } from '../platform';
import type { ProjectCtx } from './actor';
import { recordAudit } from './audit';
import type { SaveView } from './input';
import { type Permission, permissionsOf } from './roles';

export interface SavedView {
  readonly id: string;
  readonly page: SavedViewPage;
  readonly name: string;
  readonly query: string;
  readonly shared: boolean;
  /** The current user saved it. */
  readonly isMine: boolean;
  /** The current user may rename and remove it. */
  readonly mayChange: boolean;
  /** The author; null if the account was deleted. */
  readonly by: string | null;
}

type ViewRow = typeof schema.savedViews.$inferSelect;

const { savedViews } = schema;

/** Limit for one person in one project, on all pages. */
const viewsMax = 200;

/** The user's own views and the shared ones, by page and name; and whether the role may share. */
export async function listViews(
  ctx: ProjectCtx,
): Promise<{ views: SavedView[]; mayShare: boolean }> {
  const { users } = schema;
  const rows = await ctx.db
    .select({ view: savedViews, by: users.name })
    .from(savedViews)
    .leftJoin(users, eq(users.id, savedViews.ownerId))
    .where(
      and(
        eq(savedViews.projectId, ctx.projectId),
        or(eq(savedViews.ownerId, ctx.actor.id), savedViews.shared),
      ),
    )
    .orderBy(asc(savedViews.page), asc(savedViews.name), asc(savedViews.id));
  const manages = has(ctx, 'settings.write');
  const views = rows.map(({ view: { id, page, name, query, shared, ownerId }, by }) => {
    const isMine = ownerId === ctx.actor.id;
    return { id, page, name, query, shared, isMine, mayChange: isMine || manages, by };
  });
  return { views, mayShare: has(ctx, 'labels.write') };
}

/**
 * Saves a view of the user; under an existing name on this page it replaces that view.
 * @throws AssayError forbidden to share without a role that writes; conflict at 200 views
 */
export async function saveView(
  ctx: ProjectCtx,
  { page, name, query, shared }: SaveView,
): Promise<{ id: string }> {
  if (shared && !has(ctx, 'labels.write'))
    throw forbidden('your role cannot share views; save it for yourself');
  return ctx.db.transaction(async (tx) => {
    const own = await lockOwn(ctx, tx, ctx.actor.id);
    const before = own.find((view) => view.page === page && view.name === name);
    if (before !== undefined && before.query === query && before.shared === shared)
      return { id: before.id };
    if (before === undefined && own.length >= viewsMax)
      throw conflict(`a project has at most ${viewsMax} saved views per person; delete one first`);
    const now = ctx.clock.now();
    const id = before?.id ?? newId('viw', now);
    if (before === undefined) {
      await tx
        .insert(savedViews)
        .values({ projectId: ctx.projectId, id, page, name, query, shared, ownerId: ctx.actor.id });
    } else {
      await tx
        .update(savedViews)
        .set({ query, shared, updatedAt: now })
        .where(and(eq(savedViews.projectId, ctx.projectId), eq(savedViews.id, id)));
    }
    if (shared || before?.shared === true)
      await record(ctx, tx, 'views.save', { id, page, name, query, shared });
    return { id };
  });
}

/**
 * @throws AssayError not_found, also for another user's unshared view; forbidden; conflict when the
 * name is taken
 */
export async function renameView(
  ctx: ProjectCtx,
  { id, name }: { readonly id: string; readonly name: string },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { view, own } = await lockView(ctx, tx, id);
    if (view.name === name) return;
    if (own.some((each) => each.page === view.page && each.name === name))
      throw conflict(`a view "${name}" already exists; choose another name`);
    await tx
      .update(savedViews)
      .set({ name, updatedAt: ctx.clock.now() })
      .where(and(eq(savedViews.projectId, ctx.projectId), eq(savedViews.id, id)));
    if (view.shared) await record(ctx, tx, 'views.rename', { ...view, name, before: view.name });
  });
}

/** @throws AssayError not_found, also for another user's unshared view; forbidden */
export async function removeView(ctx: ProjectCtx, id: string): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const { view } = await lockView(ctx, tx, id);
    await tx
      .delete(savedViews)
      .where(and(eq(savedViews.projectId, ctx.projectId), eq(savedViews.id, id)));
    if (view.shared) await record(ctx, tx, 'views.remove', view);
  });
}

/**
 * The owner's views, locked until the transaction ends: neither a name nor the last free slot can
 * be taken twice.
 */
async function lockOwn(ctx: ProjectCtx, tx: Database, ownerId: string): Promise<ViewRow[]> {
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`views ${ctx.projectId} ${ownerId}`}, 0))`,
  );
  return tx
    .select()
    .from(savedViews)
    .where(and(eq(savedViews.projectId, ctx.projectId), eq(savedViews.ownerId, ownerId)));
}

/**
 * The view, if the actor may change it: the user's own, or another user's shared one with the right
 * to change settings.
 */
async function lockView(
  ctx: ProjectCtx,
  tx: Database,
  id: string,
): Promise<{ view: ViewRow; own: ViewRow[] }> {
  const [seen] = await tx
    .select({ ownerId: savedViews.ownerId })
    .from(savedViews)
    .where(and(eq(savedViews.projectId, ctx.projectId), eq(savedViews.id, id)));
  if (seen === undefined) throw notFound('view');
  const own = await lockOwn(ctx, tx, seen.ownerId);
  const view = own.find((each) => each.id === id);
  const isMine = seen.ownerId === ctx.actor.id;
  if (view === undefined || !(isMine || view.shared)) throw notFound('view');
  if (!isMine && !has(ctx, 'settings.write'))
    throw forbidden('a shared view can be changed only by its author, an owner or an admin');
  return { view, own };
}

function has({ actor }: ProjectCtx, permission: Permission): boolean {
  if (actor.kind === 'system') return true;
  return (
    actor.kind === 'user' && actor.role !== null && permissionsOf[actor.role].includes(permission)
  );
}

interface ViewNote extends Pick<ViewRow, 'id' | 'page' | 'name' | 'query' | 'shared'> {
  readonly before?: string;
}

function record(
  ctx: ProjectCtx,
  tx: Database,
  action: string,
  { id, page, name, query, shared, before }: ViewNote,
): Promise<void> {
  const detail = { page, name, query, shared, ...(before !== undefined && { before }) };
  return recordAudit(ctx, tx, ctx.actor, { projectId: ctx.projectId, action, target: id, detail });
}
