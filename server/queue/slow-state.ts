import type { Ctx } from '../platform';

/**
 * The state of the slow lane, derived from its rows, which also show when no worker claims them.
 */
export interface SlowLaneState {
  readonly backend: 'postgres' | 'redis';
  /**
   * `away`: a row has been ready for 10 s, no job is queued, and no worker has claimed a row; so no
   * worker runs, or none reaches the queue.
   */
  readonly state: 'ok' | 'away';
  /** Ready, and not claimed yet. */
  readonly waiting: number;
  /** Claimed by a worker. */
  readonly inHand: number;
  /** Not ready yet: its judge is down, or an attempt failed. */
  readonly later: number;
}

/** For one project, or for all if null. */
export async function getSlowLaneState(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  projectId: string | null,
): Promise<SlowLaneState> {
  const [row] = await ctx.sql<
    { waiting: number; in_hand: number; later: number; hinted: number; late: number }[]
  >`
    select count(*) filter (where owner is null and due_at <= now())::int as waiting,
      count(*) filter (where owner is not null)::int as in_hand,
      count(*) filter (where owner is null and due_at > now())::int as later,
      count(hinted_at)::int as hinted,
      count(*) filter (where owner is null and due_at <= now() - interval '10 seconds')::int as late
    from work where state = 'waiting' and lane = 'slow' and (${projectId}::text is null or project_id = ${projectId})`;
  const { waiting = 0, in_hand: inHand = 0, later = 0, hinted = 0, late = 0 } = row ?? {};
  return {
    backend: ctx.env.redisUrl === null ? 'postgres' : 'redis',
    state: late > 0 && hinted === 0 && inHand === 0 ? 'away' : 'ok',
    waiting,
    inHand,
    later,
  };
}

/**
 * Whether the state is `away`, as defined above, for the whole database. For readiness checks:
 * takes bounded time, regardless of the amount of waiting work.
 */
export async function isSlowLaneUnavailable(ctx: Pick<Ctx, 'sql'>): Promise<boolean> {
  const [row] = await ctx.sql<{ away: boolean }[]>`
    select not exists (select 1 from work where state = 'waiting' and owner is null and lane = 'slow' and hinted_at is not null)
      and not exists (select 1 from work where state = 'waiting' and owner is not null and lane = 'slow' and due_at > now())
      and exists (select 1 from work where state = 'waiting' and owner is null and lane = 'slow' and hinted_at is null
        and due_at <= now() - interval '10 seconds') as away`;
  return row?.away ?? false;
}
