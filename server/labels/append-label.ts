import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { truthOf } from '../domain';
import { type Database, newId } from '../platform';
import { excerptKeyOf } from './content-key';
import type { Labelled } from './judged';
import { currentPolicy } from './current-policy';
import { enqueueLabelled } from './enqueue-labelled';
import { resolveReviewItem } from './resolve-review-item';

type LabelRow = typeof schema.labels.$inferSelect;

export interface NewLabel {
  /** The caller's own id; null to generate one. */
  readonly id: string | null;
  readonly kind: 'override' | 'abstention' | 'grade' | 'action';
  /** The verdict in the words of the verifier's kind; null if the label is not a ruling. */
  readonly verdict: string | null;
  /** Whether the work succeeded; set if the verdict is neither pass nor fail. */
  readonly success?: boolean | null;
  readonly grade: number | null;
  /** From 0 to 1. */
  readonly score: number | null;
  readonly action: string | null;
  readonly reason: string | null;
  readonly rater: string;
  readonly selection: 'own_choice' | 'sample' | 'queue';
  readonly probability: number | null;
  readonly blind: boolean;
  readonly reviewItemId: string | null;
  /** The key of the labelled content; null if the content is unknown. */
  readonly contentKey: string | null;
  readonly contentHash: string;
  /** The number of items ruled on together; null or omitted if only this one. */
  readonly bulk?: number | null;
  /** The current time if null or omitted. */
  readonly createdAt?: Date | null;
}

/**
 * Appends a person's label in `tx`, with the current policy and an audit row. Also updates the
 * review item of the verdict and enqueues the refresh of the labelled verdicts. Returns null if the
 * id is taken.
 */
export async function appendLabel(
  tx: Database,
  ctx: ProjectCtx,
  judged: Labelled,
  label: NewLabel,
): Promise<LabelRow | null> {
  const { verdict, grade, score, action, reason, rater, kind, contentKey } = label;
  const { excerpt } = judged;
  const [row] = await tx
    .insert(schema.labels)
    .values({
      projectId: ctx.projectId,
      id: label.id ?? newId('lbl', ctx.clock.now()),
      kind,
      subjectId: judged.subjectId,
      verdictId: judged.id,
      verifierSlug: judged.verifierSlug,
      verdict,
      grade,
      score,
      value: action,
      success: label.success ?? truthOf(verdict),
      rater,
      source: ctx.actor.kind === 'user' ? (ctx.actor.via ?? 'console') : 'api',
      note: reason,
      selection: label.selection,
      probability: label.probability,
      policyVersion: judged.policyVersion,
      policy: await currentPolicy(tx, ctx, judged.verifierSlug),
      blind: label.blind,
      contentKey,
      excerptKey:
        contentKey === null || excerpt === null ? null : excerptKeyOf({ ...judged, excerpt }),
      reviewItemId: label.reviewItemId,
      contentHash: label.contentHash,
      createdBy: ctx.actor.label,
      ...(label.createdAt != null && { createdAt: label.createdAt }),
    })
    .onConflictDoNothing()
    .returning();
  if (row === undefined) return null;
  await recordAudit(ctx, tx, ctx.actor, {
    projectId: ctx.projectId,
    action: `labels.${kind}`,
    target: judged.id ?? judged.subjectId,
    detail: {
      label: row.id,
      verdict,
      machineVerdict: judged.verdict,
      grade,
      ...(score !== null && { score }),
      action,
      ...(label.blind && { blind: true }),
      ...(label.bulk != null && { bulk: label.bulk }),
    },
  });
  if (judged.id !== null && (kind === 'override' || kind === 'abstention'))
    await resolveReviewItem(tx, ctx, judged.id);
  await enqueueLabelled(tx, ctx, [judged.subjectId]);
  return row;
}
