import type { Outcome } from '../../domain';
import { anywhere } from '../../platform';
import { asHit, type SearchIn } from './find-by-key';
import type { SearchHit } from './hit';

/**
 * The number of verdicts whose text is searched. Their rows are scanned, so the limit keeps the
 * cost independent of the total number of verdicts.
 */
export const newestVerdicts = 20_000;

const hitsMax = 8;

interface TextRow {
  id: string;
  name: string;
  outcome: Outcome;
  at: string;
}

/**
 * The newest verdicts with the text in their `excerpt`, about the first 200 characters of the
 * subject.
 */
export async function findInText({ sql, projectId }: SearchIn, q: string): Promise<SearchHit[]> {
  const rows = await sql<TextRow[]>`
    select id, left(excerpt, 120) as name, outcome, settled_at as at from (
      select id, excerpt, outcome, settled_at from verdicts where project_id = ${projectId} and experiment_id is null
      order by settled_at desc, id desc limit ${newestVerdicts}
    ) newest where excerpt ilike ${anywhere(q)} order by settled_at desc, id desc limit ${hitsMax}`;
  return rows.map((row) => asHit({ ...row, kind: 'verdict', opens: null }));
}
