import { enterProject } from '../../access';
import { liveChannel } from '../../domain';
import type { Ctx } from '../../platform';
import { fillReviewQueue, lateAfterMs } from './fill-review-queue';

const filler = { kind: 'system', id: 'review-desk', label: 'review queue' } as const;

/**
 * Runs one step for each project with new rows, or with rows that are old enough for their second
 * read. Takes each project in turn, so that none waits for the backlog of another. A failure is
 * logged and retried on the next call.
 * @returns the number of verdicts read; 0 when all queues are filled
 */
export async function fillReviewQueues(ctx: Ctx, signal?: AbortSignal): Promise<number> {
  let read = 0;
  for (const project of await listBehind(ctx)) {
    if (signal?.aborted === true) return read;
    try {
      read += (await fillReviewQueue(enterProject(ctx, project, filler))) ?? 0;
    } catch (error) {
      ctx.log.warn({ err: error, project: project.id }, 'review queue: not filled');
    }
  }
  return read;
}

/** Calls `onNews` whenever a verdict settles or a label is appended, until `unlisten`. */
export function listenForReviews(
  ctx: Pick<Ctx, 'sql'>,
  onNews: () => void,
): Promise<{ unlisten(): Promise<void> }> {
  return ctx.sql.listen(liveChannel, onNews);
}

/**
 * Projects with verdicts or labels that were not read, or not read twice, found with a few index
 * probes per project. A simulated project waits until no verdict is pending: its verdicts do not
 * settle in order of time, and each would make the queue read everything after it again.
 */
async function listBehind(ctx: Ctx): Promise<{ id: string; slug: string; simulated: boolean }[]> {
  return ctx.sql<{ id: string; slug: string; simulated: boolean }[]>`
    select p.id, p.slug, p.simulated from projects p left join review_cursors c on c.project_id = p.id
    cross join lateral (select now() - ${lateAfterMs(ctx)} * interval '1 ms' as late) t
    where not (p.simulated and exists (select from work w where w.project_id = p.id and w.state = 'waiting')) and (
      (c.project_id is null and exists (select from verdicts v where v.project_id = p.id))
      or exists (select from verdicts v where v.project_id = p.id and v.settled_at > c.drawn_to)
      or exists (select from labels l where l.project_id = p.id and l.created_at > c.drawn_to)
      or exists (select from verdicts v where v.project_id = p.id and v.settled_at > c.settled_to and v.settled_at <= least(t.late, c.drawn_to))
      or exists (select from labels l where l.project_id = p.id and l.created_at > c.settled_to and l.created_at <= least(t.late, c.drawn_to))
    )
    order by random()`;
}
