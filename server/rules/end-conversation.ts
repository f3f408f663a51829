import type { Sql } from 'postgres';
import type { ProjectCtx } from '../access';
import { type Ctx, notFound } from '../platform';
import { type PlanConversation, planOne } from './plan-idle';
import type { Conversation } from './read-conversation';
import type { RuleBook } from './rule-book';

/**
 * Ends a session or mission: its verifications are planned now instead of after its idle time. A
 * repeated call without new content plans nothing. Returns the number of pending verifications.
 * @throws AssayError not_found: the id is unknown
 */
export async function endConversation(
  ctx: ProjectCtx,
  rules: RuleBook,
  { target, id }: { readonly target: Conversation; readonly id: string },
): Promise<number> {
  const planned = await planConversation(ctx, rules, { projectId: ctx.projectId, target, id });
  if (planned === null) throw notFound(target);
  return planned;
}

/**
 * Runs `planOne` in a separate transaction, with a lock so that no other process plans at the same
 * time.
 */
export async function planConversation(
  ctx: Ctx,
  rules: RuleBook,
  conversation: PlanConversation,
): Promise<number | null> {
  const { projectId, target } = conversation;
  return ctx.sql.begin(async (tx) => {
    const sql = tx as unknown as Sql;
    await sql`select pg_advisory_xact_lock(hashtextextended(${`idle ${target} ${projectId}`}, 0))`;
    return planOne(ctx, sql, rules, conversation);
  });
}
