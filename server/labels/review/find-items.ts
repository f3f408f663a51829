import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../../access';
import { notFound } from '../../platform';
import type { OwnRuling, ReviewItem } from './item';
import type { ReviewQueue } from './review-input';

export interface ItemRow {
  id: string;
  verdict_id: string;
  kind: string;
  verifier_slug: string;
  verifier_version: number;
  subject_id: string;
  title: string | null;
  queues: ReviewQueue[];
  reason: string | null;
  raters: number;
  blind: boolean;
  state: ReviewItem['state'];
  verdict_at: string;
  mine_until: string | null;
  assigned_to: string | null;
  probability: number | null;
  ruled: number;
  own_verdict: string | null;
  own_success: boolean | null;
  own_kind: string | null;
  own_note: string | null;
  own_grade: number | null;
}

/** The columns of an item for the current account; `i` is the row of `review_items`. */
function columns({ sql, actor }: ProjectCtx): Fragment {
  const account = actor.label;
  return sql`
    i.id, i.verdict_id, i.kind, i.verifier_slug, i.verifier_version, i.subject_id, to_jsonb(i.queues) as queues, i.reason, i.raters, i.blind, i.state,
    i.verdict_at, i.probability, i.assigned_to, (select v.excerpt from verdicts v where v.project_id = i.project_id and v.id = i.verdict_id
      and v.experiment_id is null limit 1) as title, case when i.reserved_by = ${account} and i.reserved_until > now() then i.reserved_until end as mine_until,
    (select count(distinct (l.created_by, coalesce(l.rater, l.created_by)))::int from labels l
      where l.project_id = i.project_id and l.verdict_id = i.verdict_id and l.kind = 'override'
        and not exists (select from labels u where u.project_id = i.project_id and u.undoes = l.id)) as ruled,
    own.verdict as own_verdict, own.success as own_success, own.kind as own_kind, own.note as own_note, own.grade as own_grade`;
}

/** The current account's latest answer that was not undone. */
function ownRuling({ sql, actor }: ProjectCtx): Fragment {
  return sql`
    left join lateral (
      select l.verdict, l.success, l.kind, l.note, l.grade from labels l
      where l.project_id = i.project_id and l.verdict_id = i.verdict_id and l.kind in ('override', 'abstention')
        and l.created_by = ${actor.label} and coalesce(l.rater, l.created_by) = ${actor.label} and l.reuses is null
        and not exists (select from labels u where u.project_id = i.project_id and u.undoes = l.id)
      order by l.created_at desc, l.id desc limit 1
    ) own on true`;
}

/** Items by their ids, in the order of `ids`, without those of other projects. */
export async function findItems(ctx: ProjectCtx, ids: readonly string[]): Promise<ItemRow[]> {
  if (ids.length === 0) return [];
  return ctx.sql<ItemRow[]>`
    select ${columns(ctx)} from jsonb_array_elements_text(${JSON.stringify(ids)}::text::jsonb) with ordinality as k(id, place)
    join review_items i on i.project_id = ${ctx.projectId} and i.id = k.id ${ownRuling(ctx)} order by k.place`;
}

/** @throws AssayError not_found, also for an id of another project */
export async function getItem(ctx: ProjectCtx, id: string): Promise<ItemRow> {
  const [row] = await findItems(ctx, [id]);
  if (row === undefined) throw notFound('item');
  return row;
}

/**
 * The queues under which an item of `review_items` can be found: none for a blind item, since the
 * queue would reveal the verifier's finding. Only for items that the person has not ruled on.
 */
export const queuesToNotify = ({ sql }: Pick<ProjectCtx, 'sql'>): Fragment =>
  sql`case when blind and not 'contested' = any(queues) then '{}'::text[] else queues end`;

/**
 * Whether no one may see the verdict before ruling. For a contested item this is false, because the
 * person who decides it sees the votes.
 */
export function isBlind({ blind, queues }: Pick<ItemRow, 'blind' | 'queues'>): boolean {
  return blind && !queues.includes('contested');
}

/** Whether the current account must not see the verdict yet. */
export function isHidden(row: ItemRow): boolean {
  return isBlind(row) && row.own_kind === null;
}

/**
 * Hides the queues and reason of a blind item until this person has ruled, since they would reveal
 * the verifier's finding.
 */
export function asReviewItem(row: ItemRow): ReviewItem {
  const hidden = isHidden(row);
  return {
    id: row.id,
    verdictId: row.verdict_id,
    kind: row.kind,
    verifier: `${row.verifier_slug}@${row.verifier_version}`,
    subjectId: row.subject_id,
    title: row.title ?? '',
    queues: hidden ? [] : row.queues,
    reason: hidden ? null : reasonOf(row),
    raters: row.raters,
    ruled: row.ruled,
    blind: isBlind(row),
    state: row.state,
    verdictAt: new Date(row.verdict_at),
    reservedUntil: row.mine_until === null ? null : new Date(row.mine_until),
    assignedTo: row.assigned_to,
    mine: asOwn(row),
  };
}

function reasonOf({ queues, reason }: ItemRow): string | null {
  if (!queues.includes('contested')) return reason;
  return ['Blind votes disagree.', ...(reason === null ? [] : [reason])].join('\n');
}

function asOwn(row: ItemRow): OwnRuling | null {
  if (row.own_kind === null) return null;
  return {
    answer: answerOf(row.own_kind, row.own_success, row.own_verdict),
    reason: row.own_note,
    grade: row.own_grade,
  };
}

/**
 * A ruling as a review answer. Neutral words of a kind, such as `partial`, do not count as a pass.
 */
export function answerOf(
  kind: string,
  success: boolean | null,
  verdict: string | null,
): OwnRuling['answer'] {
  if (kind === 'abstention' || verdict === null) return 'unsure';
  return success === true ? 'pass' : 'fail';
}
