import type { Fragment, Sql } from 'postgres';

/**
 * The keys, as in `verdict_populations`, of the parts of a verifier's work that a verdict may
 * belong to.
 */
export const populationPart = {
  tier: (tier: string): string => `tier:${tier}`,
  complexity: (complexity: string): string => `complexity:${complexity}`,
} as const;

/** The key for a row with the columns of `verdicts`; '' if it belongs to no part. */
export function partColumn(sql: Sql): Fragment {
  return sql`coalesce(case
    when kind = 'code' then ${populationPart.tier('')} || (detail ->> 'tier')
    when kind in ('decomposition', 'agent-output', 'synthesis') then ${populationPart.complexity('')} || (detail ->> 'complexity')
  end, '')`;
}
