import type { ProjectCtx } from '../access';
import type { DecisionState } from '../domain';
import { notFound } from '../platform';
import { asRule, type RuleRow, verifiersOf } from './load';
import type { Rule } from './match';

/** A rule as shown to people. */
export interface RuleSummary extends Rule {
  readonly createdBy: string;
  readonly updatedAt: Date;
  /** Its decisions in the last seven UTC days, including today. */
  readonly decided: readonly { readonly state: DecisionState; readonly count: number }[];
  /** Turns admitted today (UTC); null without a budget. */
  readonly spentToday: number | null;
}

/** The project's rules, by name. */
export async function listRules(ctx: ProjectCtx): Promise<RuleSummary[]> {
  return readSummaries(ctx, null);
}

/** @throws AssayError not_found */
export async function getRule(ctx: ProjectCtx, name: string): Promise<RuleSummary> {
  const [rule] = await readSummaries(ctx, name);
  if (rule === undefined) throw notFound('rule');
  return rule;
}

interface SummaryRow extends RuleRow {
  created_by: string;
  updated_at: string;
  decided: { state: DecisionState; count: number }[];
  spent: number | null;
}

async function readSummaries(ctx: ProjectCtx, name: string | null): Promise<RuleSummary[]> {
  const { sql, projectId } = ctx;
  const rows = await sql<SummaryRow[]>`
    select r.name, r.version, r.verifier, r.target, r.filter, r.mapping, r.sampling, r.sample_by,
      r.every, r.delay_seconds, r.daily_budget, r.daily_budget_usd, r.sources, r.enabled, r.created_by,
      r.updated_at, coalesce(d.decided, '[]') as decided,
      case when r.daily_budget is not null then (
        select count(*)::int from rule_spending s
        where s.project_id = r.project_id and s.rule = r.name and s.day = (now() at time zone 'UTC')::date) end as spent
    from rules r
    left join (
      select rule, jsonb_agg(jsonb_build_object('state', state, 'count', count) order by count desc, state) as decided from (
        select rule, state, sum(count)::bigint as count from decision_rollups
        where project_id = ${projectId} and day > (now() at time zone 'UTC')::date - 7 group by rule, state having sum(count) > 0
      ) as summed group by rule
    ) as d on d.rule = r.name
    where r.project_id = ${projectId} ${name === null ? sql`` : sql`and r.name = ${name}`}
    order by r.name collate "C"`;
  const verifiers = await verifiersOf(ctx, projectId, rows);
  return rows.map((row) => ({
    ...asRule(row, verifiers.get(row.verifier) ?? null),
    createdBy: row.created_by,
    updatedAt: new Date(row.updated_at),
    decided: row.decided,
    spentToday: row.spent,
  }));
}
