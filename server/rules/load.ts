import { SourceSettings } from '../domain';
import type { Ctx } from '../platform';
import { RuleFilter } from './input';
import type { Rule } from './match';

export interface RuleRow {
  name: string;
  version: number;
  verifier: string;
  target: string;
  filter: unknown;
  sampling: number;
  delay_seconds: number;
  daily_budget: number | null;
  sources: unknown;
  enabled: boolean;
}

/** The rules of one project, by name. */
export async function loadRules(ctx: Pick<Ctx, 'sql'>, projectId: string): Promise<Rule[]> {
  const rows = await ctx.sql<RuleRow[]>`
    select name, version, verifier, target, filter, sampling, delay_seconds, daily_budget, sources, enabled
    from rules where project_id = ${projectId} order by name collate "C"`;
  return rows.map(asRule);
}

export function asRule(row: RuleRow): Rule {
  const filter = RuleFilter.safeParse(row.filter);
  return {
    name: row.name,
    version: row.version,
    verifier: row.verifier,
    target: row.target,
    filter: filter.success ? filter.data : null,
    sampling: row.sampling,
    delaySeconds: row.delay_seconds,
    dailyBudget: row.daily_budget,
    sources: asSources(row.sources),
    enabled: row.enabled,
  };
}

/** Null where this release cannot read them. */
export function asSources(stored: unknown): SourceSettings | null {
  return SourceSettings.safeParse(stored ?? {}).data ?? null;
}
