import type { Fragment, Sql } from 'postgres';
import type { ProjectCtx } from './actor';
import { permissionsOf } from './roles';

/** Whether the actor may read items of the split `held_out`; the system may. */
export function mayReadHeldOut({ actor }: Pick<ProjectCtx, 'actor'>): boolean {
  if (actor.kind === 'system') return true;
  if (actor.kind === 'key') return actor.scopes.includes('held_out');
  return actor.role !== null && permissionsOf[actor.role].includes('held_out.read');
}

/**
 * Whether an output of the experiment `e` shows an item that is held out, or has been held out
 * since.
 * @param turn the id of the output, with its table: that of the experiment, `-` and the ordinal
 */
export const showsHeldOut = (
  sql: Sql,
  turn: Fragment,
): Fragment => sql`(e.split = 'held_out' or exists (
  select from experiment_rows r
  join dataset_items h on h.project_id = r.project_id and h.dataset_id = e.dataset_id and h.id = r.item_id
    and h.from_version > e.dataset_version and h.split = 'held_out'
  where r.project_id = e.project_id and r.experiment_id = e.id
    and r.ordinal = substring(${turn} from '-([0-9]{1,9})$')::int))`;

/**
 * Whether the actor may read an experiment's output for a turn's item.
 * @param experiment its id; null for live work
 * @param turn the id of its output
 */
export function isReadableRun(ctx: ProjectCtx, experiment: Fragment, turn: Fragment): Fragment {
  const { sql, projectId } = ctx;
  return mayReadHeldOut(ctx)
    ? sql`true`
    : sql`(${experiment} is null or not exists (
        select from experiments e where e.project_id = ${projectId} and e.id = ${experiment}
          and ${showsHeldOut(sql, turn)}))`;
}

/** The same for rows of `turns`, as `t`. */
export function isReadableTurn(ctx: ProjectCtx): Fragment {
  const { sql, projectId } = ctx;
  return mayReadHeldOut(ctx)
    ? sql`true`
    : sql`(t.origin <> 'experiment' or not exists (
        select from experiments e where e.project_id = ${projectId} and starts_with(t.id, e.id || '-')
          and ${showsHeldOut(sql, sql`t.id`)}))`;
}
