import type { ProjectCtx } from '../../access';
import { groupsMax } from '../../stats';
import { joinByHash } from './join-by-hash';
import { scoredCells, type SliceBy, slicedItems } from './scored-cells';

/**
 * One group of paired items of the baseline and another run (one item each up to `groupsMax` items,
 * else random groups of equal size). An item's value is the mean of its repetitions; differences
 * are of the other run minus the baseline.
 */
export interface PairGroup {
  readonly slice: string | null;
  readonly verifier: string;
  readonly experiment: string;
  /** Items decided in both runs; the sums of their differences and of their squares. */
  readonly n: number;
  readonly sum: number;
  readonly squares: number;
  readonly improved: number;
  readonly regressed: number;
  /** Sums over items of the parts passed in both runs, only in the other, only in the baseline. */
  readonly both: number;
  readonly only_second: number;
  readonly only_first: number;
  /** Items with a score in both runs, and the sum of the differences. */
  readonly score_n: number;
  readonly score_sum: number;
}

/** Groups are dealt by the hash of the item's id, so that the same data yield the same answer. */
export function readPairs(
  ctx: ProjectCtx,
  ids: readonly string[],
  { verifier, slice }: { readonly verifier?: string | undefined; readonly slice?: SliceBy } = {},
): Promise<readonly PairGroup[]> {
  const [baseline = ''] = ids;
  return joinByHash(
    ctx,
    (tx) => tx<PairGroup[]>`
    with ${scoredCells(ctx, ids, verifier)}, ${slicedItems(ctx, ids, slice)},
    pairs as (
      select s.value as slice, b.verifier, o.experiment_id as experiment, b.item_id,
        b.k::float8 / nullif(b.n, 0) as first, o.k::float8 / nullif(o.n, 0) as second,
        o.ss / nullif(o.sn, 0) - b.ss / nullif(b.sn, 0) as score
      from cells b join cells o on o.verifier = b.verifier and o.item_id = b.item_id
        and o.experiment_id <> ${baseline}
      join sliced s on s.item_id = b.item_id
      where b.experiment_id = ${baseline}
    ),
    placed as (
      select *, second - first as difference, row_number() over (
        partition by slice, verifier, experiment order by md5(item_id), item_id
      ) % ${groupsMax} as place
      from pairs where second - first is not null or score is not null
    )
    select slice, verifier, experiment, count(difference)::int as n,
      coalesce(sum(difference order by item_id), 0) as sum,
      coalesce(sum(difference * difference order by item_id), 0) as squares,
      count(*) filter (where difference > 0)::int as improved,
      count(*) filter (where difference < 0)::int as regressed,
      coalesce(sum(least(first, second) order by item_id) filter (where difference is not null), 0) as both,
      coalesce(sum(greatest(difference, 0) order by item_id) filter (where difference is not null), 0) as only_second,
      coalesce(sum(greatest(-difference, 0) order by item_id) filter (where difference is not null), 0) as only_first,
      count(score)::int as score_n, coalesce(sum(score order by item_id), 0) as score_sum
    from placed group by slice, verifier, experiment, place
    order by slice, verifier, experiment, place`,
  );
}

export interface ItemCount {
  readonly slice: string | null;
  readonly experiment: string;
  readonly items: number;
}

/** The number of items of the baseline or the other run, by slice. */
export function countItems(
  ctx: ProjectCtx,
  ids: readonly string[],
  slice?: SliceBy,
): Promise<readonly ItemCount[]> {
  const { sql, projectId } = ctx;
  const [baseline = '', ...others] = ids;
  return joinByHash(
    ctx,
    (tx) => tx<ItemCount[]>`
    with ${slicedItems(ctx, ids, slice)}
    select s.value as slice, o.id as experiment, count(distinct r.item_id)::int as items
    from (select id from experiments where project_id = ${projectId} and id in ${sql(others)}) as o
    join experiment_rows r on r.project_id = ${projectId} and r.experiment_id in (${baseline}, o.id)
    join sliced s on s.item_id = r.item_id
    group by 1, 2 order by 1, 2`,
  );
}

export interface ResourceGroup {
  readonly experiment: string;
  readonly cost_n: number;
  readonly cost_sum: number;
  readonly latency_n: number;
  readonly latency_sum: number;
}

/** The paired differences of the cost and latency of answers, by item. */
export function readResources(
  ctx: ProjectCtx,
  ids: readonly string[],
): Promise<readonly ResourceGroup[]> {
  const { sql, projectId } = ctx;
  const [baseline = ''] = ids;
  return joinByHash(
    ctx,
    (tx) => tx<ResourceGroup[]>`
    with used as materialized (
      select experiment_id, item_id, avg(cost_usd order by ordinal) as cost,
        avg(latency_ms order by ordinal) as latency
      from experiment_rows
      where project_id = ${projectId} and experiment_id in ${sql([...ids])} and state = 'answered'
      group by 1, 2
    ),
    placed as (
      select o.experiment_id as experiment, o.item_id, o.cost - b.cost as cost,
        o.latency - b.latency as latency,
        row_number() over (partition by o.experiment_id order by md5(o.item_id), o.item_id) % ${groupsMax} as place
      from used b join used o on o.item_id = b.item_id and o.experiment_id <> ${baseline}
      where b.experiment_id = ${baseline}
    )
    select experiment, count(cost)::int as cost_n, coalesce(sum(cost order by item_id), 0) as cost_sum,
      count(latency)::int as latency_n, coalesce(sum(latency order by item_id), 0) as latency_sum
    from placed group by experiment, place order by experiment, place`,
  );
}
