import type { ProjectCtx } from '../../access';
import { measureAgreement } from './agreement';
import type { ReviewCounts } from './item';
import { queuesToNotify } from './find-items';
import { listFull } from './enqueue-for-review';
import { type AssignmentFilter, type ReviewQueue, reviewQueues } from './review-input';

export interface WhichItems {
  readonly verifier?: string | undefined;
  readonly queue?: ReviewQueue | undefined;
  readonly assigned?: AssignmentFilter | undefined;
}

interface CountRow {
  verifier: string;
  queues: string[];
  items: number;
}

interface AssignedRow extends CountRow {
  mine: boolean;
}

interface OpenRows {
  readonly all: readonly CountRow[];
  readonly assigned: readonly AssignedRow[];
}

/** A longer time between two rulings is a break. */
const breakSeconds = 300;
/** The intervals between rulings that determine the pace: the latest, and the fewest. */
const paceMax = 30;
const paceMin = 5;

/**
 * The number of items that wait for this person, and today's progress. Open items count if this
 * person has not ruled on them. `open` applies all filters, and each other count all but its own;
 * `byQueue` omits blind items.
 */
export async function getReviewCounts(ctx: ProjectCtx, which: WhichItems): Promise<ReviewCounts> {
  const open = sumUp(await countOpen(ctx), which);
  return {
    ...open,
    ...(await readToday(ctx)),
    agreement: await measureAgreement(ctx),
    full: [...(await listFull(ctx.db, ctx.projectId)).keys()].sort(),
  };
}

/**
 * The random sample has no limit and grows while no one rules, so an index-only scan counts all open
 * items, and the few that this person has ruled on are subtracted.
 */
async function countOpen(ctx: ProjectCtx): Promise<OpenRows> {
  const { sql, projectId, actor } = ctx;
  const all = await sql<CountRow[]>`
    select verifier_slug as verifier, to_jsonb(${queuesToNotify(ctx)}) as queues, sum(items)::int as items from (
      select verifier_slug, queues, blind, count(*) as items from review_items
      where project_id = ${projectId} and state = 'open' group by verifier_slug, queues, blind
      union all
      select verifier_slug, queues, blind, -count(*) from review_items
      where project_id = ${projectId} and state = 'open' and ruled_by <> '{}' and ${actor.label}::text = any(ruled_by)
      group by verifier_slug, queues, blind
    ) as counted group by 1, 2 having sum(items) > 0`;
  const assigned = await sql<AssignedRow[]>`
    select verifier_slug as verifier, to_jsonb(${queuesToNotify(ctx)}) as queues, assigned_to = ${actor.label} as mine, count(*)::int as items
    from review_items
    where project_id = ${projectId} and state = 'open' and assigned_to is not null and not ${actor.label}::text = any(ruled_by)
    group by 1, 2, 3`;
  return { all, assigned };
}

function sumUp(
  { all, assigned }: OpenRows,
  { verifier, queue, assigned: wanted }: WhichItems,
): Pick<ReviewCounts, 'open' | 'byQueue' | 'byVerifier' | 'byAssignment'> {
  const mine = assigned.filter((row) => row.mine);
  const none = [...all, ...assigned.map((row) => ({ ...row, items: -row.items }))];
  const open = wanted === undefined ? all : wanted === 'mine' ? mine : none;
  const ofQueue = (row: CountRow): boolean => queue === undefined || row.queues.includes(queue);
  const ofVerifier = (row: CountRow): boolean =>
    verifier === undefined || row.verifier === verifier;
  const isSelected = (row: CountRow): boolean => ofQueue(row) && ofVerifier(row);
  const sum = (rows: readonly CountRow[], is: (row: CountRow) => boolean): number =>
    rows.reduce((total, row) => total + (is(row) ? row.items : 0), 0);
  const verifiers = [...new Set(open.filter(ofQueue).map((row) => row.verifier))].sort();
  return {
    open: sum(open, isSelected),
    byQueue: Object.fromEntries(
      reviewQueues.map((each) => [
        each,
        sum(open, (row) => ofVerifier(row) && row.queues.includes(each)),
      ]),
    ) as Record<ReviewQueue, number>,
    byVerifier: verifiers
      .map((each) => ({
        verifier: each,
        open: sum(open, (row) => ofQueue(row) && row.verifier === each),
      }))
      .filter((each) => each.open > 0),
    byAssignment: { mine: sum(mine, isSelected), none: sum(none, isSelected) },
  };
}

interface TodayRow {
  mine: number;
  done: number;
  gaps: number;
  pace: number | null;
  drawn_to: string | null;
}

async function readToday({
  sql,
  projectId,
  actor,
}: ProjectCtx): Promise<Pick<ReviewCounts, 'mineToday' | 'doneToday' | 'paceSeconds' | 'drawnTo'>> {
  const [row] = await sql<TodayRow[]>`
    with today as (
      select date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' as began
    ), mine as (
      select l.verdict_id, max(l.created_at) as at from labels l, today t
      where l.project_id = ${projectId} and l.created_at >= t.began and l.kind in ('override', 'abstention') and l.review_item_id is not null
        and l.created_by = ${actor.label} and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
      group by l.verdict_id
    ), gaps as (
      select extract(epoch from at - lag(at) over (order by at))::double precision as seconds
      from (select at from mine order by at desc limit ${paceMax + 1}) as latest
    )
    select (select count(*)::int from mine) as mine,
      (select count(*)::int from review_items i, today t where i.project_id = ${projectId} and i.state = 'done' and i.done_at >= t.began) as done,
      (select count(*)::int from gaps where seconds <= ${breakSeconds}) as gaps,
      (select avg(seconds) from gaps where seconds <= ${breakSeconds}) as pace,
      (select drawn_to from review_cursors where project_id = ${projectId}) as drawn_to`;
  return {
    mineToday: row?.mine ?? 0,
    doneToday: row?.done ?? 0,
    paceSeconds: row === undefined || row.gaps < paceMin ? null : row.pace,
    drawnTo: row?.drawn_to == null ? null : new Date(row.drawn_to),
  };
}
