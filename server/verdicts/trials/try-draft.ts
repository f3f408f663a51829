import type { ProjectCtx } from '../../access';
import type { ReadDefinition } from '../../catalog';
import { EvaluationSubject, type PromptText, type SubjectTarget } from '../../domain';
import { classifyStorageError } from '../../platform';
import type { ProgramFault } from '../../verifiers';
import { loadMaterials } from '../rule-subjects/load-materials';
import type { Settlement } from '../settle';
import { decideSubject, slowReach } from '../subjects/decide-subject';
import { loadSubjects, type SubjectFacts } from '../subjects/load-subjects';
import { createRunSource } from '../subjects/run-setting';
import { readContent } from '../subjects/subject-content';
import type { SubjectDeps } from '../subjects/subject-deps';
import { customContent } from '../verifiers/custom-subject';
import { withDetail } from '../wire';
import { asWork } from './try-subject';

export interface TryDraft {
  /** A definition that need not be stored. */
  readonly draft: ReadDefinition;
  /** A subject, or the id of a stored one. */
  readonly subject: unknown;
  /** Allowed types of stored subjects; `labelled`: a subject of the stored verifier itself. */
  readonly among: readonly (SubjectTarget | 'labelled')[];
  readonly signal: AbortSignal;
}

/** The members of a verify call's reply, or `reason` if there is no verdict. */
export type DraftVerdict = Readonly<Record<string, unknown>> & {
  readonly subject_id: string | null;
};

const noSandbox = 'This worker has no sandbox, and a function cannot be tried without one.';

/** Faults of a definition's program; none if it has no program. */
export async function findDraftFaults(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  { custom, definition }: ReadDefinition,
  signal: AbortSignal,
): Promise<readonly ProgramFault[]> {
  if (custom.faultsOf === undefined) return [];
  const functions = deps.functions?.forProject(ctx.projectId);
  if (functions === undefined) return [{ message: noSandbox, line: null }];
  return custom.faultsOf(definition, { functions, example: null, signal });
}

/**
 * Verifies a subject by a definition, as the slow lane would, and stores nothing but the model
 * calls. A subject that cannot be read or judged has a reason in place of a verdict.
 * @throws on storage faults, and if `signal` fires
 */
export async function tryDraft(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  { draft, subject: given, among, signal }: TryDraft,
): Promise<DraftVerdict> {
  const id = typeof given === 'string' ? given : idOf(given);
  try {
    const subject =
      typeof given === 'string'
        ? await findSubject(ctx, draft, given, among)
        : EvaluationSubject.parse(given);
    if (subject === null)
      return { subject_id: id, reason: `No ${among.join(' or ')} has this id.` };
    const facts = { target: subject.target, session_id: subject.session_id };
    return { subject_id: id, ...facts, ...(await tryOne(ctx, deps, draft, subject, signal)) };
  } catch (error) {
    if (signal.aborted || classifyStorageError(error) !== 'unknown') throw error;
    return { subject_id: id, reason: error instanceof Error ? error.message : String(error) };
  }
}

const idOf = (subject: unknown): string | null =>
  typeof subject === 'object' &&
  subject !== null &&
  'id' in subject &&
  typeof subject.id === 'string'
    ? subject.id
    : null;

/** A stored subject with this id, of the first target that has one; null if none has. */
async function findSubject(
  ctx: ProjectCtx,
  draft: ReadDefinition,
  id: string,
  among: TryDraft['among'],
): Promise<EvaluationSubject | null> {
  const { projectId } = ctx;
  const { slug } = draft;
  const works = among.map((target) =>
    asWork(ctx, {
      projectId,
      verifier: slug,
      subjectKind: target === 'labelled' ? slug : target,
      subjectId: id,
    }),
  );
  const materials = await loadMaterials(ctx, works);
  for (const work of works) {
    const found = await materials.get(work)?.();
    if (found != null) return found.subject;
  }
  if (!among.includes('labelled')) return null;
  const [stored] = (await loadSubjects(ctx, works)).values();
  if (stored === undefined) return null;
  const { subject } = readContent(draft.kind, stored.content);
  return EvaluationSubject.parse((subject as { subject: unknown }).subject);
}

async function tryOne(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  draft: ReadDefinition,
  subject: EvaluationSubject,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { slug, kind, custom, definition } = draft;
  const content = customContent(subject, definition);
  const { projectId } = ctx;
  const config = custom.configOf?.(definition, slug) ?? definition;
  const text = custom.promptOf?.(definition);
  const prompts = new Map<string, PromptText>(
    text === undefined ? [] : [[slug, { version: `${slug}@draft`, text, examples: [] }]],
  );
  const ask = deps.askFor({ projectId, verdictId: null });
  const end = await decideSubject(ctx, {
    work: asWork(ctx, { projectId, verifier: slug, subjectKind: slug, subjectId: '' }),
    stored: unstored(ctx, slug, content.facts.executor_model ?? null),
    kind,
    content,
    runs: createRunSource(ctx, deps, { prompts, config }),
    slow: slowReach(deps, (request) => ask({ ...request, purpose: `draft: ${request.purpose}` })),
    signal,
    isTrial: true,
  });
  if (end.state === 'decided') return asReply(end.settlement);
  return { reason: end.state === 'blocked' ? end.reason : 'The subject needs a model.' };
}

function unstored(ctx: ProjectCtx, kind: string, model: string | null): SubjectFacts {
  const none = { clientId: null, missionId: null, taskId: null, sessionId: null, traceId: null };
  return {
    ...none,
    projectId: ctx.projectId,
    kind,
    id: '',
    revision: 1,
    turnId: null,
    model,
    costUsd: null,
    createdAt: ctx.clock.now(),
  };
}

/** The members of a verify call's reply that a verdict has before it is stored. */
function asReply(settlement: Settlement): Readonly<Record<string, unknown>> {
  const { judging, kind } = settlement;
  const reply = {
    kind,
    outcome: settlement.outcome,
    verdict: settlement.verdict,
    action: settlement.action,
    score: settlement.score,
    confidence: settlement.confidence,
    needs_human_review: settlement.needsHumanReview,
    threshold: settlement.threshold,
    scores: settlement.scores,
    issues: settlement.issues,
    feedback: settlement.feedback,
    excerpt: settlement.excerpt,
    judge: { calls: judging.calls, model: judging.model, cross_model: judging.crossModel },
    cost: { usd: judging.costUsd, usd_at_least: judging.priceUnknown, tokens: judging.tokens },
  };
  return withDetail(reply, kind, settlement.detail);
}
