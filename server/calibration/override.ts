import { and, eq } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { cleanValue, listNativeVerdicts, readNativeVerdict, truthOf } from '../domain';
import { conflict, invalid, newId, refused, sha256 } from '../platform';
import type { WireOverride } from './input';
import { getJudged, type Judged } from './judged';
import { tellLabelled } from './tell-labelled';

/** A label that a person gave to one verdict, as it was stored. */
export interface VerdictLabel {
  readonly id: string;
  readonly verdictId: string;
  /** In the kind's own words; null where only a grade was given. */
  readonly verdict: string | null;
  /** What the verifier had decided; it stays as it is. */
  readonly machineVerdict: string | null;
  readonly reason: string | null;
  readonly grade: number | null;
  readonly rater: string;
  readonly selection: string | null;
  readonly probability: number | null;
  /** The verifier's version that the verdict is of. */
  readonly policyVersion: string | null;
  readonly createdAt: Date;
}

export interface OverrideInput extends WireOverride {
  readonly verdictId: string;
}

/**
 * Appends a person's ruling on a verdict, or a grade alone; the machine's verdict stays as it is. The same id and content again is the
 * label that is there.
 * @throws AssayError not_found, conflict (no verdict yet, or the id came before with other content), refused (a word that is no verdict of
 * the kind, or no reason for overruling)
 */
export async function overrideVerdict(ctx: ProjectCtx, input: OverrideInput): Promise<VerdictLabel> {
  const judged = await getJudged(ctx, input.verdictId);
  const said = readSaid(input, judged);
  const { verdict, reason, grade, probability } = said;
  const kind = verdict === null ? 'grade' : 'override';
  const rater = said.rater ?? ctx.actor.label;
  const contentHash = sha256(JSON.stringify([kind, judged.id, verdict, reason, grade, rater, probability]));
  const { labels } = schema;
  const row = await ctx.db.transaction(async (tx) => {
    const [made] = await tx
      .insert(labels)
      .values({
        projectId: ctx.projectId,
        id: said.id ?? newId('lbl', ctx.clock.now()),
        kind,
        subjectId: judged.subjectId,
        verdictId: judged.id,
        verifierSlug: judged.verifierSlug,
        verdict,
        grade,
        success: truthOf(verdict),
        rater,
        source: ctx.actor.kind === 'user' ? 'console' : 'api',
        note: reason,
        selection: probability === null ? 'own_choice' : 'sample',
        probability,
        policyVersion: judged.policyVersion,
        contentHash,
        createdBy: ctx.actor.label,
      })
      .onConflictDoNothing()
      .returning();
    if (made !== undefined) {
      await recordAudit(ctx, tx, ctx.actor, {
        projectId: ctx.projectId,
        action: `labels.${kind}`,
        target: judged.id,
        detail: { label: made.id, verdict, machineVerdict: judged.verdict, grade },
      });
      await tellLabelled(ctx, tx);
      return made;
    }
    const [known] = await tx
      .select()
      .from(labels)
      .where(and(eq(labels.projectId, ctx.projectId), eq(labels.id, said.id ?? '')));
    if (known?.contentHash !== contentHash) throw conflict(`id: "${said.id}" came before with other content`);
    return known;
  });
  return asVerdictLabel(row, judged);
}

interface Said {
  readonly id: string | null;
  readonly verdict: string | null;
  readonly reason: string | null;
  readonly grade: number | null;
  readonly rater: string | null;
  readonly probability: number | null;
}

/** What was said, in the kind's own words. @throws AssayError invalid_request, refused */
function readSaid(input: OverrideInput, judged: Judged): Said {
  const said = cleanValue(input) as OverrideInput;
  const { id = null, grade = null, probability = null } = said;
  const reason = textOf(said.reason);
  const word = said.verdict ?? null;
  const verdict = word === null ? null : readNativeVerdict(judged.kind, word);
  if (word === null && grade === null) throw invalid('send a verdict, a grade, or both', [{ path: 'verdict', message: 'or a grade' }]);
  if (word !== null && verdict === null) {
    const message = `must be ${listNativeVerdicts(judged.kind).join(' or ')}`;
    throw refused(`verdict: ${message}`, [{ path: 'verdict', message }]);
  }
  if (verdict !== null && verdict !== judged.verdict && reason === null) {
    const message = `say why: the verifier decided ${judged.verdict ?? 'nothing'}`;
    throw refused(`reason: ${message}`, [{ path: 'reason', message }]);
  }
  return { id, verdict, reason, grade, rater: textOf(said.rater), probability };
}

function textOf(text: string | null | undefined): string | null {
  const trimmed = (text ?? '').trim();
  return trimmed === '' ? null : trimmed;
}

function asVerdictLabel(row: typeof schema.labels.$inferSelect, judged: Judged): VerdictLabel {
  return {
    id: row.id,
    verdictId: judged.id,
    verdict: row.verdict,
    machineVerdict: judged.verdict,
    reason: row.note,
    grade: row.grade,
    rater: row.rater ?? row.createdBy,
    selection: row.selection,
    probability: row.probability,
    policyVersion: row.policyVersion,
    createdAt: row.createdAt,
  };
}
