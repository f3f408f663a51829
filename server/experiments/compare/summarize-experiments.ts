import type { ProjectCtx } from '../../access';
import type { Measure } from '../../measures';
import { getHeads } from './experiment-head';
import { slugsOf } from './get-experiment';
import { readRunRates } from './run-rates';

/** The columns of a list of experiments in addition to the head. */
export interface ExperimentSummary {
  readonly id: string;
  readonly passRates: readonly { readonly verifier: string; readonly passRate: Measure }[];
  /** US dollars of target and judges; a lower bound if `isPartial`. */
  readonly costUsd: number;
  readonly isPartial: boolean;
}

/**
 * The pass rates and the cost of several experiments, in the given order.
 * @throws AssayError not_found if one is missing
 */
export async function summarizeExperiments(
  ctx: ProjectCtx,
  ids: readonly string[],
): Promise<readonly ExperimentSummary[]> {
  const heads = await getHeads(ctx, ids);
  const [ratesOf, costs] = await Promise.all([readRunRates(ctx, ids), readCosts(ctx, ids)]);
  return heads.map((head) => {
    const cost = costs.get(head.id);
    return {
      id: head.id,
      passRates: slugsOf(head).map((verifier) => ({
        verifier,
        passRate: ratesOf({ experiment: head.id, verifier }).rates.passRate,
      })),
      costUsd: cost?.usd ?? 0,
      isPartial: (cost?.unknown ?? 0) > 0,
    };
  });
}

async function readCosts({ sql, projectId }: ProjectCtx, ids: readonly string[]) {
  const rows = await sql<{ id: string; usd: number; unknown: number }[]>`
    select id, coalesce(sum(usd), 0)::float8 as usd, sum(unknown)::int as unknown from (
      select experiment_id as id, sum(cost_usd) as usd,
        count(*) filter (where state = 'answered' and cost_usd is null) as unknown
      from experiment_rows where project_id = ${projectId} and experiment_id in ${sql([...ids])}
      group by 1
      union all
      select experiment_id, sum(cost_usd), count(*) filter (where price_unknown)
      from verdicts where project_id = ${projectId} and experiment_id in ${sql([...ids])}
      group by 1
    ) as parts group by 1`;
  return new Map(rows.map((row) => [row.id, row]));
}
