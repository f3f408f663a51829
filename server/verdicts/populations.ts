import type { Fragment, Sql } from 'postgres';

/**
 * The keys in `verdict_populations` for the parts of a verifier's work: code tiers and
 * complexities.
 */
export const populationPart = {
  tier: (tier: string): string => `tier:${tier}`,
  complexity: (complexity: string): string => `complexity:${complexity}`,
} as const;

/** The part key of a row with the columns of `verdicts`; '' if the row belongs to no part. */
export function partColumn(sql: Sql): Fragment {
  return sql`coalesce(case
    when kind = 'code' then ${populationPart.tier('')} || (detail ->> 'tier')
    when kind in ('decomposition', 'agent-output', 'synthesis') then ${populationPart.complexity('')} || (detail ->> 'complexity')
  end, '')`;
}
