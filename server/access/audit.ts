import { and, desc, eq, lt } from 'drizzle-orm';
import { schema } from '../../db';
import { topicOfAction } from '../domain';
import { type Ctx, type Database, newId, notifyChangedIn } from '../platform';
import type { Actor, ProjectCtx } from './actor';
import { type ChainState, getChainState } from './audit-chain';

export interface AuditEntry {
  readonly projectId: string | null;
  readonly action: string;
  readonly target: string | null;
  readonly detail?: Record<string, unknown>;
}

/** Records one change, in its transaction, and notifies open pages of the project on commit. */
export async function recordAudit(
  ctx: Pick<Ctx, 'clock'>,
  db: Database,
  actor: Actor,
  entry: AuditEntry,
): Promise<void> {
  await db.insert(schema.auditEvents).values({
    id: newId('aud', ctx.clock.now()),
    projectId: entry.projectId,
    actorKind: actor.kind,
    actorId: actor.id,
    actorLabel: actor.label,
    action: entry.action,
    target: entry.target,
    detail: {
      ...entry.detail,
      ...(actor.kind === 'user' && actor.via !== undefined && { via: actor.via }),
    },
  });
  if (entry.projectId === null) return;
  const topic = topicOfAction(entry.action);
  await notifyChangedIn(db, entry.projectId, 'audit', ...(topic === null ? [] : [topic]));
}

/** The id of the project's last change; null if there is none. */
export async function findLastChange(
  { sql }: Pick<Ctx, 'sql'>,
  projectId: string,
): Promise<string | null> {
  const [last] = await sql<{ id: string }[]>`
    select id from audit_events where project_id = ${projectId} order by id desc limit 1`;
  return last?.id ?? null;
}

/** The project's changes, newest first. */
export async function listAudit(
  ctx: ProjectCtx,
  input: { readonly cursor?: string | undefined; readonly limit?: number | undefined },
): Promise<{
  items: {
    id: string;
    at: Date;
    actor: string;
    action: string;
    target: string | null;
    detail: string;
  }[];
  nextCursor: string | null;
  chain: ChainState;
}> {
  const limit = input.limit ?? 50;
  const rows = await ctx.db
    .select()
    .from(schema.auditEvents)
    .where(
      and(
        eq(schema.auditEvents.projectId, ctx.projectId),
        input.cursor === undefined ? undefined : lt(schema.auditEvents.id, input.cursor),
      ),
    )
    .orderBy(desc(schema.auditEvents.id))
    .limit(limit + 1);
  const items = rows.slice(0, limit).map((row) => ({
    id: row.id,
    at: row.at,
    actor: row.actorLabel,
    action: row.action,
    target: row.target,
    detail: JSON.stringify(row.detail),
  }));
  return {
    items,
    nextCursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null,
    chain: await getChainState(ctx),
  };
}
