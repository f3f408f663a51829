import type { ProjectCtx } from '../../access';
import { findVerifier, takesTurns, type Verifier } from '../../catalog';
import type { ModelUsage, Outcome } from '../../domain';
import { priceRows, readTurn } from '../../ingest';
import { newId, userOf } from '../../platform';
import { trustText, whyAdvisory } from '../../thresholds';
import { type AwaitVerdict, awaitVerdict } from '../await-verdict';
import type { FullVerdict } from '../get';
import { type MaterialTurn, ofTurn } from '../rule-subjects/load-materials';
import { readFromMaterial } from '../rule-subjects/read-rule-subject';
import { loadJudging } from './judging';
import { storeSubject } from './store-subject';

/** An answer that a caller holds back until it is verified, as the turn that will be stored. */
export interface UndeliveredTurn
  extends Omit<MaterialTurn, 'revision' | 'content' | 'costUsd' | 'costBasis'> {
  readonly usage: readonly ModelUsage[];
}

export type StartedVerification =
  | { readonly state: 'started'; readonly verdictId: string }
  /** Nothing was stored. */
  | { readonly state: 'refused'; readonly problem: string };

/**
 * Stores the subject that a verifier reads from an undelivered answer, with urgent work for a
 * worker. The verdict refers to the turn, which is stored after delivery.
 * @throws AssayError conflict (the session or the turn was deleted); on storage faults; Error if
 * the verifier cannot read the turn
 */
export async function startUndelivered(
  ctx: ProjectCtx,
  { verifier: slug, turn }: { readonly verifier: string; readonly turn: UndeliveredTurn },
): Promise<StartedVerification> {
  const verifier = await findVerifier(ctx, ctx.projectId, slug);
  const problem = whyNotOnTurns(verifier, slug);
  if (verifier === null || problem !== null)
    return { state: 'refused', problem: problem ?? `there is no verifier "${slug}"` };
  const { kind } = verifier;
  const { config } = await loadJudging(ctx, ctx.projectId, slug);
  const { usage, ...given } = turn;
  const { projectId } = ctx;
  const at = turn.startedAt ?? ctx.clock.now();
  const [cost] = await priceRows(ctx, [{ projectId, usage, models: [turn.model], at }]);
  const material = ofTurn({
    ...given,
    costUsd: cost?.costUsd ?? null,
    costBasis: cost?.costBasis ?? null,
    revision: 1,
    content: readTurn(turn.payload, true),
  });
  const read = readFromMaterial({
    verifier: slug,
    kind,
    config: kind.config.parse(config),
    rule: null,
    material,
  });
  if (read.state === 'no_subject') return { state: 'refused', problem: read.reason };
  const now = ctx.clock.now();
  const verdictId = newId('ver', now);
  await storeSubject(
    ctx,
    {
      ...read.subject,
      id: newId('sub', now),
      clientId: null,
      taskId: null,
      turnId: turn.id,
      userId: userOf(material.subject.metadata),
    },
    { verdictId, verifier: slug, owner: null, urgent: true },
  );
  return { state: 'started', verdictId };
}

/** Why the verifier does not verify turns; null if it does. */
export function whyNotOnTurns(verifier: Verifier | null, slug: string): string | null {
  if (verifier === null) return `the project has no verifier "${slug}"`;
  if (verifier.custom !== null && verifier.custom.archivedAt !== null)
    return `the verifier "${slug}" is archived`;
  return takesTurns(verifier) ? null : `the verifier "${slug}" reads no turn`;
}

/** The verdict on an undelivered answer, as far as its caller needs it. */
export interface UndeliveredVerdict {
  readonly outcome: Outcome;
  /** For the model that wrote the answer; null if there is nothing to correct. */
  readonly feedback: string | null;
  /** Why the verifier may not steer, for people; null if it may. */
  readonly advisory: string | null;
}

/** Null if there is no verdict in time. @throws AssayError not_found, and on storage faults */
export async function awaitUndelivered(
  ctx: ProjectCtx,
  verdictId: string,
  input: AwaitVerdict,
): Promise<UndeliveredVerdict | null> {
  const verdict = await awaitVerdict(ctx, verdictId, input);
  if (verdict.state !== 'settled') return null;
  return {
    outcome: verdict.outcome,
    feedback: verdict.outcome === 'failed' ? feedbackOf(verdict) : null,
    advisory: await advisoryOf(ctx, verdict),
  };
}

function feedbackOf({ feedback, issues }: FullVerdict): string | null {
  const text = feedback ?? issues.map(({ message }) => message).join('\n');
  return text.trim() === '' ? null : text;
}

async function advisoryOf(
  ctx: ProjectCtx,
  { verifier, judging }: FullVerdict,
): Promise<string | null> {
  const slug = verifier.split('@')[0] ?? verifier;
  const { authority } = await loadJudging(ctx, ctx.projectId, slug);
  const advisory = whyAdvisory(authority, {
    slug,
    self: judging.crossModel === 'self',
    judge: judging.model,
  });
  return advisory === null ? null : trustText(advisory);
}
