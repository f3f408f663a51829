import { sql } from 'drizzle-orm';
import { schema } from '../../../db';
import { type ProjectCtx, recordAudit } from '../../access';
import { cleanText } from '../../domain';
import { type Database, newId, notFound } from '../../platform';
import { judgeListText } from '../trials/judge-list';
import type { Gate } from './read-gate';
import type { Promotion, PromotionState } from './promotion';

/** A promotion as stored. */
export type StoredPromotion = Omit<Promotion, 'isCurrent'>;

interface Wish {
  readonly slug: string;
  readonly before: string;
  readonly after: string;
  readonly state: Exclude<PromotionState, 'withdrawn' | 'rolled_back'>;
  readonly gate: Gate;
  readonly reason: string | null;
}

const promotionsOf = schema.promotions;

/**
 * Records the result of a request. A request that already waits, or was refused for the same trial,
 * is returned and not stored twice. For an accepted request, the change itself writes the audit
 * row.
 */
export async function storePromotion(
  ctx: ProjectCtx,
  tx: Database,
  request: Wish,
): Promise<StoredPromotion> {
  const { projectId, actor } = ctx;
  const { gate, reason: given, ...row } = request;
  const reason = given === null ? null : cleanText(given).text;
  if (row.state === 'waiting' || row.state === 'refused') {
    const [same] = await tx
      .select()
      .from(promotionsOf)
      .where(
        sql`project_id = ${projectId} and slug = ${row.slug} and before = ${row.before} and after = ${row.after} and state = ${row.state}
          and trial_id is not distinct from ${gate.trialId} and created_by = ${actor.label}`,
      )
      .limit(1);
    if (same !== undefined) return asPromotion(same);
  }
  const now = ctx.clock.now();
  const ended = row.state === 'waiting' ? {} : { endedBy: actor.label, endedAt: now };
  const id = newId('prm', now);
  const values = {
    ...row,
    ...ended,
    projectId,
    id,
    trialId: gate.trialId,
    findings: gate.findings,
    reason,
    createdBy: actor.label,
    createdAt: now,
  };
  const [stored] = await tx.insert(promotionsOf).values(values).returning();
  if (stored === undefined) throw new Error('the promotion was not stored');
  if (row.state === 'waiting' || row.state === 'refused' || row.state === 'forced') {
    const action = {
      waiting: 'promotions.ask',
      refused: 'promotions.refuse',
      forced: 'promotions.force',
    }[row.state];
    const detail = { promotion: id, trial: gate.trialId, verdict: gate.findings.verdict, reason };
    await recordAudit(ctx, tx, actor, { projectId, action, target: targetOf(row), detail });
  }
  return asPromotion(stored);
}

/** Ends a waiting request, or marks an accepted one as rolled back. */
export async function endPromotion(
  ctx: ProjectCtx,
  tx: Database,
  promotion: StoredPromotion,
  end: { readonly state: 'promoted' | 'withdrawn' | 'rolled_back'; readonly approvedBy?: string },
): Promise<StoredPromotion> {
  const { projectId, actor } = ctx;
  const change = { ...end, endedBy: actor.label, endedAt: ctx.clock.now() };
  const [stored] = await tx
    .update(promotionsOf)
    .set(change)
    .where(sql`project_id = ${projectId} and id = ${promotion.id}`)
    .returning();
  if (stored === undefined) throw notFound('promotion');
  const action = {
    promoted: 'promotions.approve',
    withdrawn: 'promotions.withdraw',
    rolled_back: 'promotions.roll_back',
  }[end.state];
  await recordAudit(ctx, tx, actor, {
    projectId,
    action,
    target: targetOf(promotion),
    detail: { promotion: promotion.id },
  });
  return asPromotion(stored);
}

/** The row, locked until `tx` ends. @throws AssayError not_found */
export async function lockPromotion(
  ctx: ProjectCtx,
  tx: Database,
  id: string,
): Promise<StoredPromotion> {
  const [row] = await tx
    .select()
    .from(promotionsOf)
    .where(sql`project_id = ${ctx.projectId} and id = ${id}`)
    .for('update');
  if (row === undefined) throw notFound('promotion');
  return asPromotion(row);
}

/** @throws AssayError not_found */
export async function getStored(ctx: ProjectCtx, id: string): Promise<StoredPromotion> {
  const [row] = await ctx.db.transaction((tx) =>
    tx.select().from(promotionsOf).where(sql`project_id = ${ctx.projectId} and id = ${id}`),
  );
  if (row === undefined) throw notFound('promotion');
  return asPromotion(row);
}

/** The promotion that led to the current state; null if unknown. */
export async function findCurrent(
  ctx: ProjectCtx,
  tx: Database,
  { slug, running }: { readonly slug: string; readonly running: string },
): Promise<StoredPromotion | null> {
  const [row] = await tx
    .select()
    .from(promotionsOf)
    .where(
      sql`project_id = ${ctx.projectId} and slug = ${slug} and after = ${running} and state in ('promoted', 'forced')`,
    )
    .orderBy(sql`ended_at desc, id desc`)
    .limit(1);
  return row === undefined ? null : asPromotion(row);
}

/** The version that the label refers to; 0 if there is none. */
export async function labelledVersion(
  ctx: ProjectCtx,
  tx: Database,
  slug: string,
): Promise<number> {
  const [row] = await tx.execute<{ version: number }>(sql`
    select version from prompt_labels where project_id = ${ctx.projectId} and slug = ${slug} and label = 'production'`);
  return row?.version ?? 0;
}

/** The judges of the settings, as `JudgeList`; '' if none is named. */
export async function currentJudges(ctx: ProjectCtx, tx: Database): Promise<string> {
  const [row] = await tx.execute<{ default_judge: string | null; jury: string[] }>(sql`
    select default_judge, to_jsonb(jury) as jury from project_settings where project_id = ${ctx.projectId}`);
  return row === undefined
    ? ''
    : judgeListText({ defaultJudge: row.default_judge, jury: row.jury });
}

export function asPromotion(row: typeof promotionsOf.$inferSelect): StoredPromotion {
  const { projectId: _project, findings, ...promotion } = row;
  // Written only by `storePromotion`.
  return { ...promotion, findings: findings as StoredPromotion['findings'] };
}

const targetOf = ({ slug, after }: { readonly slug: string; readonly after: string }): string =>
  slug === '' ? `judge ${after}` : `${slug}@${after}`;
