import type { ProjectCtx } from '../access';
import type { Ctx } from '../platform';

export interface ClaimedCheck {
  readonly project: { readonly id: string; readonly slug: string };
  readonly fence: number;
}

export interface CheckTimes {
  /** Interval between checks of a project, by any process. */
  readonly everyMs: number;
  /** Another process takes over after this time without a check by a worker. */
  readonly absentMs: number;
  /** A check that has not ended after this time is considered aborted. */
  readonly leaseMs: number;
}

export const checkTimes: CheckTimes = { everyMs: 60_000, absentMs: 120_000, leaseMs: 300_000 };

/**
 * Claims the project that has waited longest for a check. Only one process gets it, and no other
 * process does during the check. A worker takes over from a substitute immediately; a substitute
 * waits until no worker has checked for a while. `lost`: another process was faster.
 */
export async function claimCheck(
  ctx: Pick<Ctx, 'sql'>,
  isSubstitute: boolean,
  times: CheckTimes = checkTimes,
): Promise<ClaimedCheck | 'lost' | null> {
  const { sql } = ctx;
  const isFree = sql`(l.ended_fence = l.fence or l.looked_at < now() - ${times.leaseMs}::int * interval '1 ms')`;
  const mayClaim = isSubstitute
    ? sql`coalesce(l.looked_at, p.created_at) < now() - case when l.stand_in then ${times.everyMs}::int else ${times.absentMs}::int end * interval '1 ms'`
    : sql`(l.project_id is null or l.stand_in or (l.looked_at < now() - ${times.everyMs}::int * interval '1 ms' and ${isFree}))`;
  const mayStillClaim = isSubstitute
    ? sql`l.looked_at < now() - case when l.stand_in then ${times.everyMs}::int else ${times.absentMs}::int end * interval '1 ms'`
    : sql`(l.stand_in or (l.looked_at < now() - ${times.everyMs}::int * interval '1 ms' and ${isFree}))`;
  const [row] = await sql<{ id: string; slug: string; fence: string | null }[]>`
    with due as (
      select p.id, p.slug from projects p left join alert_looks l on l.project_id = p.id where ${mayClaim}
      order by l.looked_at nulls first, p.id limit 1
    ), taken as (
      insert into alert_looks as l (project_id, looked_at, stand_in, fence) select id, now(), ${isSubstitute}, 1 from due
      on conflict (project_id) do update set looked_at = now(), stand_in = excluded.stand_in, fence = l.fence + 1 where ${mayStillClaim}
      returning project_id, fence
    )
    select due.id, due.slug, taken.fence from due left join taken on taken.project_id = due.id`;
  if (row === undefined) return null;
  return row.fence === null
    ? 'lost'
    : { project: { id: row.id, slug: row.slug }, fence: Number(row.fence) };
}

/**
 * Records the end of a check, regardless of its result. The next check begins after the interval.
 */
export async function endCheck(
  { sql }: Pick<Ctx, 'sql'>,
  { project, fence }: { readonly project: { readonly id: string }; readonly fence: number },
): Promise<void> {
  await sql`update alert_looks set ended_fence = ${fence} where project_id = ${project.id} and fence = ${fence}`;
}

/** Claims a check that a person requested, even during a running check. */
export async function claimCheckNow({ sql, projectId }: ProjectCtx): Promise<number> {
  const [row] = await sql<{ fence: string }[]>`
    insert into alert_looks as l (project_id, looked_at, stand_in, fence) values (${projectId}, now(), false, 1)
    on conflict (project_id) do update set looked_at = now(), fence = l.fence + 1 returning fence`;
  if (row === undefined) throw new Error('a check was not claimed');
  return Number(row.fence);
}
