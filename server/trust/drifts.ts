import type { ProjectCtx } from '../access';
import { clusterSums, designEffect, minSampleSize, wilson } from '../domain';
import { clusterOfItem } from '../measures';
import { mcNemarOfClusters, type Pairing } from '../stats';

/** Differences between two successive runs of one anchor set, over items that both decided. */
export interface RunPair {
  readonly both: number;
  /** Items that only the later run got right, and items that only the earlier run got right. */
  readonly better: number;
  readonly worse: number;
}

/**
 * Limit of the share of flips among the frozen items, compared with its lower bound. A judge with
 * more flips is a different judge, however often it is right.
 */
const flipLimit = 0.1;

/**
 * Whether a judge changed between two runs (calibration.md 5.9): it became worse by McNemar's mid-p
 * under 0.05, or more than a tenth of at least 20 items flipped, by the lower bound of Wilson's
 * interval. The second test is needed because agreement may stay equal while many verdicts flip.
 * Pure.
 */
export function isDrift(pairs: readonly Pairing[]): boolean {
  const { better, worse, midP } = mcNemarOfClusters(pairs);
  if (worse > better && midP !== null && midP < 0.05) return true;
  if (pairs.length < minSampleSize) return false;
  const weight =
    1 /
    designEffect(clusterSums(pairs.map(({ cluster, side }) => ({ cluster, counted: side !== 0 }))));
  return wilson((better + worse) * weight, pairs.length * weight).low > flipLimit;
}

/** The latest drift of a verifier. */
export interface FoundDrift extends RunPair {
  readonly slug: string;
  readonly set: string;
  /** When the later run began: earlier verdicts are not by its current judge. */
  readonly at: Date;
}

/** Maximum number of compared pairs of runs per verifier, newest first. */
const pairsMax = 200;

/** The latest drift of each verifier, in active sets. */
export async function readDrifts({ sql, projectId }: ProjectCtx): Promise<FoundDrift[]> {
  const rows = await sql<
    {
      slug: string;
      name: string;
      started_at: string;
      clusters: readonly (readonly [number, number, number])[];
    }[]
  >`
    with runs as (
      select s.verifier_slug as slug, s.id as set_id, s.name, r.id, r.started_at,
        lag(r.id) over (partition by s.id order by r.started_at, r.id) as before_id
      from anchor_sets s join anchor_runs r on r.project_id = s.project_id and r.set_id = s.id
      where s.project_id = ${projectId} and s.retired_at is null and r.ended_at is not null
    ), items as materialized (
      select i.set_id, i.ordinal, i.good, ${clusterOfItem(sql)} as cluster from anchor_items i
      where i.project_id = ${projectId} and i.set_id in (select set_id from runs)
    ), pairs as (
      select *, row_number() over (partition by slug order by started_at desc, id desc) as place from runs where before_id is not null
    )
    select p.slug, p.name, p.started_at, c.clusters from pairs p cross join lateral (
      select jsonb_agg(jsonb_build_array(items, better, worse)) as clusters, sum(better + worse) as flips from (
        select count(*) as items,
          count(*) filter (where (a.outcome = 'passed') = i.good and (b.outcome = 'passed') <> i.good) as better,
          count(*) filter (where (a.outcome = 'passed') <> i.good and (b.outcome = 'passed') = i.good) as worse
        from items i
        join anchor_results b on b.project_id = ${projectId} and b.run_id = p.before_id and b.ordinal = i.ordinal and b.outcome in ('passed', 'failed')
        join anchor_results a on a.project_id = ${projectId} and a.run_id = p.id and a.ordinal = i.ordinal and a.outcome in ('passed', 'failed')
        where i.set_id = p.set_id group by i.cluster
      ) as by_cluster
    ) as c
    where p.place <= ${pairsMax} and c.flips > 0 order by p.started_at desc, p.id desc`;
  const found = new Map<string, FoundDrift>();
  for (const { slug, name: set, started_at: at, clusters } of rows) {
    if (found.has(slug)) continue;
    const pairs = clusters.flatMap((counts, cluster) => pairsOf(String(cluster), counts));
    if (isDrift(pairs)) found.set(slug, { slug, set, at: new Date(at), ...sumOf(pairs) });
  }
  return [...found.values()];
}

function pairsOf(
  cluster: string,
  [items, better, worse]: readonly [number, number, number],
): Pairing[] {
  const times = (count: number, side: Pairing['side']): Pairing[] =>
    Array.from({ length: count }, () => ({ cluster, side }));
  return [...times(better, 1), ...times(worse, -1), ...times(items - better - worse, 0)];
}

function sumOf(pairs: readonly Pairing[]): RunPair {
  const count = (of: Pairing['side']): number => pairs.filter(({ side }) => side === of).length;
  return { both: pairs.length, better: count(1), worse: count(-1) };
}
