import type { Fragment, Sql } from 'postgres';

/** Which part of a verifier's work a verdict is of, as `verdict_populations` has it. */
export const populationPart = {
  tier: (tier: string): string => `tier:${tier}`,
  complexity: (complexity: string): string => `complexity:${complexity}`,
} as const;

/** The same of a row with the columns of `verdicts`; '' where it has no part. */
export function partColumn(sql: Sql): Fragment {
  return sql`coalesce(case
    when kind = 'code' then ${populationPart.tier('')} || (detail ->> 'tier')
    when kind in ('decomposition', 'agent-output', 'synthesis') then ${populationPart.complexity('')} || (detail ->> 'complexity')
  end, '')`;
}
