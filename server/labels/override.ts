import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import type { ProjectCtx } from '../access';
import { cleanValue } from '../domain';
import { listNativeVerdicts, readNativeVerdict } from '../verifiers';
import { conflict, refused, sha256 } from '../platform';
import type { FollowUpAction, WireOverride } from './input';
import { appendLabel } from './append-label';
import { findContentKey } from './content-key';
import { getJudged, type JudgedVerdict, type Labelled } from './judged';
import { refreshLabelled } from './enqueue-labelled';
import { raterOfLabel } from './rater';
import { labelledAt } from './labelled-at';
import { lockItem } from './resolve-review-item';

type LabelRow = typeof schema.labels.$inferSelect;

/** A person's stored label on one verdict. */
export interface VerdictLabel {
  readonly id: string;
  readonly verdictId: string;
  /** The verdict in the kind's own words; null if only a grade or action was given. */
  readonly verdict: string | null;
  /** The verifier's own verdict, unchanged. */
  readonly machineVerdict: string | null;
  readonly reason: string | null;
  readonly grade: number | null;
  /** The chosen action on the work; null if there is none. */
  readonly action: string | null;
  readonly rater: string;
  readonly selection: string | null;
  readonly probability: number | null;
  /** The verifier version that made the verdict. */
  readonly policyVersion: string | null;
  /** The version of the verifier's label policy at that time; null if it had none. */
  readonly policy: number | null;
  /** A vote: the rater did not see the verdict. */
  readonly blind: boolean;
  readonly createdAt: Date;
}

export interface OverrideInput extends WireOverride {
  readonly verdictId: string;
  /** 0 to 1. */
  readonly score?: number | null | undefined;
  /** Identifies the content under its id; omitted: derived from the verdict and the content. */
  readonly contentHash?: string | undefined;
}

/**
 * Appends a person's ruling on a verdict, a grade or score alone, or an action on the work (VS-28);
 * the verifier's verdict is unchanged. Repeating the same id and content returns the existing
 * label.
 * @throws AssayError not_found, conflict (no verdict yet, or the id was used with other content),
 * refused (not a verdict of the kind, no reason for overruling, an action on passed work),
 * forbidden (another rater without the scope `impersonate`)
 */
export async function overrideVerdict(
  ctx: ProjectCtx,
  input: OverrideInput,
): Promise<VerdictLabel> {
  const judged = await getJudged(ctx, input.verdictId);
  const content = readLabelContent(ctx, input, judged);
  if (content.action !== null) refuseAction(content.action, content.reason, judged);
  const contentKey = content.verdict === null ? null : await findContentKey(ctx, judged);
  const keys = { contentKey, contentHash: input.contentHash };
  return asVerdictLabel(await storeLabel(ctx, judged, content, keys), judged);
}

/** Appends a label, or returns the one that was stored before with the same id and content. */
export async function storeLabel(
  ctx: ProjectCtx,
  labelled: Labelled,
  content: LabelContent,
  keys: { readonly contentKey: string | null; readonly contentHash?: string | undefined },
): Promise<LabelRow> {
  const { verdict, reason, grade, score, action, probability, blind, createdAt } = content;
  const kind =
    verdict !== null ? 'override' : grade !== null || score !== null ? 'grade' : 'action';
  const rater = raterOfLabel(ctx, content.rater);
  const more = [
    ...(action === null ? [] : [action]),
    ...(blind ? ['blind'] : []),
    ...(createdAt === null ? [] : [createdAt.toISOString()]),
    ...(score === null ? [] : [score]),
  ];
  const contentHash =
    keys.contentHash ??
    sha256(
      JSON.stringify([kind, labelled.id, verdict, reason, grade, rater, probability, ...more]),
    );
  const row = await ctx.db.transaction(async (tx) => {
    if (kind === 'override' && labelled.id !== null) await lockItem(tx, ctx, labelled.id);
    const appended = await appendLabel(tx, ctx, labelled, {
      ...content,
      kind,
      rater,
      selection: probability === null ? 'own_choice' : 'sample',
      reviewItemId: null,
      contentKey: keys.contentKey,
      contentHash,
    });
    if (appended !== null) return appended;
    const { labels } = schema;
    const [known] = await tx
      .select()
      .from(labels)
      .where(and(eq(labels.projectId, ctx.projectId), eq(labels.id, content.id ?? '')));
    if (known?.contentHash !== contentHash)
      throw conflict(`id: was used before with other content: "${content.id}"`);
    return known;
  });
  await refreshLabelled(ctx, [labelled.subjectId]);
  return row;
}

