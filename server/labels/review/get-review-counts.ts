import type { ProjectCtx } from '../../access';
import { measureAgreement } from './agreement';
import type { ReviewCounts } from './item';
import { queuesToNotify } from './find-items';
import { listFull } from './enqueue-for-review';
import { type ReviewQueue, reviewQueues } from './review-input';

export interface WhichItems {
  readonly verifier?: string | undefined;
  readonly queue?: ReviewQueue | undefined;
}

interface CountRow {
  verifier: string;
  queues: string[];
  items: number;
}

/**
 * The number of items that wait for this person, and today's progress. Open items count if this
 * person has not ruled on them. `byQueue` covers the requested verifier without blind items,
 * `byVerifier` the requested queue, and `open` applies both filters. The random sample has no limit
 * and grows while no one rules, so an index-only scan counts all open items, and the few that this
 * person has ruled on are subtracted.
 */
export async function getReviewCounts(
  ctx: ProjectCtx,
  { verifier, queue }: WhichItems,
): Promise<ReviewCounts> {
  const { sql, projectId, actor } = ctx;
  const open = await sql<CountRow[]>`
    select verifier_slug as verifier, to_jsonb(${queuesToNotify(ctx)}) as queues, sum(items)::int as items from (
      select verifier_slug, queues, blind, count(*) as items from review_items
      where project_id = ${projectId} and state = 'open' group by verifier_slug, queues, blind
      union all
      select verifier_slug, queues, blind, -count(*) from review_items
      where project_id = ${projectId} and state = 'open' and ruled_by <> '{}' and ${actor.label}::text = any(ruled_by)
      group by verifier_slug, queues, blind
    ) as counted group by 1, 2 having sum(items) > 0`;
  const [done] = await sql<{ mine: number; done: number; drawn_to: string | null }[]>`
    with today as (select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' as began)
    select (select count(distinct l.verdict_id)::int from labels l, today t
        where l.project_id = ${projectId} and l.created_at >= t.began and l.kind in ('override', 'abstention') and l.review_item_id is not null
          and l.created_by = ${actor.label} and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)) as mine,
      (select count(*)::int from review_items i, today t where i.project_id = ${projectId} and i.state = 'done' and i.done_at >= t.began) as done,
      (select drawn_to from review_cursors where project_id = ${projectId}) as drawn_to`;
  const ofQueue = (row: CountRow): boolean => queue === undefined || row.queues.includes(queue);
  const ofVerifier = (row: CountRow): boolean =>
    verifier === undefined || row.verifier === verifier;
  const sum = (rows: readonly CountRow[]): number =>
    rows.reduce((total, { items }) => total + items, 0);
  const inQueue = (each: ReviewQueue): number =>
    sum(open.filter((row) => ofVerifier(row) && row.queues.includes(each)));
  const verifiers = [...new Set(open.filter(ofQueue).map((row) => row.verifier))].sort();
  return {
    open: sum(open.filter((row) => ofQueue(row) && ofVerifier(row))),
    byQueue: Object.fromEntries(reviewQueues.map((each) => [each, inQueue(each)])) as Record<
      ReviewQueue,
      number
    >,
    byVerifier: verifiers.map((each) => ({
      verifier: each,
      open: sum(open.filter((row) => ofQueue(row) && row.verifier === each)),
    })),
    mineToday: done?.mine ?? 0,
    doneToday: done?.done ?? 0,
    agreement: await measureAgreement(ctx),
    drawnTo: done?.drawn_to == null ? null : new Date(done.drawn_to),
    full: [...(await listFull(ctx.db, projectId)).keys()].sort(),
  };
}
