import type { Ctx } from '../../platform';
import { loadTurns, type StoredTurn, turnKey } from './get-turn';

export interface TurnsWithin {
  readonly projectId: string;
  readonly within: 'trace' | 'session';
  readonly id: string;
}

/** For a longer session only its last turns are loaded. */
export const turnsWithinMax = 1_000;

/** The turns of a trace or session that are not superseded, in the order of the conversation. */
export async function loadTurnsWithin(
  { sql }: Pick<Ctx, 'sql'>,
  { projectId, within, id }: TurnsWithin,
): Promise<StoredTurn[]> {
  const column = within === 'trace' ? sql`trace_id` : sql`session_id`;
  const rows = await sql<{ id: string }[]>`
    select id from turns where project_id = ${projectId} and ${column} = ${id} and not superseded and origin <> 'experiment'
    order by coalesce(started_at, received_at) desc, length(id) desc, id desc
    limit ${turnsWithinMax}`;
  const keys = rows.map((row) => ({ projectId, subjectId: row.id })).reverse();
  const turns = await loadTurns({ sql }, keys);
  return keys.flatMap(({ subjectId }) => turns.get(turnKey(projectId, subjectId))?.() ?? []);
}
