import type { Fragment } from 'postgres';
import type { ProjectCtx } from './actor';
import { permissionsOf } from './roles';

/** Whether the actor may read items of the split `held_out`; the system may. */
export function mayReadHeldOut({ actor }: Pick<ProjectCtx, 'actor'>): boolean {
  if (actor.kind === 'system') return true;
  if (actor.kind === 'key') return actor.scopes.includes('held_out');
  return actor.role !== null && permissionsOf[actor.role].includes('held_out.read');
}

/**
 * Whether the actor may read what an experiment made: an experiment on the split `held_out` shows
 * the items of the split.
 * @param experiment its id; null for live work
 */
export function isReadableRun(ctx: ProjectCtx, experiment: Fragment): Fragment {
  const { sql, projectId } = ctx;
  return mayReadHeldOut(ctx)
    ? sql`true`
    : sql`(${experiment} is null or not exists (
        select from experiments e where e.project_id = ${projectId} and e.id = ${experiment}
          and e.split = 'held_out'))`;
}

/**
 * The same for rows of `turns`, as `t`. The id of a turn that an experiment made begins with that
 * of the experiment.
 */
export function isReadableTurn(ctx: ProjectCtx): Fragment {
  const { sql, projectId } = ctx;
  return mayReadHeldOut(ctx)
    ? sql`true`
    : sql`(t.origin <> 'experiment' or not exists (
        select from experiments e where e.project_id = ${projectId} and e.split = 'held_out'
          and starts_with(t.id, e.id || '-')))`;
}
