import type { ProjectCtx } from './actor';
import { permissionsOf } from './roles';

/** Whether the actor may read items of the split `held_out`; the system may. */
export function mayReadHeldOut({ actor }: Pick<ProjectCtx, 'actor'>): boolean {
  if (actor.kind === 'system') return true;
  if (actor.kind === 'key') return actor.scopes.includes('held_out');
  return actor.role !== null && permissionsOf[actor.role].includes('held_out.read');
}
