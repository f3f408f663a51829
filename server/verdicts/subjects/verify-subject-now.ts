import { type ProjectCtx, simulatedTime } from '../../access';
import { storedKindOf } from '../../catalog';
import { canonicalValue, storableJson } from '../../domain';
import { listProviderModels } from '../../llm';
import { derivedId, newId, refused, sha256, userOf } from '../../platform';
import { thresholdFault, loadThresholds, resolveThresholds } from '../../thresholds';
import type { ClaimedWork } from '../../queue';

import { type FullVerdict, getVerdict } from '../get';
import type { PendingVerdict } from '../pending';
import { requireVersion } from '../settings';
import { fillReferences } from './fill-references';
import { loadJudging } from './judging';
import { type NewSubject, storeSubject } from './store-subject';
import { chooseFor, type RunVerifier, thresholdKeyOf } from './run-setting';
import type { SubjectContent } from './subject-content';
import { verifyClaimed } from '../verify';
import type { SubjectDeps } from './subject-deps';

/** The parts of a verify call other than its subject. */
export interface SubjectCall {
  readonly id: string | null;
  readonly sessionId: string | null;
  readonly traceId: string | null;
  readonly missionId: string | null;
  readonly taskId: string | null;
  /** When the work ended, as ISO 8601; only used in simulated projects. If omitted: now. */
  readonly endedAt?: string | null;
  /** `task` or `task@3`; null for the kind's own verifier. */
  readonly verifier: string | null;
  readonly mode: 'sync' | 'async';
}

export interface VerifySubjectNow {
  readonly verifier: RunVerifier;
  /** As parsed by the schemas. */
  readonly content: SubjectContent;
  readonly call: SubjectCall;
  readonly idempotencyKey: string | null;
  /** This process, as the lease holder. */
  readonly owner: string;
  readonly signal: AbortSignal;
}

/**
 * Stores a subject and verifies it. In `sync` mode everything that needs no model runs here, and
 * the rest is left to workers; in `async` mode workers run all of it. The subject is first stored
 * together with its work row: if this process dies, a worker continues.
 * @throws AssayError refused (a judge that did the work itself, an outdated verifier version, an
 * invalid threshold), conflict (the id was used with another body), unavailable
 */
export async function verifySubjectNow(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: VerifySubjectNow,
): Promise<FullVerdict | PendingVerdict> {
  const { verifier, call } = input;
  await refuseJudge(ctx, input);
  await refuseSetting(ctx, input);
  const now = ctx.clock.now();
  const verdictId = newId('ver', now);
  const subject = newSubject(ctx, input, await fillReferences(ctx, verifier.kind, input.content));
  const owner = call.mode === 'sync' ? input.owner : null;
  const stored = await storeSubject(ctx, subject, { verdictId, verifier: verifier.slug, owner });
  if (stored.fresh !== null && call.mode === 'async')
    return pendingOf(subject, verifier, stored.verdictId, stored.fresh.createdAt);
  if (stored.fresh !== null && owner !== null) {
    await verifyClaimed(ctx, deps, {
      owner,
      claimed: [claimedNow(ctx, subject, verifier.slug, verdictId, now)],
      urgent: true,
      signal: input.signal,
    });
  }
  return getVerdict(ctx, stored.verdictId);
}

/**
 * The hash covers only the caller's input: the same call means the same subject, even if the
 * results of the verifications that it refers to have changed.
 */
function newSubject(ctx: ProjectCtx, input: VerifySubjectNow, filled: SubjectContent): NewSubject {
  const { verifier, content: given, call, idempotencyKey } = input;
  const { slug, kind } = verifier;
  const text = storableJson(given);
  const sent = canonicalValue(JSON.parse(text));
  const { missionId, taskId, sessionId, traceId } = call;
  return {
    kind: storedKindOf(verifier),
    id: subjectId(ctx, slug, call, idempotencyKey),
    clientId: call.id,
    content: filled === given ? text : storableJson(filled),
    contentHash: sha256(
      `${sent}\n${JSON.stringify([slug, missionId, taskId, sessionId, traceId])}`,
    ),
    missionId,
    taskId,
    sessionId,
    traceId,
    model: kind.modelOf?.(given.subject) ?? given.facts.executor_model ?? null,
    costUsd: given.facts.cost_usd ?? null,
    pipeline: kind.pipelineOf?.(given.subject) ?? null,
    receivedAt: simulatedTime(ctx, 'ended_at', call.endedAt),
    userId: userOf(given.facts.metadata),
  };
}

