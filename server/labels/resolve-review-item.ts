import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import type { Database } from '../platform';
import { isContested, type Ruling } from '../verdicts';

/** The members of a review item that determine its state after rulings. */
interface ReviewRequirements {
  readonly raters: number;
  readonly blind: boolean;
  readonly queues: readonly string[];
}

/** A person's ruling on the verdict of an item, or an abstention, whose verdict is null. */
export type RulingOrAbstention = Pick<Ruling, 'verdict' | 'account' | 'rater' | 'blind' | 'undone'>;

interface ItemState {
  readonly state: 'open' | 'done';
  readonly queues: readonly string[];
  /** The distinct raters who ruled or abstained. */
  readonly respondedBy: readonly string[];
}

/** The priority of contested items: they come first, since they need only one more ruling. */
export const contestedPriority = 5;

/**
 * The identity of a rater: the account, or the account and the rater's name if the caller gave one.
 */
export function raterOf({ account, rater }: Pick<RulingOrAbstention, 'account' | 'rater'>): string {
  return account === rater ? account : JSON.stringify([account, rater]);
}

/**
 * The state of an item after the responses to its verdict. It is done after the required number of
 * rulings. A blind item is also done once someone who saw the verdict has ruled, since that ruling
 * decides. The item remains open while its rulings are contested.
 * @param responses oldest first
 */
export function itemStateOf(
  { raters, blind, queues }: ReviewRequirements,
  responses: readonly RulingOrAbstention[],
): ItemState {
  const current = responses.filter(({ undone }) => undone === null);
  const ruled = current.filter(({ verdict }) => verdict !== null);
  const isDecided = blind && ruled.some((each) => !each.blind);
  const isEnough = isDecided || new Set(ruled.map(raterOf)).size >= raters;
  const otherQueues = queues.filter((queue) => queue !== 'contested');
  const votes = ruled.filter((each) => each.blind);
  return {
    state: isEnough && !isContested(ruled) ? 'done' : 'open',
    queues: isEnough && isContested(votes) ? ['contested', ...otherQueues] : otherQueues,
    respondedBy: [...new Set(current.map(raterOf))].sort(),
  };
}

interface ItemRow extends Record<string, unknown> {
  id: string;
  raters: number;
  blind: boolean;
  queues: string[];
}

interface ResponseRow extends Record<string, unknown> {
  verdict: string | null;
  account: string;
  rater: string;
  blind: boolean;
}

/**
 * Locks the item of a verdict until the transaction ends, so that responses to it are serialised.
 */
export async function lockItem(
  tx: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  verdictId: string,
): Promise<void> {
  await tx.execute(
    sql`select 1 from review_items where project_id = ${projectId} and verdict_id = ${verdictId} for update`,
  );
}

/**
 * Updates the item of a verdict after labels were added or undone in the same transaction. Does
 * nothing if there is no item, or if it was withdrawn. A reservation ends when the person who made
 * it responds.
 */
export async function resolveReviewItem(
  tx: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  verdictId: string,
): Promise<void> {
  const [item] = await tx.execute<ItemRow>(sql`
    select id, raters, blind, to_jsonb(queues) as queues from review_items
    where project_id = ${projectId} and verdict_id = ${verdictId} and state <> 'withdrawn' for update`);
  if (item === undefined) return;
  const responses = await tx.execute<ResponseRow>(sql`
    select case when kind = 'override' then verdict end as verdict, created_by as account, coalesce(rater, created_by) as rater, blind
    from labels l where project_id = ${projectId} and verdict_id = ${verdictId} and kind in ('override', 'abstention')
      and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
    order by created_at, id`);
  const next = itemStateOf(
    item,
    responses.map((each) => ({ ...each, undone: null })),
  );
  await tx.execute(sql`
    update review_items set state = ${next.state}, done_at = case when ${next.state} = 'done' then coalesce(done_at, now()) end,
      queues = ${textArray(next.queues)}, ruled_by = ${textArray(next.respondedBy)},
      priority = greatest(priority, ${next.queues.includes('contested') ? contestedPriority : 0}),
      reserved_until = case when ${next.state} <> 'done' and not reserved_by = any(${textArray(next.respondedBy)}) then reserved_until end
    where project_id = ${projectId} and id = ${item.id}`);
}

/** A PostgreSQL array, built from JSON because the driver cannot pass arrays. */
const textArray = (texts: readonly string[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb))`;
