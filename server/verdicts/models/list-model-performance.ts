import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { identityOf } from '../../ingest';
import { clusterSums, ModelTier, type Rate, rate, itemWeight } from '../../domain';

/**
 * The recent results of one model from one verifier. The window is a number of results, not of
 * days.
 */
export interface ModelPerformance {
  readonly model: string;
  /** The verifier's slug: results of different verifiers are not comparable. */
  readonly verifier: string;
  /**
   * The size class that sets the pass threshold: rates of different tiers are not comparable
   * (QEL-51). Null if the verdicts have none.
   */
  readonly tier: ModelTier | null;
  /** Pass rate in the window. */
  readonly passRate: Rate;
  /** The mean score on the verifier's own scale (0..100 for code); null without scores. */
  readonly averagePoints: number | null;
  /** Results in the window that have a score. */
  readonly scored: number;
  /** The number of failures since the last pass; at most the window. */
  readonly consecutiveFailures: number;
  /** US dollars, of the work with a known cost; null if none has one. */
  readonly workCostUsd: number | null;
  readonly judgingCostUsd: number;
  /** Newest first. */
  readonly outcomes: readonly ('passed' | 'failed')[];
  readonly lastAt: Date;
}

/** QEL-47: the 101st result displaces the oldest. */
const performanceWindow = 100;

interface Row {
  verifier: string;
  model: string;
  tier: string | null;
  outcome: 'passed' | 'failed';
  score: number | null;
  work_cost_usd: number | null;
  cost_usd: number;
  settled_at: string;
  cluster: string;
}

/** The most pairs of verifier and model that are listed. */
const pairsMax = 200;

/**
 * The latest results of each model from each verifier, or from one; the model with the newest
 * result comes first (QEL-47).
 */
export async function listModelPerformance(
  ctx: ProjectCtx,
  verifier: string | null,
): Promise<ModelPerformance[]> {
  const { sql, projectId } = ctx;
  const identity = identityOf(ctx, sql`r.project_id`, sql`r.model`);
  return performanceOf(
    ctx,
    sql`select verifier_slug, ${identity} as model, array_agg(distinct r.model) as names from verdict_rollups r
      where project_id = ${projectId} and model <> '' ${verifier === null ? sql`` : sql`and verifier_slug = ${verifier}`}
      group by 1, 2 having sum(passed + failed) > 0 order by max(day) desc, 1, 2 limit ${pairsMax}`,
  );
}

/** The same for models with a result in the last 30 days. */
export async function listPerformanceOfAll(ctx: ProjectCtx): Promise<ModelPerformance[]> {
  const { sql, projectId } = ctx;
  const identity = identityOf(ctx, sql`r.project_id`, sql`r.model`);
  const from = new Date(ctx.clock.now().getTime() - 29 * 86_400_000).toISOString().slice(0, 10);
  return performanceOf(
    ctx,
    sql`select verifier_slug, ${identity} as model, array_agg(distinct r.model) as names from verdict_rollups r where project_id = ${projectId} and day >= ${from}::date and model <> ''
      group by 1, 2 having sum(passed + failed) > 0 order by sum(passed + failed) desc, 1, 2 limit ${pairsMax}`,
  );
}

/**
 * Counts the verdicts themselves, so that repeated input never counts twice (X-10); inconclusive
 * and skipped verdicts are not results (X-3). `pairs` is a relation of `verifier_slug`, `model` and
 * the `names` that count as this model. The newest verdicts of each name and outcome are read by
 * its index, and the newest of all are used.
 */
async function performanceOf(ctx: ProjectCtx, pairs: Fragment): Promise<ModelPerformance[]> {
  const { sql, projectId } = ctx;
  const last = (outcome: 'passed' | 'failed') => sql`(
    select of_name.* from unnest(pairs.names) as named(name) cross join lateral (
      select v.id, v.subject_kind, v.subject_id, v.outcome, v.score, v.cost_usd, v.settled_at, v.detail ->> 'tier' as tier,
        coalesce(v.session_id, v.subject_id) as cluster
      from verdicts v
      where v.project_id = ${projectId} and v.verifier_slug = pairs.verifier_slug and v.model = named.name and v.outcome = ${outcome} and not v.superseded and v.experiment_id is null
      order by v.settled_at desc, v.id desc limit ${performanceWindow}
    ) as of_name)`;
  const rows = await sql<Row[]>`
    select pairs.verifier_slug as verifier, pairs.model, latest.tier, latest.outcome, latest.score, latest.cost_usd, latest.settled_at,
      latest.cluster, coalesce(subjects.cost_usd, turns.cost_usd) as work_cost_usd
    from (${pairs}) as pairs cross join lateral (
      select * from (${last('passed')} union all ${last('failed')}) as both_outcomes
      order by settled_at desc, id desc limit ${performanceWindow}
    ) latest
    left join subjects on subjects.project_id = ${projectId} and subjects.kind = latest.subject_kind and subjects.id = latest.subject_id
    left join turns on turns.project_id = ${projectId} and latest.subject_kind = 'turn' and turns.id = latest.subject_id
      and turns.origin <> 'experiment'
    order by 1, 2, latest.settled_at desc, latest.id desc`;
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.verifier, row.model, row.tier]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return [...groups.values()]
    .map(summarise)
    .toSorted((a, b) => b.lastAt.getTime() - a.lastAt.getTime());
}

/** @param rows of one model, newest first, at least one */
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
    verifier: newest.verifier,
    tier: tier.success ? tier.data : null,
    passRate: rate(
      outcomes.filter((outcome) => outcome === 'passed').length,
      outcomes.length,
      itemWeight(
        clusterSums(
          rows.map(({ cluster, outcome }) => ({ cluster, counted: outcome === 'passed' })),
        ),
      ),
    ),
    averagePoints: points.length === 0 ? null : sum(points) / points.length,
    scored: points.length,
    consecutiveFailures: lastPass === -1 ? outcomes.length : lastPass,
    workCostUsd: costs.length === 0 ? null : sum(costs),
    judgingCostUsd: sum(rows.map(({ cost_usd: cost }) => cost)),
    outcomes,
    lastAt: new Date(newest.settled_at),
  };
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);
