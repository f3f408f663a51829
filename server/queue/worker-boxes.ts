import type { Ctx } from '../platform';
import type { BoxState } from '../sandbox';

/** Whether any worker can run proof gates, according to their latest reports. */
export interface BoxReport {
  /** `ready`: at least one worker has a sandbox; `unknown`: no worker has reported lately. */
  readonly state: BoxState['state'];
  /** The problem and its fix, a sentence each; null when ready or unknown. */
  readonly reason: string | null;
  readonly fix: string | null;
  /** Guarantees that its self-test proved beyond those of every sandbox; absent unless ready. */
  readonly level?: BoxReportLevel;
  readonly checkedAt: Date | null;
}

export interface BoxReportLevel {
  readonly memory: 'cgroup' | 'watchdog';
  readonly users: 'per_box' | 'one';
  /** Sandboxes that this worker runs at the same time. */
  readonly at_once: number;
}

/** Interval of a worker's reports; a report expires after three intervals. */
export const boxReportEveryMs = 60_000;

/** Stores a worker's report, and deletes those of workers silent for a day. */
export async function storeBoxReport(
  { sql, clock }: Pick<Ctx, 'sql' | 'clock'>,
  worker: string,
  box: BoxState,
): Promise<void> {
  const now = clock.now();
  const checkedAt = box.checkedAt?.toISOString() ?? null;
  const { level = null } = box;
  const shown: BoxReportLevel | null =
    level === null ? null : { memory: level.memory, users: level.users, at_once: level.atOnce };
  await sql`
    with gone as (
      delete from worker_boxes where noted_at < ${now.toISOString()}::timestamptz - interval '1 day'
    )
    insert into worker_boxes (worker, state, reason, fix, level, checked_at, noted_at)
    values (${worker}, ${box.state}, ${box.reason}, ${box.fix}, ${shown === null ? null : JSON.stringify(shown)}::text::jsonb,
      ${checkedAt}::timestamptz, ${now.toISOString()}::timestamptz)
    on conflict (worker) do update set state = excluded.state, reason = excluded.reason, fix = excluded.fix,
      level = excluded.level, checked_at = excluded.checked_at, noted_at = excluded.noted_at`;
}

interface Row {
  state: BoxReport['state'];
  reason: string | null;
  fix: string | null;
  level: BoxReportLevel | null;
  checked_at: string | null;
}

export async function getBoxReport({ sql, clock }: Pick<Ctx, 'sql' | 'clock'>): Promise<BoxReport> {
  const since = new Date(clock.now().getTime() - 3 * boxReportEveryMs).toISOString();
  const [row] = await sql<Row[]>`
    select state, reason, fix, level, checked_at from worker_boxes where noted_at >= ${since}::timestamptz
    order by state = 'ready' desc, state = 'unknown', noted_at desc limit 1`;
  if (row === undefined) return { state: 'unknown', reason: null, fix: null, checkedAt: null };
  return {
    state: row.state,
    reason: row.reason,
    fix: row.fix,
    ...(row.level !== null && { level: row.level }),
    checkedAt: row.checked_at === null ? null : new Date(row.checked_at),
  };
}
