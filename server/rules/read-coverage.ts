import type { ProjectCtx } from '../access';
import type { DecisionState } from '../domain';

/** The share of matching work that a verifier's rules selected. */
export interface Coverage {
  readonly verifier: string;
  /** The rules with decisions in the period, by name. */
  readonly rules: readonly string[];
  readonly selected: number;
  readonly eligible: number;
}

/** Subjects that a rule is not about, or that it had decided before. */
const notEligible: readonly DecisionState[] = ['filtered', 'duplicate', 'no_subject'];

/** Decisions of existing rules on UTC days since `from`, by verifier, from the daily counts. */
export async function readCoverage(
  { sql, projectId }: ProjectCtx,
  { from }: { readonly from: Date },
): Promise<Coverage[]> {
  const rows = await sql<
    { verifier: string; rules: string[]; selected: string; eligible: string }[]
  >`
    select r.verifier, jsonb_agg(distinct r.name order by r.name) as rules,
      coalesce(sum(d.count) filter (where d.state = 'run'), 0) as selected, sum(d.count) as eligible
    from decision_rollups d join rules r on r.project_id = d.project_id and r.name = d.rule
    where d.project_id = ${projectId} and d.day >= ${from.toISOString().slice(0, 10)}::date
      and d.state not in ${sql([...notEligible])}
    group by r.verifier having sum(d.count) > 0 order by r.verifier`;
  return rows.map(({ selected, eligible, ...row }) => ({
    ...row,
    selected: Number(selected),
    eligible: Number(eligible),
  }));
}
