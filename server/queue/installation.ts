import type { Ctx } from '../platform';
import { boxReportEveryMs } from './worker-boxes';

/**
 * Unfinished work and live workers of the whole installation, across projects, for the operator.
 */
export interface Installation {
  /**
   * Pending verdicts by lane, and quarantined ones, which wait for a person to replay them.
   * `lateS`: seconds since the oldest unclaimed one became ready.
   */
  readonly work: readonly {
    readonly lane: 'fast' | 'slow';
    readonly state: 'waiting' | 'quarantined';
    readonly rows: number;
    readonly lateS: number;
  }[];
  /** Imports, backfills, trials and similar jobs. */
  readonly jobs: readonly { readonly state: 'waiting' | 'running'; readonly rows: number }[];
  /** Workers with a heartbeat within the last three intervals, by the state of their sandbox. */
  readonly workers: readonly {
    readonly box: 'ready' | 'missing' | 'failing' | 'unknown';
    readonly rows: number;
  }[];
}

/** The cost grows with the waiting work only, not with completed work. */
export async function readInstallation({
  sql,
  clock,
}: Pick<Ctx, 'sql' | 'clock'>): Promise<Installation> {
  const since = new Date(clock.now().getTime() - 3 * boxReportEveryMs).toISOString();
  const [work, jobs, workers] = await Promise.all([
    sql<Installation['work'][number][]>`
      select lane, state, count(*)::int as rows,
        coalesce(extract(epoch from now() - min(due_at) filter (where state = 'waiting' and owner is null and due_at <= now())), 0)::float8 as "lateS"
      from work group by lane, state`,
    sql<Installation['jobs'][number][]>`
      select state, count(*)::int as rows from jobs where state in ('waiting', 'running') group by state`,
    sql<Installation['workers'][number][]>`
      select state as box, count(*)::int as rows from worker_boxes where noted_at >= ${since}::timestamptz group by state`,
  ]);
  return { work, jobs, workers };
}
