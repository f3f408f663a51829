import type { Outcome, PromptText } from '../../domain';
import { type Ctx, newId } from '../../platform';
import type { ClaimedWork } from '../../queue';
import { storedKindOf } from '../../verifiers';
import { decideSubject, slowReach } from '../subjects/decide-subject';
import { loadSubjects, subjectKey } from '../subjects/load-subjects';
import { createRunSource } from '../subjects/run-setting';
import type { SubjectDeps } from '../subjects/verify-subjects';
import type { Settlement } from '../settle';

/** A stored subject that is judged again. */
export interface TrySubject {
  readonly projectId: string;
  readonly kind: string;
  readonly subjectId: string;
  /** A prompt in place of the one in production; null: as things are. */
  readonly pinned: { readonly slug: string; readonly prompt: PromptText } | null;
  /** Specs in place of who would judge now; left out: as things are. */
  readonly judges?: readonly string[] | undefined;
  /** What the calls to models are recorded for, before the node that asks. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

/** The verdict that the subject would have got. */
export interface TriedVerdict {
  readonly state: 'decided';
  readonly outcome: Outcome;
  readonly verdict: string | null;
  /** Native scale of the kind. */
  readonly score: number | null;
  /** Why there is no verdict, or what was found wrong first; null where nothing was. */
  readonly reason: string | null;
  /** Who judged, as verdicts name it; null where no one was asked. */
  readonly judge: string | null;
  readonly verifierVersion: number;
  readonly threshold: number | null;
  /** `slug@version` of the prompts that judges were asked with. */
  readonly prompts: readonly string[];
  readonly calls: number;
  readonly tokens: number;
  /** US dollars, of the calls whose price is known. */
  readonly costUsd: number;
  /** Of some call the price is not known. */
  readonly priceUnknown: boolean;
  /** Of all that was looked at, checks included. */
  readonly latencyMs: number;
}

/** `blocked`: the judge cannot be asked now, and says when it may be. */
export type Tried = TriedVerdict | { readonly state: 'blocked'; readonly reason: string };

/**
 * Judges a stored subject as the slow lane would, and stores nothing but the calls to models: no
 * verdict, no kept judgement, no delivery, no spending.
 * @throws Error for a subject or kind that is not there; on faults of storage, and on content that
 * this release cannot read
 */
export async function trySubject(ctx: Ctx, deps: SubjectDeps, input: TrySubject): Promise<Tried> {
  const { projectId, pinned, judges, signal } = input;
  const kind = deps.kinds.get(input.kind);
  if (kind === undefined) throw new Error(`this release has no verifier "${input.kind}"`);
  const work = asWork(ctx, {
    projectId,
    verifier: kind.name,
    subjectKind: storedKindOf(kind),
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
    runs: createRunSource(ctx, deps.prompts, {
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

/** The row that a verdict would be owed by; it is in no table. */
export function asWork(
  ctx: Ctx,
  owed: Pick<ClaimedWork, 'projectId' | 'verifier' | 'subjectKind' | 'subjectId'>,
): ClaimedWork {
  const createdAt = ctx.clock.now();
  return {
    ...owed,
    id: newId('ver', createdAt),
    revision: 0,
    rule: null,
    fence: 0,
    attempts: 1,
    createdAt,
  };
}
