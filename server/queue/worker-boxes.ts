import type { Ctx } from '../platform';
import type { BoxState } from '../sandbox';

/** Whether any worker can run proof gates, by their own last words. */
export interface BoxReport {
  /** `ready` where one worker at least has a box; `unknown` where none has said anything lately. */
  readonly state: BoxState['state'];
  /** What is wrong and what to do about it, a sentence each; null when ready or unknown. */
  readonly reason: string | null;
  readonly fix: string | null;
  readonly checkedAt: Date | null;
}

/** A worker says so often what it found; its word is old after three times that. */
export const noteBoxEveryMs = 60_000;

/** Keeps a worker's word, and forgets those of workers that have been gone for a day. */
export async function noteBox({ sql, clock }: Pick<Ctx, 'sql' | 'clock'>, worker: string, box: BoxState): Promise<void> {
  const now = clock.now();
  const checkedAt = box.checkedAt?.toISOString() ?? null;
  await sql`
    with gone as (
      delete from worker_boxes where noted_at < ${now.toISOString()}::timestamptz - interval '1 day'
    )
    insert into worker_boxes (worker, state, reason, fix, checked_at, noted_at)
    values (${worker}, ${box.state}, ${box.reason}, ${box.fix}, ${checkedAt}::timestamptz, ${now.toISOString()}::timestamptz)
    on conflict (worker) do update set state = excluded.state, reason = excluded.reason, fix = excluded.fix,
      checked_at = excluded.checked_at, noted_at = excluded.noted_at`;
}

interface Row {
  state: BoxReport['state'];
  reason: string | null;
  fix: string | null;
  checked_at: string | null;
}

export async function getBoxReport({ sql, clock }: Pick<Ctx, 'sql' | 'clock'>): Promise<BoxReport> {
  const since = new Date(clock.now().getTime() - 3 * noteBoxEveryMs).toISOString();
  const [row] = await sql<Row[]>`
    select state, reason, fix, checked_at from worker_boxes where noted_at >= ${since}::timestamptz
    order by state = 'ready' desc, state = 'unknown', noted_at desc limit 1`;
  if (row === undefined) return { state: 'unknown', reason: null, fix: null, checkedAt: null };
  return { state: row.state, reason: row.reason, fix: row.fix, checkedAt: row.checked_at === null ? null : new Date(row.checked_at) };
}
