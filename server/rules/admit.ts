import type { TransactionSql } from 'postgres';
import type { Ctx } from '../platform';
import { type ClaimedWork, endUndecided } from '../queue';

export interface AdmitInput {
  readonly owner: string;
  readonly claimed: readonly ClaimedWork[];
}

export interface Admitted {
  readonly admitted: readonly ClaimedWork[];
  /** Work beyond the budget: its decisions record the reason, and the work is deleted. */
  readonly overBudget: readonly ClaimedWork[];
}

/**
 * Applies the daily budgets of rules to claimed work; work of rules without a budget is always
 * admitted. Exact with concurrent workers, since a worker locks the row of the rule whose budget it
 * spends. Work admitted earlier today or yesterday is not charged again.
 * @throws on storage faults; work not yet decided can be claimed again when its lease ends
 */
export async function admitWork(ctx: Pick<Ctx, 'sql'>, input: AdmitInput): Promise<Admitted> {
  const ruled = input.claimed.filter((work) => work.rule !== null);
  if (ruled.length === 0) return { admitted: input.claimed, overBudget: [] };
  const projectIds = [...new Set(ruled.map((work) => work.projectId))];
  const rules = await ctx.sql<{ project_id: string; name: string }[]>`
    select project_id, name from rules
    where project_id in ${ctx.sql(projectIds)} and daily_budget is not null order by project_id, name`;
  const over = new Set<ClaimedWork>();
  for (const rule of rules) {
    const ofRule = ruled
      .filter((work) => work.projectId === rule.project_id && work.rule === rule.name)
      .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : 1));
    if (ofRule.length === 0) continue;
    const beyond = await ctx.sql.begin((sql) =>
      admitUnderRule(sql, { owner: input.owner, name: rule.name, claimed: ofRule }),
    );
    for (const work of beyond) over.add(work);
  }
  if (over.size === 0) return { admitted: input.claimed, overBudget: [] };
  return { admitted: input.claimed.filter((work) => !over.has(work)), overBudget: [...over] };
}

interface UnderRule {
  readonly owner: string;
  readonly name: string;
  /** Of one project and rule, oldest first. */
  readonly claimed: readonly ClaimedWork[];
}

/** Spends the rest of the rule's budget; returns the work beyond it. */
async function admitUnderRule(
  sql: TransactionSql,
  { owner, name, claimed }: UnderRule,
): Promise<readonly ClaimedWork[]> {
  const projectId = claimed[0]?.projectId ?? '';
  const [rule] = await sql<{ daily_budget: number | null; day: string }[]>`
    select daily_budget, to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day from rules
    where project_id = ${projectId} and name = ${name} for update`;
  if (rule === undefined || rule.daily_budget === null) return [];
  const ids = JSON.stringify(claimed.map((work) => work.id));
  const known = await sql<{ verdict_id: string }[]>`
    select s.verdict_id from jsonb_array_elements_text(${ids}::text::jsonb) as w(id)
    cross join (values (${rule.day}::date), (${rule.day}::date - 1)) as on_day(day)
    join rule_spending s on s.project_id = ${projectId} and s.rule = ${name} and s.day = on_day.day and s.verdict_id = w.id`;
  const paid = new Set(known.map((row) => row.verdict_id));
  const fresh = claimed.filter((work) => !paid.has(work.id));
  if (fresh.length === 0) return [];
  const [count] = await sql<{ spent: number }[]>`
    select count(*)::int as spent from rule_spending where project_id = ${projectId} and rule = ${name} and day = ${rule.day}::date`;
  const spent = count?.spent ?? 0;
  const room = Math.max(0, rule.daily_budget - spent);
  const taken = JSON.stringify(fresh.slice(0, room).map((work) => work.id));
  await sql`
    insert into rule_spending (project_id, rule, day, verdict_id)
    select ${projectId}, ${name}, ${rule.day}::date, w.id from jsonb_array_elements_text(${taken}::text::jsonb) as w(id)
    on conflict do nothing`;
  const beyond = fresh.slice(room);
  if (beyond.length > 0) {
    const used = spent + Math.min(room, fresh.length);
    const reason = `${used} of ${rule.daily_budget} today, UTC`;
    await endUndecided(
      sql,
      owner,
      beyond.map((work) => ({ work, state: 'over_budget', reason })),
    );
  }
  return beyond;
}
