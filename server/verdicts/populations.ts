import type { Fragment, Sql } from 'postgres';

/** The part of a verifier's work that a verdict belongs to, as in `verdict_populations`. */
export const populationPart = {
  tier: (tier: string): string => `tier:${tier}`,
  complexity: (complexity: string): string => `complexity:${complexity}`,
} as const;

/** The same for a row with the columns of `verdicts`; '' if it has no part. */
export function partColumn(sql: Sql): Fragment {
  return sql`coalesce(case
    when kind = 'code' then ${populationPart.tier('')} || (detail ->> 'tier')
    when kind in ('decomposition', 'agent-output', 'synthesis') then ${populationPart.complexity('')} || (detail ->> 'complexity')
  end, '')`;
}