/** The pending verdict without a query: the work was only just stored. */
function pendingOf(
  subject: NewSubject,
  { slug, kind }: RunVerifier,
  verdictId: string,
  createdAt: Date,
): PendingVerdict {
  const { id: subjectId, clientId, traceId, sessionId, missionId, taskId, model } = subject;
  const whose = {
    subjectKind: subject.kind,
    subjectId,
    turnId: null,
    clientId,
    traceId,
    sessionId,
    missionId,
    taskId,
    experimentId: null,
    model,
  };
  return {
    ...whose,
    state: 'pending',
    id: verdictId,
    kind: kind.name,
    verifier: slug,
    reason: null,
    createdAt,
  };
}

/**
 * A repeated call with the same client id or `Idempotency-Key` gets the same subject id, for
 * example if the first response was lost.
 */
function subjectId(
  ctx: ProjectCtx,
  verifier: string,
  call: SubjectCall,
  idempotencyKey: string | null,
): string {
  if (call.id !== null) return derivedId('sub', ctx.projectId, verifier, 'id', call.id);
  if (idempotencyKey !== null)
    return derivedId('sub', ctx.projectId, verifier, 'key', idempotencyKey);
  return newId('sub', ctx.clock.now());
}

function claimedNow(
  { projectId }: ProjectCtx,
  subject: NewSubject,
  verifier: string,
  id: string,
  createdAt: Date,
): ClaimedWork {
  return {
    projectId,
    id,
    subjectKind: subject.kind,
    subjectId: subject.id,
    revision: 1,
    verifier,
    rule: null,
    fence: 1,
    attempts: 1,
    createdAt,
  };
}

/** VS-34, VS-35: a model does not judge its own work. */
async function refuseJudge(
  ctx: ProjectCtx,
  { verifier, content }: VerifySubjectNow,
): Promise<void> {
  const { subject, facts } = content;
  if (facts.verifier_model == null) return;
  const choice = chooseFor(
    facts,
    { defaultJudge: null },
    await listProviderModels(ctx, ctx.projectId),
    verifier.kind.selfJudging?.(subject),
  );
  if (choice.state === 'refused')
    throw refused(`verifier_model: ${choice.message}`, [
      { path: 'verifier_model', message: choice.message },
    ]);
}

/**
 * Refuses an outdated version, and a threshold of the call that is out of range or below the fail
 * threshold. Most calls name neither.
 */
async function refuseSetting(ctx: ProjectCtx, input: VerifySubjectNow): Promise<void> {
  const { content, call } = input;
  const { slug, kind } = input.verifier;
  const { threshold } = content.facts;
  if (call.verifier === null && threshold == null) return;
  const current = await loadJudging(ctx, ctx.projectId, slug);
  if (call.verifier !== null)
    await requireVersion(call.verifier, slug, () => Promise.resolve(current.version));
  if (threshold != null)
    await refuseThreshold(ctx, input, threshold, kind.config.parse(current.config));
}

async function refuseThreshold(
  ctx: ProjectCtx,
  { verifier: { slug, kind }, call, content }: VerifySubjectNow,
  threshold: number,
  config: unknown,
): Promise<void> {
  const { low, high } = kind.thresholdRange ?? { low: 0, high: 1 };
  if (threshold < low || threshold > high) {
    const message = `must be from ${low} to ${high}, not ${threshold}`;
    throw refused(`threshold: ${message}`, [{ path: 'threshold', message }]);
  }
  const stored = (await loadThresholds(ctx, [ctx.projectId], [slug])).of(ctx.projectId, slug);
  const scope = { verifier: slug, missionId: call.missionId, taskId: call.taskId };
  const given = new Map([[thresholdKeyOf(kind, content.subject, config), threshold]]);
  const fault = thresholdFault(resolveThresholds(scope, stored, given));
  if (fault !== null) throw refused(`threshold: ${fault}`, [{ path: 'threshold', message: fault }]);
}
