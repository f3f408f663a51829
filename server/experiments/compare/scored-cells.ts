import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { readVerifierName } from '../../domain';

/** The attribute of items by which a comparison is sliced. */
export type SliceBy = 'tag' | 'split';

/** Slices of an answer: those with the most items. */
export const slicesMax = 50;

/**
 * Common table expressions, to follow `with`. `latest`: the newest verdict of each turn and
 * verifier that was not superseded. `cells`, by experiment, item and verifier: n decided verdicts,
 * k of them passed, and the sum `ss` of `sn` scores. Only `passed` and `failed` are decided;
 * inconclusive and skipped verdicts have no score either.
 */
export function scoredCells(
  { sql, projectId }: ProjectCtx,
  ids: readonly string[],
  verifier?: string,
): Fragment {
  const slug = verifier === undefined ? null : readVerifierName(verifier).slug;
  return sql`
    latest as (
      select distinct on (v.turn_id, v.verifier_slug)
        v.id, v.experiment_id, v.turn_id, v.verifier_slug, v.outcome, v.score
      from verdicts v
      where v.project_id = ${projectId} and v.experiment_id in ${sql([...ids])} and not v.superseded
        and v.turn_id is not null ${slug === null ? sql`` : sql`and v.verifier_slug = ${slug}`}
      order by v.turn_id, v.verifier_slug, v.settled_at desc, v.id desc
    ),
    cells as materialized (
      select r.experiment_id, r.item_id, l.verifier_slug as verifier, count(*)::int as verdicts,
        count(*) filter (where l.outcome = 'inconclusive')::int as inconclusive,
        count(*) filter (where l.outcome in ('passed', 'failed'))::int as n,
        count(*) filter (where l.outcome = 'passed')::int as k,
        count(l.score) filter (where l.outcome not in ('inconclusive', 'skipped'))::int as sn,
        sum(l.score order by r.ordinal) filter (where l.outcome not in ('inconclusive', 'skipped')) as ss
      from latest l join experiment_rows r on r.project_id = ${projectId}
        and r.experiment_id = l.experiment_id and r.turn_id = l.turn_id
      group by 1, 2, 3
    )`;
}

/**
 * The expression `sliced`: pairs of an item and the value of a slice, by the dataset versions of the
 * experiments. Without slices, every item with the value null.
 */
export function slicedItems(
  { sql, projectId }: ProjectCtx,
  ids: readonly string[],
  slice?: SliceBy,
): Fragment {
  if (slice === undefined)
    return sql`
      sliced as (
        select distinct item_id, null::text as value from experiment_rows
        where project_id = ${projectId} and experiment_id in ${sql([...ids])}
      )`;
  const values = slice === 'tag' ? sql`unnest(i.tags)` : sql`(values (i.split))`;
  return sql`
    in_slices as (
      select distinct i.id as item_id, s.value
      from experiments e join dataset_items i on i.project_id = ${projectId}
        and i.dataset_id = e.dataset_id and i.from_version <= e.dataset_version
        and (i.to_version is null or i.to_version > e.dataset_version)
      cross join lateral ${values} as s(value)
      where e.project_id = ${projectId} and e.id in ${sql([...ids])} and s.value is not null
    ),
    sliced as (
      select item_id, value from in_slices where value in (
        select value from in_slices group by 1 order by count(*) desc, 1 limit ${slicesMax}
      )
    )`;
}
