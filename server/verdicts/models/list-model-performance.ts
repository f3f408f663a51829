import type { ProjectCtx } from '../../access';
import { ModelTier, type Rate, rate } from '../../domain';

/** How code of one model has fared lately. The same window for every reader: the list is of results, not of days. */
export interface ModelPerformance {
  readonly model: string;
  /** Size class that decided what passes: rates of different tiers do not compare (QEL-51). Null where a verdict names none. */
  readonly tier: ModelTier | null;
  /** What passed of the results in the window. */
  readonly passRate: Rate;
  /** Mean of the points, 0..100; null without results. */
  readonly averagePoints: number | null;
  /** Failures since the last pass, newest first; at most the window. */
  readonly consecutiveFailures: number;
  /** US dollars: of the work where its cost was told, and of judging it. */
  readonly workCostUsd: number | null;
  readonly judgingCostUsd: number;
  /** Newest first. */
  readonly outcomes: readonly ('passed' | 'failed')[];
  readonly lastAt: Date;
}

/** QEL-47: the 101st result drops the oldest. */
const performanceWindow = 100;

interface Row {
  model: string;
  tier: string | null;
  outcome: 'passed' | 'failed';
  score: number | null;
  work_cost_usd: number | null;
  cost_usd: number;
  settled_at: string;
}

/**
 * The last results of each model by kind `code`, models with the newest result first (QEL-47). Counted from the verdicts themselves, so
 * that nothing sent twice counts twice; what is inconclusive or was skipped is no result.
 */
export async function listModelPerformance(ctx: ProjectCtx): Promise<ModelPerformance[]> {
  const { sql, projectId } = ctx;
  const rows = await sql<Row[]>`
    with models as (
      select distinct model from verdict_rollups where project_id = ${projectId} and verifier_slug = 'code' and model <> ''
    )
    select models.model, latest.tier, latest.outcome, latest.score, latest.cost_usd, latest.settled_at, subjects.cost_usd as work_cost_usd
    from models cross join lateral (
      select v.id, v.subject_id, v.outcome, v.score, v.cost_usd, v.settled_at, v.detail ->> 'tier' as tier
      from verdicts v
      where v.project_id = ${projectId} and v.kind = 'code' and v.model = models.model and v.outcome in ('passed', 'failed')
      order by v.settled_at desc, v.id desc limit ${performanceWindow}
    ) latest
    left join subjects on subjects.project_id = ${projectId} and subjects.kind = 'code' and subjects.id = latest.subject_id
    order by models.model, latest.settled_at desc, latest.id desc`;
  const byModel = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.model, row.tier]);
    byModel.set(key, [...(byModel.get(key) ?? []), row]);
  }
  return [...byModel.values()].map(summarise).toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
}

/** `rows`: of one model, newest first, at least one. */
function summarise(rows: readonly Row[]): ModelPerformance {
  const [newest] = rows;
  if (newest === undefined) throw new RangeError('a model without results has no performance');
  const outcomes = rows.map(({ outcome }) => outcome);
  const points = rows.flatMap(({ score }) => (score === null ? [] : [score]));
  const costs = rows.flatMap(({ work_cost_usd: cost }) => (cost === null ? [] : [cost]));
  const lastPass = outcomes.indexOf('passed');
  const tier = ModelTier.safeParse(newest.tier);
  return {
    model: newest.model,
    tier: tier.success ? tier.data : null,
    passRate: rate(outcomes.filter((outcome) => outcome === 'passed').length, outcomes.length),
    averagePoints: points.length === 0 ? null : sum(points) / points.length,
    consecutiveFailures: lastPass === -1 ? outcomes.length : lastPass,
    workCostUsd: costs.length === 0 ? null : sum(costs),
    judgingCostUsd: sum(rows.map(({ cost_usd: cost }) => cost)),
    outcomes,
    lastAt: new Date(newest.settled_at),
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
