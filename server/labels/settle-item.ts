import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../access';
import type { Database } from '../platform';
import { isContested, type Ruling } from '../verdicts';

/** An item of the desk as far as rulings move it. */
interface Ruled {
  readonly raters: number;
  readonly blind: boolean;
  readonly queues: readonly string[];
}

/** What somebody said of an item's verdict; an abstention has no verdict. */
export type Said = Pick<Ruling, 'verdict' | 'account' | 'rater' | 'blind' | 'undone'>;

interface ItemState {
  readonly state: 'open' | 'done';
  readonly queues: readonly string[];
  /** Who ruled or abstained, each once. */
  readonly ruledBy: readonly string[];
}

/** Contested items come before all others: only one ruling is missing. */
export const contestedPriority = 5;

/** One who said something: an account, or a name that a caller gave under its account. */
export function raterOf({ account, rater }: Pick<Said, 'account' | 'rater'>): string {
  return account === rater ? account : JSON.stringify([account, rater]);
}

/**
 * Where an item stands by what was said of its verdict. It is done when as many have ruled as were
 * asked; a blind one also when somebody ruled in sight, which settles it. Votes that stand against
 * each other leave it open, as contested.
 * @param said of its verdict, oldest first
 */
export function itemStateOf({ raters, blind, queues }: Ruled, said: readonly Said[]): ItemState {
  const standing = said.filter(({ undone }) => undone === null);
  const ruled = standing.filter(({ verdict }) => verdict !== null);
  const isSettled = blind && ruled.some((each) => !each.blind);
  const isEnough = isSettled || new Set(ruled.map(raterOf)).size >= raters;
  const others = queues.filter((queue) => queue !== 'contested');
  const votes = ruled.filter((each) => each.blind);
  return {
    state: isEnough && !isContested(ruled) ? 'done' : 'open',
    queues: isEnough && isContested(votes) ? ['contested', ...others] : others,
    ruledBy: [...new Set(standing.map(raterOf))].sort(),
  };
}

interface ItemRow extends Record<string, unknown> {
  id: string;
  raters: number;
  blind: boolean;
  queues: string[];
}

interface SaidRow extends Record<string, unknown> {
  verdict: string | null;
  account: string;
  rater: string;
  blind: boolean;
}

/**
 * Holds the item of a verdict until the transaction ends, so that what is said of it comes one
 * after the other.
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
 * Brings the item of a verdict up to what was said of it, after labels came or were taken back in
 * the same transaction; nothing where there is none, or where it was withdrawn. Whoever held it and
 * has said something holds it no more.
 */
export async function settleItem(
  tx: Pick<Database, 'execute'>,
  { projectId }: Pick<ProjectCtx, 'projectId'>,
  verdictId: string,
): Promise<void> {
  const [item] = await tx.execute<ItemRow>(sql`
    select id, raters, blind, to_jsonb(queues) as queues from review_items
    where project_id = ${projectId} and verdict_id = ${verdictId} and state <> 'withdrawn' for update`);
  if (item === undefined) return;
  const said = await tx.execute<SaidRow>(sql`
    select case when kind = 'override' then verdict end as verdict, created_by as account, coalesce(rater, created_by) as rater, blind
    from labels l where project_id = ${projectId} and verdict_id = ${verdictId} and kind in ('override', 'abstention')
      and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
    order by created_at, id`);
  const next = itemStateOf(
    item,
    said.map((each) => ({ ...each, undone: null })),
  );
  await tx.execute(sql`
    update review_items set state = ${next.state}, done_at = case when ${next.state} = 'done' then coalesce(done_at, now()) end,
      queues = ${textArray(next.queues)}, ruled_by = ${textArray(next.ruledBy)},
      priority = greatest(priority, ${next.queues.includes('contested') ? contestedPriority : 0}),
      reserved_until = case when ${next.state} <> 'done' and not reserved_by = any(${textArray(next.ruledBy)}) then reserved_until end
    where project_id = ${projectId} and id = ${item.id}`);
}

/** An array for PostgreSQL: the driver passes none. */
const textArray = (texts: readonly string[]) =>
  sql`array(select jsonb_array_elements_text(${JSON.stringify(texts)}::text::jsonb))`;
