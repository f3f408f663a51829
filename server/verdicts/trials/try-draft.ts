import type { ProjectCtx } from '../../access';
import type { ReadDefinition } from '../../catalog';
import { EvaluationSubject, type PromptText } from '../../domain';
import { classifyStorageError } from '../../platform';
import type { ProgramFault } from '../../verifiers';
import { loadMaterials } from '../rule-subjects/load-materials';
import type { Settlement } from '../settle';
import { decideSubject, slowReach } from '../subjects/decide-subject';
import type { SubjectFacts } from '../subjects/load-subjects';
import { createRunSource } from '../subjects/run-setting';
import type { SubjectDeps } from '../subjects/subject-deps';
import { ownContent } from '../verifiers/own-subject';
import { withDetail } from '../wire';
import { asWork } from './try-subject';

export interface TryDraft {
  /** A definition that need not be stored. */
  readonly draft: ReadDefinition;
  /** Ids of stored turns and traces, or subjects. */
  readonly subjects: readonly unknown[];
  readonly signal: AbortSignal;
}

/** What a definition gives: the faults of its program, or one result for each subject. */
export interface DraftResult {
  readonly faults: readonly ProgramFault[];
  readonly data: readonly Readonly<Record<string, unknown>>[];
}

const noSandbox = 'This worker has no sandbox, and a function cannot be tried without one.';

/**
 * Verifies subjects by a definition, as the slow lane would, and stores nothing but the model
 * calls. A subject that cannot be read or judged has a reason in place of a verdict.
 * @throws on storage faults, and if `signal` fires
 */
export async function tryDraft(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  { draft, subjects, signal }: TryDraft,
): Promise<DraftResult> {
  const faults = await faultsOf(ctx, deps, draft, signal);
  if (faults.length > 0) return { faults, data: [] };
  const data: Readonly<Record<string, unknown>>[] = [];
  for (const given of subjects) {
    const id = typeof given === 'string' ? given : idOf(given);
    try {
      const subject = typeof given === 'string' ? await findSubject(ctx, given) : given;
      if (subject === null) data.push({ subject_id: id, reason: 'No turn or trace has this id.' });
      else data.push({ subject_id: id, ...(await tryOne(ctx, deps, draft, subject, signal)) });
    } catch (error) {
      if (signal.aborted || classifyStorageError(error) !== 'unknown') throw error;
      data.push({ subject_id: id, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { faults: [], data };
}

const idOf = (subject: unknown): string | null =>
  typeof subject === 'object' &&
  subject !== null &&
  'id' in subject &&
  typeof subject.id === 'string'
    ? subject.id
    : null;

async function faultsOf(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  { own, definition }: ReadDefinition,
  signal: AbortSignal,
): Promise<readonly ProgramFault[]> {
  if (own.faultsOf === undefined) return [];
  const functions = deps.functions?.forProject(ctx.projectId);
  if (functions === undefined) return [{ message: noSandbox, line: null }];
  return own.faultsOf(definition, { functions, example: null, signal });
}

/** The subject of a stored turn or trace; null if there is neither. */
async function findSubject(ctx: ProjectCtx, id: string): Promise<EvaluationSubject | null> {
  const wanted = ['turn', 'trace'].map((subjectKind) =>
    asWork(ctx, { projectId: ctx.projectId, verifier: '', subjectKind, subjectId: id }),
  );
  const materials = await loadMaterials(ctx, wanted);
  for (const work of wanted) {
    const found = await materials.get(work)?.();
    if (found != null) return found.subject;
  }
  return null;
}

async function tryOne(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  draft: ReadDefinition,
  given: unknown,
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { slug, kind, own, definition } = draft;
  const content = ownContent(EvaluationSubject.parse(given), definition);
  const { projectId } = ctx;
  const config = own.configOf?.(definition, slug) ?? definition;
  const text = own.promptOf?.(definition);
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
    judge: { calls: judging.calls, model: judging.model, cross_model: judging.crossModel },
    cost: { usd: judging.costUsd, usd_at_least: judging.priceUnknown, tokens: judging.tokens },
  };
  return withDetail(reply, kind, settlement.detail);
}
