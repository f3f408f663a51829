import type { Ctx } from '../../platform';
import { storedKindOf, type Verifier } from '../../catalog';
import type { AnyKind, Canary, PlacedScore } from '../../verifiers';
import { WorkFacts } from '../input';
import { decideSubject, slowReach } from '../subjects/decide-subject';
import { loadSubjects, type StoredSubject, subjectKey } from '../subjects/load-subjects';
import { createRunSource, type Trying } from '../subjects/run-setting';
import { readContent } from '../subjects/subject-content';
import type { SubjectDeps } from '../subjects/subject-deps';
import { getVerifierOf } from './get-verifier-of';
import { asWork, type TryResult, triedVerdict } from './try-subject';

/** How a subject is modified before its judge is called. */
export type Change = 'as_is' | 'reordered' | 'padded';

interface JudgeRun {
  readonly projectId: string;
  /** Its slug. */
  readonly verifier: string;
  /** The recorded purpose of the model calls, before the name of the calling node. */
  readonly purpose: string;
  readonly signal: AbortSignal;
}

export interface JudgeChanged extends JudgeRun {
  readonly subjectId: string;
  readonly revision: number;
  readonly change: Change;
}

export interface JudgeCanary extends JudgeRun {
  /** Its name. */
  readonly canary: string;
}

/**
 * `left_out`: the subject is no longer stored, has changed, or cannot be modified in this way.
 * `parts`: the ordered parts and their scores.
 */
export type JudgedChanged =
  | (Exclude<TryResult, { readonly state: 'blocked' }> & { readonly parts: readonly PlacedScore[] })
  | Extract<TryResult, { readonly state: 'blocked' }>
  | { readonly state: 'left_out'; readonly reason: string };

const leftOut = (reason: string): JudgedChanged => ({ state: 'left_out', reason });

/**
 * Judges a stored subject with its current verifier, unchanged or modified, and stores nothing but
 * the model calls: no verdict, no cached judgement, no delivery, no spending. The cache is not
 * read, so that every run calls the judge.
 * @throws Error for an unknown kind; on storage faults, and on content that this release cannot
 * read
 */
export async function judgeChanged(
  ctx: Ctx,
  deps: SubjectDeps,
  input: JudgeChanged,
): Promise<JudgedChanged> {
  const { projectId, subjectId, revision, change } = input;
  const verifier = await getVerifierOf(ctx, projectId, input.verifier);
  const { kind } = verifier;
  const work = asWork(ctx, {
    projectId,
    verifier: verifier.slug,
    subjectKind: storedKindOf(verifier),
    subjectId,
  });
  const stored = (await loadSubjects(ctx, [work])).get(
    subjectKey(projectId, work.subjectKind, subjectId),
  );
  if (stored === undefined) return leftOut('it is no longer stored');
  if (stored.revision !== revision) return leftOut('its content has changed');
  const { subject, facts } = readContent(kind, stored.content);
  const { config } = (
    await createRunSource(ctx, deps, asTrial).settingOf(verifier, { subject, facts }, stored)
  ).setting;
  const changed = changeSubject(kind, subject, config, change);
  if (changed === null) return leftOut(`it cannot be ${change}`);
  return judge(
    ctx,
    deps,
    verifier,
    changed,
    { ...stored, content: JSON.stringify({ subject: changed, facts }) },
    input,
  );
}

/**
 * Judges known bad work as if a caller had sent it, and stores as little as `judgeChanged`.
 * @throws Error for an unknown kind; on storage faults
 */
export async function judgeCanary(
  ctx: Ctx,
  deps: SubjectDeps,
  input: JudgeCanary,
): Promise<JudgedChanged> {
  const verifier = await getVerifierOf(ctx, input.projectId, input.verifier);
  const { kind } = verifier;
  const canary = canariesOf(kind).find(({ name }) => name === input.canary);
  if (canary === undefined) return leftOut('this release has no such canary');
  const subject = kind.subject.parse(canary.subject);
  return judge(
    ctx,
    deps,
    verifier,
    subject,
    canaryAsStored(verifier, canary, input.projectId),
    input,
  );
}

/** Pins no prompt: a run is a trial so that it does not count against budgets. */
export const asTrial: Trying = { prompts: new Map() };

export const canariesOf = (kind: AnyKind): readonly Canary[] => kind.perturb?.canaries ?? [];

/** Null if the subject has no such form. */
export function changeSubject(
  kind: AnyKind,
  subject: unknown,
  config: unknown,
  change: Change,
): unknown {
  if (change === 'as_is') return subject;
  return (
    (change === 'reordered'
      ? kind.perturb?.reordered?.(subject)
      : kind.perturb?.padded?.(subject, config)) ?? null
  );
}

/** A canary in the form of a stored subject. */
export function canaryAsStored(
  verifier: Verifier,
  { name, subject }: Canary,
  projectId: string,
): StoredSubject {
  return {
    projectId,
    kind: storedKindOf(verifier),
    id: name,
    revision: 0,
    content: JSON.stringify({
      subject: verifier.kind.subject.parse(subject),
      facts: WorkFacts.parse({}),
    }),
    clientId: null,
    missionId: null,
    taskId: null,
    sessionId: null,
    traceId: null,
    turnId: null,
    model: null,
    costUsd: null,
    createdAt: new Date(0),
  };
}

async function judge(
  ctx: Ctx,
  deps: SubjectDeps,
  { slug, kind }: Verifier,
  subject: unknown,
  stored: StoredSubject,
  { projectId, purpose, signal }: JudgeRun,
): Promise<JudgedChanged> {
  const work = asWork(ctx, {
    projectId,
    verifier: slug,
    subjectKind: stored.kind,
    subjectId: stored.id,
  });
  const ask = deps.askFor({ projectId, verdictId: null });
  const end = await decideSubject(ctx, {
    work: { ...work, revision: stored.revision },
    stored,
    kind,
    content: readContent(kind, stored.content),
    runs: createRunSource(ctx, deps, asTrial),
    slow: slowReach(deps, (request) =>
      ask({ ...request, purpose: `${purpose}: ${request.purpose}` }),
    ),
    signal,
    isTrial: true,
  });
  if (end.state === 'slow') throw new Error('a probe has no slow lane');
  if (end.state === 'blocked') return { state: 'blocked', reason: end.reason };
  const { scores } = end.settlement;
  const tried = triedVerdict(end.settlement);
  // A pass has no issues except notices, so the judge's reasoning is the reason.
  const judgeReason =
    scores.find(({ model, reasoning }) => model !== null && reasoning !== null)?.reasoning ?? null;
  const reason =
    tried.outcome === 'passed' ? (judgeReason ?? tried.reason) : (tried.reason ?? judgeReason);
  return { ...tried, reason, parts: kind.perturb?.placed?.(subject, scores) ?? [] };
}
