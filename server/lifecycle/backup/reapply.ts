import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { type Ctx, invalid } from '../../platform';
import { carryOut } from '../deletion/carry-out';

/** A line of the list of deletions (deletions.jsonl in the data folder). */
const TombstoneLine = z.object({
  project_id: z.string(),
  deletion_id: z.string(),
  kind: z.enum(['project', 'session', 'trace', 'turn', 'subject', 'user']),
  key: z.string(),
  at: z.string(),
});
type TombstoneLine = z.infer<typeof TombstoneLine>;

const atOnce = 1_000;

/**
 * Repeats deletions made after the backup (S-112), from the list stored next to the data. Deletions
 * that the backup already contains find nothing. Returns the number of deletions.
 * @throws AssayError invalid_request naming the unreadable line
 */
export async function reapplyDeletions(ctx: Ctx, file: string): Promise<number> {
  let number = 0;
  let batch: TombstoneLine[] = [];
  for await (const text of createInterface({
    input: createReadStream(file),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    number++;
    if (text.trim() === '') continue;
    batch.push(readLine(text, number));
    if (batch.length >= atOnce) {
      await restoreTombstones(ctx, batch);
      batch = [];
    }
  }
  await restoreTombstones(ctx, batch);
  const open = await ctx.sql<
    { project_id: string; id: string }[]
  >`select project_id, id from deletions where state = 'pending' order by created_at`;
  for (const row of open) while (!(await carryOut(ctx, row, ctx.clock.monotonicMs() + 60_000)));
  return open.length;
}

function readLine(text: string, number: number): TombstoneLine {
  try {
    return TombstoneLine.parse(JSON.parse(text));
  } catch {
    throw invalid(`line ${number} of the list of deletions cannot be read`);
  }
}

/**
 * The list names all data that was found, including every turn and trace of a user, and no search
 * is needed. Each deletion is restored with its kind. A user's deletion is stored under the user's
 * hash, which no row contains: its tombstones determine the rows to delete.
 */
async function restoreTombstones({ sql }: Ctx, lines: readonly TombstoneLine[]): Promise<void> {
  if (lines.length === 0) return;
  const rows = JSON.stringify(lines);
  await sql`
    with given as materialized (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as l(project_id text, deletion_id text, kind text, key text, at timestamptz)
      where exists (select from projects p where p.id = l.project_id)
    ), named as (
      insert into tombstones (project_id, kind, key, deletion_id, created_at) select project_id, kind, key, deletion_id, min(at) from given
      group by 1, 2, 3, 4 order by 1, 2, 3 on conflict do nothing
    )
    insert into deletions (project_id, id, kind, target, created_by)
    select distinct on (project_id, deletion_id) project_id, deletion_id,
      case when kind = 'subject' then 'turn' else kind end, case when kind = 'project' then project_id else key end, 'restore'
    from given order by project_id, deletion_id, array_position(array['project', 'session', 'user', 'trace', 'turn', 'subject'], kind)
    on conflict (project_id, id) do update set state = 'pending', fenced_at = null, done_at = null, cursor = '{}', leased_until = now()`;
}
