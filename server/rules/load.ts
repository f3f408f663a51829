import { Mapping, SourceSettings, SubjectTarget } from '../domain';
import { listBuiltInVerifiers, listCustomVerifiers, type Verifier } from '../catalog';
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
  const known = await verifiersOf(ctx, projectId, rows);
  return rows.map((row) => asRule(row, known.get(row.verifier) ?? null));
}

/** The verifiers by slug. Most projects' rules name those of the release, which need no query. */
export async function verifiersOf(
  ctx: Pick<Ctx, 'sql'>,
  projectId: string,
  rules: readonly { readonly verifier: string }[],
): Promise<ReadonlyMap<string, Verifier>> {
  const known = new Map(listBuiltInVerifiers().map((each) => [each.slug, each]));
  if (rules.every(({ verifier }) => known.has(verifier))) return known;
  for (const each of await listCustomVerifiers(ctx, projectId)) known.set(each.slug, each);
  return known;
}

/** The targets that rules may send to the verifier; empty for an unknown or an archived one. */
export const verifierTargetsOf = (verifier: Verifier | null): readonly SubjectTarget[] =>
  verifier === null || verifier.custom?.archivedAt != null ? [] : verifier.targets;

export function asRule(row: RuleRow, verifier: Verifier | null): Rule {
  const filter = RuleFilter.safeParse(row.filter);
  const mapping = Mapping.nullable().safeParse(row.mapping ?? null);
  return {
    name: row.name,
    version: row.version,
    verifier: row.verifier,
    verifierTargets: verifierTargetsOf(verifier),
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
