import { Mapping, SourceSettings, SubjectTarget } from '../domain';
import type { Ctx } from '../platform';
import { RuleFilter } from './input';
import type { Rule } from './match';

export interface RuleRow {
  name: string;
  version: number;
  verifier: string;
  target: string;
  filter: unknown;
  mapping: unknown;
  sampling: number;
  sample_by: 'subject' | 'session';
  every: number | null;
  delay_seconds: number;
  daily_budget: number | null;
  daily_budget_usd: number | null;
  sources: unknown;
  enabled: boolean;
}

/** The rules of one project, by name. */
export async function loadRules(ctx: Pick<Ctx, 'sql'>, projectId: string): Promise<Rule[]> {
  const rows = await ctx.sql<RuleRow[]>`
    select name, version, verifier, target, filter, mapping, sampling, sample_by, every,
      delay_seconds, daily_budget, daily_budget_usd, sources, enabled
    from rules where project_id = ${projectId} order by name collate "C"`;
  return rows.map(asRule);
}

export function asRule(row: RuleRow): Rule {
  const filter = RuleFilter.safeParse(row.filter);
  const mapping = Mapping.nullable().safeParse(row.mapping ?? null);
  return {
    name: row.name,
    version: row.version,
    verifier: row.verifier,
    target: SubjectTarget.parse(row.target),
    filter: filter.success && mapping.success ? filter.data : null,
    mapping: mapping.data ?? null,
    sampling: row.sampling,
    sampleBy: row.sample_by,
    every: row.every,
    delaySeconds: row.delay_seconds,
    dailyBudget: row.daily_budget,
    dailyBudgetUsd: row.daily_budget_usd,
    sources: asSources(row.sources),
    enabled: row.enabled,
  };
}

/** Null if this release cannot read them. */
export function asSources(stored: unknown): SourceSettings | null {
  return SourceSettings.safeParse(stored ?? {}).data ?? null;
}
