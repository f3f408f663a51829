import { identityOf } from '../../ingest';
import { anywhere } from '../../platform';
import type { SearchIn } from './find-by-key';
import type { SearchHit, HitKind } from './hit';

/** Only models with a verdict in this many days are searched. */
export const modelDays = 90;

const hitsMax = 5;

interface NameRow {
  kind: HitKind;
  id: string;
  name: string | null;
}

/**
 * Models, rules and people with the text in their names. There are few of each; the models come
 * from the daily counts.
 */
export async function findByName({ sql, projectId }: SearchIn, q: string): Promise<SearchHit[]> {
  const part = anywhere(q);
  const found = await Promise.all([
    sql<NameRow[]>`
      select 'model' as kind, model as id, null as name from (
        select distinct ${identityOf({ sql }, sql`r.project_id`, sql`r.model`)} as model from verdict_rollups r
        where project_id = ${projectId} and day > (now() at time zone 'UTC')::date - ${modelDays}::int and model <> ''
      ) known where model ilike ${part} order by model limit ${hitsMax}`,
    sql<NameRow[]>`
      select 'rule' as kind, name as id, null as name from rules where project_id = ${projectId} and name ilike ${part}
      order by name limit ${hitsMax}`,
    sql<NameRow[]>`
      select 'person' as kind, u.email as id, u.name from members m join users u on u.id = m.user_id
      where m.project_id = ${projectId} and (u.name ilike ${part} or u.email ilike ${part}) order by u.name limit ${hitsMax}`,
  ]);
  return found.flat().map((row) => ({ ...row, outcome: null, at: null, opens: null }));
}
