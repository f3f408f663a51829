import { type Ctx, isDeleted, notifyChanged } from '../platform';
import { type ClaimedWork, maxAttempts } from './claim';

/**
 * Returns work after a failed attempt: retried after 1, 2, 4 … s, quarantined with the reason after
 * `maxAttempts`. Does nothing if another worker has claimed it since.
 */
export async function failWork(
  ctx: Pick<Ctx, 'sql'>,
  owner: string,
  work: ClaimedWork,
  reason: string,
): Promise<void> {
  const text = reason.replaceAll('\u0000', '').toWellFormed().slice(0, 1000);
  await ctx.sql`
    with given as (
      update work set owner = null, reason = ${text},
        state = case when attempts >= ${maxAttempts} then 'quarantined' else 'waiting' end,
        due_at = now() + least(60, power(2, attempts - 1)) * interval '1 second'
      where project_id = ${work.projectId} and id = ${work.id} and owner = ${owner} and fence = ${work.fence}
      returning project_id, id, fence
    )
    insert into work_attempts (project_id, work_id, attempt, worker, "end", reason)
    select project_id, id, fence, ${owner}, 'failed', ${text} from given
    on conflict do nothing`;
  notifyChanged(ctx, work.projectId, 'work');
}

/**
 * Returns claimed work that was not started, as at shutdown: ready at once, the attempt not
 * counted.
 */
export async function returnWork(
  ctx: Pick<Ctx, 'sql'>,
  owner: string,
  claimed: readonly ClaimedWork[],
): Promise<void> {
  const keys = JSON.stringify(
    claimed.map((work) => ({ p: work.projectId, id: work.id, fence: work.fence })),
  );
  await ctx.sql`
    update work w set owner = null, attempts = w.attempts - 1, due_at = now()
    from jsonb_to_recordset(${keys}::text::jsonb) as k(p text, id text, fence bigint)
    where w.project_id = k.p and w.id = k.id and w.fence = k.fence and w.owner = ${owner}`;
}

/**
 * Deletes claimed work of an outdated revision, together with work that waits for its verdict, and
 * records this in the rules' decisions.
 */
export async function dropWork(
  ctx: Pick<Ctx, 'sql'>,
  owner: string,
  work: ClaimedWork,
): Promise<void> {
  await ctx.sql`
    with dropped as (
      delete from work where project_id = ${work.projectId} and id = ${work.id} and owner = ${owner} and fence = ${work.fence}
      returning project_id, subject_id, revision, rule
    ), held as (
      delete from work w using dropped d
      where w.project_id = d.project_id and w.subject_id = d.subject_id and w.revision = d.revision and w.state = 'held'
      returning w.project_id, w.subject_id, w.revision, w.rule
    )
    update decisions d set state = 'expired', reason = 'the subject has a newer revision'
    from (select * from dropped union all select * from held) as ended
    where d.project_id = ended.project_id and d.subject_id = ended.subject_id and d.revision = ended.revision and d.rule = ended.rule`;
}

/**
 * Records a verdict that came too late: another worker owns the work or has finished it (R-17).
 * Nothing is recorded for deleted work.
 */
export async function recordRefused(
  ctx: Pick<Ctx, 'sql'>,
  owner: string,
  work: ClaimedWork,
): Promise<void> {
  await ctx.sql`
    insert into work_attempts (project_id, work_id, attempt, worker, "end", reason)
    select ${work.projectId}, ${work.id}, ${-work.fence}, ${owner}, 'refused', 'its lease had ended: the verdict of a later claim is kept'
    where not ${isDeleted(ctx, ctx.sql`${work.projectId}`, ctx.sql`('verdict', ${work.id})`)}
    on conflict do nothing`;
}
