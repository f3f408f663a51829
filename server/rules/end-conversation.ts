import type { Sql } from 'postgres';
import type { ProjectCtx } from '../access';
import { notFound } from '../platform';
import { planOne } from './plan-idle';
import type { Conversation } from './read-conversation';
import type { RuleBook } from './rule-book';

/**
 * Says that a session or mission is over: its verifications are planned now, and not when it has
 * been idle. Again, with nothing new in it, plans nothing. Returns how many are to come.
 * @throws AssayError not_found: nothing came under this id
 */
export async function endConversation(
  ctx: ProjectCtx,
  rules: RuleBook,
  { target, id }: { readonly target: Conversation; readonly id: string },
): Promise<number> {
  const planned = await ctx.sql.begin(async (tx) => {
    const sql = tx as unknown as Sql;
    await sql`
      select pg_advisory_xact_lock(hashtextextended(${`idle ${target} ${ctx.projectId}`}, 0))`;
    return planOne(ctx, sql, rules, { projectId: ctx.projectId, target, id });
  });
  if (planned === null) throw notFound(target);
  return planned;
}
