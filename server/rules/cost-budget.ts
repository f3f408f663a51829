import type { Ctx } from '../platform';
import type { ClaimedWork } from '../queue';

/** Today's budget (UTC) in US dollars of the rule that planned a verification. */
export interface CostBudget {
  /**
   * Reserves the maximum cost of a call; false if the remaining budget is too small. Exact with
   * concurrent workers.
   */
  reserve(micros: number): Promise<boolean>;
  /** Replaces a reservation by the actual cost after the call. */
  settle(reservedMicros: number, spentMicros: number): Promise<void>;
  /** The spent part, in words for people. */
  describe(): Promise<string>;
}

/** Null if no rule planned the work, or the rule has no budget in dollars. */
export async function openCostBudget(
  { sql }: Pick<Ctx, 'sql'>,
  { projectId, rule: name }: Pick<ClaimedWork, 'projectId' | 'rule'>,
): Promise<CostBudget | null> {
  if (name === null) return null;
  const [rule] = await sql<{ usd: number | null; day: string }[]>`
    select daily_budget_usd as usd, to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day from rules
    where project_id = ${projectId} and name = ${name}`;
  if (rule?.usd == null) return null;
  const { usd, day } = rule;
  const budget = Math.floor(usd * 1_000_000);
  return {
    async reserve(micros) {
      const rows = await sql`
        insert into rule_costs as c (project_id, rule, day, reserved_micros)
        select ${projectId}, ${name}, ${day}::date, ${micros}::bigint
        where ${micros}::bigint <= ${budget}::bigint
        on conflict (project_id, rule, day) do update
        set reserved_micros = c.reserved_micros + excluded.reserved_micros
        where c.spent_micros + c.reserved_micros + excluded.reserved_micros <= ${budget}::bigint
        returning 1`;
      return rows.length > 0;
    },
    async settle(reservedMicros, spentMicros) {
      await sql`
        update rule_costs set reserved_micros = reserved_micros - ${reservedMicros}::bigint,
          spent_micros = spent_micros + ${spentMicros}::bigint
        where project_id = ${projectId} and rule = ${name} and day = ${day}::date`;
    },
    async describe() {
      const [row] = await sql<{ micros: string }[]>`
        select spent_micros + reserved_micros as micros from rule_costs
        where project_id = ${projectId} and rule = ${name} and day = ${day}::date`;
      return `$${(Number(row?.micros ?? 0) / 1_000_000).toFixed(4)} of $${usd} today, UTC`;
    },
  };
}
