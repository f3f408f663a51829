import type { Outcome, PromptText } from '../../domain';
import { type Ctx, newId } from '../../platform';
import type { ClaimedWork } from '../../queue';
import { storedKindOf } from '../../catalog';
import { decideSubject, slowReach } from '../subjects/decide-subject';
import { loadSubjects, subjectKey } from '../subjects/load-subjects';
import { createRunSource } from '../subjects/run-setting';
import { readContent } from '../subjects/subject-content';
import type { SubjectDeps } from '../subjects/subject-deps';
import type { Settlement } from '../settle';
import { getVerifierOf } from './get-verifier-of';

/** A stored subject to judge again. */
export interface TrySubject {
  readonly projectId: string;
  /** Its slug. */
  readonly verifier: string;
  readonly subjectId: string;
  /** A prompt that replaces the production one; null means the current one. */
  readonly pinned: { readonly slug: string; readonly prompt: PromptText } | null;
  /** Specs that replace the current judges; omitted: the current ones. */
  readonly judges?: readonly string[] | undefined;
  /** The recorded purpose of the model calls, before the name of the calling node. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/** The verdict that the subject would get. */
export interface TriedVerdict {
  readonly state: 'decided';
  readonly outcome: Outcome;
  readonly verdict: string | null;
  /** On the kind's native scale. */
  readonly score: number | null;
  /** The reason for a missing verdict, or the first fault found; null if there is none. */
  readonly reason: string | null;
  /** The judge, as verdicts name it; null if none was called. */
  readonly judge: string | null;
  readonly verifierVersion: number;
  readonly threshold: number | null;
  /** `slug@version` of the prompts of the judges. */
  readonly prompts: readonly string[];
  readonly calls: number;
  readonly tokens: number;
  /** US dollars, of the calls with a known price. */
  readonly costUsd: number;
  /** The price of at least one call is unknown. */
  readonly priceUnknown: boolean;
  /** The latency of all nodes, including checks. */
  readonly latencyMs: number;
}

/** `blocked`: the judge cannot be called now. */
export type TryResult = TriedVerdict | { readonly state: 'blocked'; readonly reason: string };

/**
 * Judges a stored subject as the slow lane would, and stores nothing but the model calls: no
 * verdict, no cached judgement, no delivery, no spending.
 * @throws Error for an unknown subject or kind; on storage faults, and on content that this release
 * cannot read
 */
export async function trySubject(
  ctx: Ctx,
  deps: SubjectDeps,
  input: TrySubject,
): Promise<TryResult> {
  const { projectId, pinned, judges, signal } = input;
  const verifier = await getVerifierOf(ctx, projectId, input.verifier);
  const { kind } = verifier;
  const work = asWork(ctx, {
    projectId,
    verifier: verifier.slug,
    subjectKind: storedKindOf(verifier),
    subjectId: input.subjectId,
  });
  const stored = (await loadSubjects(ctx, [work])).get(
    subjectKey(projectId, work.subjectKind, work.subjectId),
  );
  if (stored === undefined) throw new Error('the subject is not stored');
  const ask = deps.askFor({ projectId, verdictId: null });
  const end = await decideSubject(ctx, {
    work: { ...work, revision: stored.revision },
    stored,
    kind,
    content: readContent(kind, stored.content),
    runs: createRunSource(ctx, deps, {
      prompts: new Map(pinned === null ? [] : [[pinned.slug, pinned.prompt]]),
      judges,
    }),
    slow: slowReach(deps, (request) =>
      ask({ ...request, purpose: `${input.purpose}: ${request.purpose}` }),
    ),
    signal,
    isTrial: true,
  });
  if (end.state === 'slow') throw new Error('a trial has no slow lane');
  if (end.state === 'blocked') return { state: 'blocked', reason: end.reason };
  return triedVerdict(end.settlement);
}

export function triedVerdict(settlement: Settlement): TriedVerdict {
  const { outcome, verdict, score, issues, judging, verifierVersion, threshold } = settlement;
  return {
    state: 'decided',
    outcome,
    verdict,
    score,
    reason: issues[0]?.message ?? settlement.decision.reason,
    judge: judging.model,
    verifierVersion,
    threshold: threshold?.value ?? null,
    prompts: [...new Set(settlement.scores.flatMap((each) => each.prompt_version ?? []))].sort(),
    calls: judging.calls,
    tokens: judging.tokens,
    costUsd: judging.costUsd,
    priceUnknown: judging.priceUnknown,
    latencyMs: settlement.scores.reduce((sum, { latency_ms }) => sum + latency_ms, 0),
  };
}

/** A work row for a trial verdict; it is not stored. */
export function asWork(
  ctx: Ctx,
  planned: Pick<ClaimedWork, 'projectId' | 'verifier' | 'subjectKind' | 'subjectId'>,
): ClaimedWork {
  const createdAt = ctx.clock.now();
  return {
    ...planned,
    id: newId('ver', createdAt),
    revision: 0,
    rule: null,
    fence: 0,
    attempts: 1,
    createdAt,
  };
}