export interface LabelContent {
  readonly id: string | null;
  readonly verdict: string | null;
  readonly reason: string | null;
  readonly grade: number | null;
  readonly score: number | null;
  readonly action: FollowUpAction | null;
  readonly rater: string | null;
  readonly probability: number | null;
  readonly blind: boolean;
  readonly createdAt: Date | null;
}

/** The label's content, in the kind's own words. @throws AssayError invalid_request, refused */
export function readLabelContent(
  ctx: Pick<ProjectCtx, 'simulated' | 'clock'>,
  input: WireOverride & Pick<OverrideInput, 'score'>,
  labelled: Labelled,
): LabelContent {
  const content = cleanValue(input) as typeof input;
  const { id = null, grade = null, score = null, action = null, probability = null } = content;
  const reason = trimmedOrNull(content.reason);
  const word = content.verdict ?? null;
  const verdict = word === null ? null : readNativeVerdict(labelled.kind, word);
  if (word !== null && verdict === null) {
    const message = `must be ${listNativeVerdicts(labelled.kind).join(' or ')}`;
    throw refused(`verdict: ${message}`, [{ path: 'verdict', message }]);
  }
  const blind = content.blind ?? false;
  if (blind && verdict === null) {
    throw refused('blind: needs a verdict', [
      { path: 'blind', message: 'needs a verdict: only a verdict can be given blind' },
    ]);
  }
  if (!blind && verdict !== null && verdict !== labelled.verdict && reason === null) {
    const message = `is required where the verdict differs from the verifier's: ${labelled.verdict ?? 'none'}`;
    throw refused(`reason: ${message}`, [{ path: 'reason', message }]);
  }
  return {
    id,
    verdict,
    reason,
    grade,
    score,
    action,
    rater: trimmedOrNull(content.rater),
    probability,
    blind,
    createdAt: labelledAt(ctx, content.created_at),
  };
}

/** @throws AssayError refused if the action is not possible */
function refuseAction(
  action: FollowUpAction,
  reason: string | null,
  { outcome, hasFeedback }: JudgedVerdict,
): void {
  const refuse = (path: string, message: string) =>
    refused(`${path}: ${message}`, [{ path, message }]);
  if (outcome === 'passed' || outcome === 'skipped')
    throw refuse(
      'action',
      `must be left out, because the work ${outcome === 'passed' ? 'passed' : 'was not verified'}`,
    );
  if (action === 'retry' && !hasFeedback)
    throw refuse(
      'action',
      'cannot be retry, because the verdict has no feedback; use escalate or accept_with_warning',
    );
  if (action === 'accept_with_warning' && reason === null)
    throw refuse('reason', 'is required to accept work that did not pass');
}

export function trimmedOrNull(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? null : trimmed;
}

function asVerdictLabel(row: LabelRow, judged: JudgedVerdict): VerdictLabel {
  return {
    id: row.id,
    verdictId: judged.id,
    verdict: row.verdict,
    machineVerdict: judged.verdict,
    reason: row.note,
    grade: row.grade,
    action: row.value,
    rater: row.rater ?? row.createdBy,
    selection: row.selection,
    probability: row.probability,
    policyVersion: row.policyVersion,
    policy: row.policy,
    blind: row.blind,
    createdAt: row.createdAt,
  };
}
