import { mayReadHeldOut, type ProjectCtx } from '../../access';
import { isHeldOut } from './stored-item';

/** Where a turn is used in datasets, and the experiment that created it. */
interface TurnLinks {
  /** Items of the latest versions that were created from the turn, by the name of their dataset. */
  readonly items: readonly {
    readonly id: string;
    readonly datasetSlug: string;
    readonly datasetName: string;
  }[];
  /** Null for a turn that no experiment created. */
  readonly experiment: TurnExperiment | null;
}

interface TurnExperiment {
  readonly id: string;
  readonly name: string;
  /** The item that it answers; null if it no longer exists, or the caller may not read it. */
  readonly item: { readonly id: string; readonly datasetSlug: string } | null;
}

const itemsMax = 50;

/** Items of the held-out split are omitted for those who may not read it. */
export async function findTurnLinks(ctx: ProjectCtx, turnId: string): Promise<TurnLinks> {
  const { sql, projectId } = ctx;
  const readable = mayReadHeldOut(ctx) ? sql`true` : sql`not ${isHeldOut(ctx)}`;
  const [items, [made]] = await Promise.all([
    sql<{ id: string; slug: string; name: string }[]>`
      select i.id, d.slug, d.name from dataset_items i
      join datasets d on d.project_id = i.project_id and d.id = i.dataset_id
      where i.project_id = ${projectId} and i.turn_id = ${turnId} and i.to_version is null
        and ${readable}
      order by d.name, d.slug, i.id limit ${itemsMax}`,
    sql<{ id: string; name: string; item_id: string; slug: string | null }[]>`
      select e.id, e.name, r.item_id, d.slug from experiment_rows r
      join experiments e on e.project_id = r.project_id and e.id = r.experiment_id
      left join datasets d on d.project_id = e.project_id and d.id = e.dataset_id and exists (
        select from dataset_items i where i.project_id = e.project_id
          and i.dataset_id = e.dataset_id and i.id = r.item_id and ${readable})
      where r.project_id = ${projectId} and r.turn_id = ${turnId} limit 1`,
  ]);
  return {
    items: items.map(({ id, slug, name }) => ({ id, datasetSlug: slug, datasetName: name })),
    experiment:
      made === undefined
        ? null
        : {
            id: made.id,
            name: made.name,
            item: made.slug === null ? null : { id: made.item_id, datasetSlug: made.slug },
          },
  };
}
