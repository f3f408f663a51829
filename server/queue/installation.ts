import type { Ctx } from '../platform';
import { noteBoxEveryMs } from './worker-boxes';

/**
 * What the whole installation still has to do, and who is there to do it; of no project, for the
 * operator.
 */
export interface Installation {
  /**
   * Verdicts owed, by lane and by whether a person set them going again first (`quarantined`).
   * `lateS`: since when the oldest is due that no one holds, seconds.
   */
  readonly work: readonly {
    readonly lane: 'fast' | 'slow';
    readonly state: 'waiting' | 'quarantined';
    readonly rows: number;
    readonly lateS: number;
  }[];
  /** Imports, backfills, trials and the like. */
  readonly jobs: readonly { readonly state: 'waiting' | 'running'; readonly rows: number }[];
  /** Workers that gave a sign of life within three of its intervals, by the state of their box. */
  readonly workers: readonly {
    readonly box: 'ready' | 'missing' | 'failing' | 'unknown';
    readonly rows: number;
  }[];
}

/** Costs what waits, and nothing of what is done. */
export async function readInstallation({
  sql,
  clock,
}: Pick<Ctx, 'sql' | 'clock'>): Promise<Installation> {
  const since = new Date(clock.now().getTime() - 3 * noteBoxEveryMs).toISOString();
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
