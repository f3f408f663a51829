import { sql } from 'drizzle-orm';
import type { ProjectCtx } from '../../access';
import { cleanValue, truthOf } from '../../domain';
import { listNativeVerdicts, readNativeVerdict } from '../../verifiers';
import { conflict, type Database, notFound, refused, sha256 } from '../../platform';
import { appendLabel } from '../append-label';
import { findContentKey } from '../content-key';
import { getJudged, type JudgedVerdict } from '../judged';
import { refreshLabelled } from '../enqueue-labelled';
import { trimmedOrNull } from '../override';
import { gradeIdOf, takeBack } from '../take-back';
import { measureAgreement } from './agreement';
import { answerOf, asReviewItem, getItem, isBlind } from './find-items';
import { getReviewSeen } from './get-review-seen';
import type { ItemRuled, OwnRuling, ReviewItem } from './item';
import type { ReviewAnswer, ReviewQueue } from './review-input';

export interface RuleItem {
  readonly item: string;
  readonly answer: ReviewAnswer;
  readonly reason?: string | undefined;
  readonly grade?: number | undefined;
  /** How many items the person ruled on at once. */
  readonly bulk?: number | undefined;
}

interface LockedItem extends Record<string, unknown> {
  state: ReviewItem['state'];
  queues: ReviewQueue[];
  blind: boolean;
  probability: number | null;
  others: boolean;
}

interface OwnLabel extends Record<string, unknown> {
  id: string;
  kind: string;
  verdict: string | null;
  success: boolean | null;
  note: string | null;
  grade: number | null;
  blind: boolean;
}

/**
 * Stores a person's answer for an item. Repeating the same answer changes nothing; another answer
 * replaces it, and remains a vote if the first one was a vote. The item is done after the required
 * number of rulings, not counting abstentions.
 * @returns the results of the verifier and other raters, which must not be shown before
 * @throws AssayError not_found, refused (no reason for overruling a visible verdict, `reason`),
 * conflict (the item is reserved by another person, done, or withdrawn)
 */
export async function ruleItem(ctx: ProjectCtx, input: RuleItem): Promise<ItemRuled> {
  const ruling = cleanValue(input) as RuleItem;
  const row = await getItem(ctx, ruling.item);
  const judged = await getJudged(ctx, row.verdict_id);
  const contentKey = ruling.answer === 'unsure' ? null : await findContentKey(ctx, judged);
  const changed = await ctx.db.transaction((tx) => ruleLocked(tx, ctx, judged, ruling, contentKey));
  await refreshLabelled(ctx, changed);
  const after = await getItem(ctx, ruling.item);
  return {
    item: asReviewItem(after),
    seen: await getReviewSeen(ctx, after),
    agreement: await measureAgreement(ctx),
  };
}

/** Returns the subjects whose labelled verdicts must be recomputed. */
async function ruleLocked(
  tx: Database,
  ctx: ProjectCtx,
  judged: JudgedVerdict,
  ruling: RuleItem,
  contentKey: string | null,
): Promise<readonly string[]> {
  const { answer, item, grade = null } = ruling;
  const locked = await lockForRuling(tx, ctx, item);
  const reason = trimmedOrNull(ruling.reason);
  const former = await findOwn(tx, ctx, judged.id);
  const own: OwnRuling = { answer, reason, grade };
  if (former !== null && isSame(former, own)) return [];
  refuseUnavailable(locked, former !== null);
  const verdict = wordOf(judged, answer);
  const blind = former?.blind ?? isBlind(locked);
  if (!blind && verdict !== null && verdict !== judged.verdict && reason === null) {
    const message = `is required where the verdict differs from the verifier's: ${judged.verdict ?? 'none'}`;
    throw refused(`reason: ${message}`, [{ path: 'reason', message }]);
  }
  const repeats = former === null ? [] : await takeBack(tx, ctx, former.id);
  const label = {
    grade,
    score: null,
    action: null,
    reason,
    rater: ctx.actor.label,
    selection: locked.probability === null ? 'queue' : 'sample',
    probability: locked.probability,
    reviewItemId: item,
    bulk: ruling.bulk ?? null,
    contentKey,
    contentHash: sha256(JSON.stringify(['review', item, verdict, reason, grade, ctx.actor.label])),
  } as const;
  const kind = verdict === null ? 'abstention' : 'override';
  const success = verdict === null ? null : (truthOf(verdict) ?? answer === 'pass');
  const appended = await appendLabel(tx, ctx, judged, {
    ...label,
    id: null,
    kind,
    verdict,
    success,
    blind,
  });
  if (appended !== null && kind === 'abstention' && grade !== null) {
    // Abstentions do not count in metrics, so the grade is a separate label, which is undone
    // together with the abstention.
    await appendLabel(tx, ctx, judged, {
      ...label,
      id: gradeIdOf(ctx, appended.id),
      kind: 'grade',
      verdict: null,
      success: null,
      blind: false,
    });
  }
  return [...new Set([...repeats, judged.subjectId])];
}

/** The item, locked until the transaction ends. @throws AssayError not_found */
async function lockForRuling(
  tx: Pick<Database, 'execute'>,
  { projectId, actor }: ProjectCtx,
  id: string,
): Promise<LockedItem> {
  const [locked] = await tx.execute<LockedItem>(sql`
    select state, to_jsonb(queues) as queues, blind, probability, (reserved_by <> ${actor.label} and reserved_until > now()) is true as others
    from review_items where project_id = ${projectId} and id = ${id} for update`);
  if (locked === undefined) throw notFound('item');
  return locked;
}

/**
 * @throws AssayError conflict. A person who has ruled may change the answer until the item is
 * withdrawn.
 */
function refuseUnavailable({ state, others }: LockedItem, hasRuled: boolean): void {
  if (state === 'withdrawn')
    throw conflict(
      'this item left the review queue: its subject changed, or other items are more urgent',
    );
  if (hasRuled) return;
  if (state === 'done') throw conflict('this item is done; other reviewers have ruled on it');
  if (others) throw conflict('another reviewer is working on this item');
}

/** This person's latest answer for a verdict that was not undone. */
export async function findOwn(
  tx: Pick<Database, 'execute'>,
  { projectId, actor }: ProjectCtx,
  verdictId: string,
): Promise<OwnLabel | null> {
  const [own] = await tx.execute<OwnLabel>(sql`
    select id, kind, verdict, success, note, grade, blind from labels l
    where project_id = ${projectId} and verdict_id = ${verdictId} and kind in ('override', 'abstention') and created_by = ${actor.label}
      and coalesce(rater, created_by) = ${actor.label} and reuses is null
      and not exists (select from labels u where u.project_id = ${projectId} and u.undoes = l.id)
    order by created_at desc, id desc limit 1`);
  return own ?? null;
}

function isSame({ kind, success, verdict, note, grade }: OwnLabel, own: OwnRuling): boolean {
  return (
    answerOf(kind, success, verdict) === own.answer && note === own.reason && grade === own.grade
  );
}

/**
 * An answer in the kind's own words: the verifier's verdict if both agree (`RETRY` counts as a
 * failure, like `FAIL`); null for an abstention.
 */
function wordOf({ kind, verdict }: JudgedVerdict, answer: ReviewAnswer): string | null {
  if (answer === 'unsure') return null;
  if (verdict !== null && truthOf(verdict) === (answer === 'pass')) return verdict;
  // A kind whose worse verdict is not a failure (`steer`) has no word for a failure, so its worst
  // verdict is used.
  return readNativeVerdict(kind, answer) ?? listNativeVerdicts(kind).at(-1) ?? null;
}
