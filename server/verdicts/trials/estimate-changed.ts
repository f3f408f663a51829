import { readModelSpec } from '../../llm';
import { type Ctx, newId } from '../../platform';
import { storedKindOf, type Verifier } from '../../catalog';
import { loadSubjects, type StoredSubject, subjectKey } from '../subjects/load-subjects';
import { estimateUsd } from '../subjects/plan-run-spending';
import { createRunSource, type RunSource } from '../subjects/run-setting';
import { readContent } from '../subjects/subject-content';
import type { SubjectDeps } from '../subjects/subject-deps';
import { asTrial, canariesOf, canaryAsStored, type Change, changeSubject } from './judge-changed';
import { getVerifierOf } from './get-verifier-of';

/** An upper bound of the cost of judging one subject once in each of the requested forms. */
export interface ChangedEstimate {
  /** One line of the subject, for lists. */
  readonly excerpt: string;
  /** Model specs of the judges; if none can be called, empty, and `whyNone` contains the reason. */
  readonly judges: readonly string[];
  readonly whyNone: string | null;
  /** Whether a judge is called: checks alone decide some subjects. */
  readonly asks: boolean;
  readonly tokens: number;
  /** US dollars; null if a price is unknown. */
  readonly costUsd: number | null;
}

export interface EstimateChanged {
  readonly projectId: string;
  /** Its slug. */
  readonly verifier: string;
  readonly changes: readonly Change[];
  readonly subjectIds: readonly string[];
}

/** The number of contents in memory at once, since they may be large. */
const batch = 10;

/**
 * Estimates by id, for subjects that have all requested forms and that this release can read.
 * @throws Error for an unknown kind; on storage faults
 */
export async function estimateChanged(
  ctx: Ctx,
  deps: SubjectDeps,
  input: EstimateChanged,
): Promise<Map<string, ChangedEstimate>> {
  const verifier = await getVerifierOf(ctx, input.projectId, input.verifier);
  const runs = createRunSource(ctx, deps, asTrial);
  const found = new Map<string, ChangedEstimate>();
  for (let at = 0; at < input.subjectIds.length; at += batch) {
    const ids = input.subjectIds.slice(at, at + batch);
    const stored = await loadByIds(ctx, input.projectId, verifier, ids);
    for (const id of ids) {
      const one = stored.get(subjectKey(input.projectId, storedKindOf(verifier), id));
      const estimate =
        one === undefined ? null : await estimateOf(verifier, one, input.changes, runs);
      if (estimate !== null) found.set(id, estimate);
    }
  }
  return found;
}

/**
 * Estimates of judging each canary of a kind once, by the canary's name. @throws like
 * `estimateChanged`
 */
export async function estimateCanaries(
  ctx: Ctx,
  deps: SubjectDeps,
  input: { readonly projectId: string; readonly verifier: string },
): Promise<Map<string, ChangedEstimate>> {
  const verifier = await getVerifierOf(ctx, input.projectId, input.verifier);
  const runs = createRunSource(ctx, deps, asTrial);
  const found = new Map<string, ChangedEstimate>();
  for (const canary of canariesOf(verifier.kind)) {
    const estimate = await estimateOf(
      verifier,
      canaryAsStored(verifier, canary, input.projectId),
      ['as_is'],
      runs,
    );
    if (estimate !== null) found.set(canary.name, { ...estimate, excerpt: canary.what });
  }
  return found;
}

/**
 * The length of each subject's judged work in characters, by id. Empty for kinds that do not report
 * it; unreadable subjects are omitted.
 */
export async function measureJudged(
  ctx: Ctx,
  input: Omit<EstimateChanged, 'changes'>,
): Promise<ReadonlyMap<string, number>> {
  const verifier = await getVerifierOf(ctx, input.projectId, input.verifier);
  const found = new Map<string, number>();
  const { kind } = verifier;
  if (kind.perturb?.judgedChars === undefined) return found;
  for (let at = 0; at < input.subjectIds.length; at += batch) {
    for (const { id, content } of (
      await loadByIds(ctx, input.projectId, verifier, input.subjectIds.slice(at, at + batch))
    ).values()) {
      const read = tryRead(() => readContent(kind, content));
      if (read !== null) found.set(id, kind.perturb.judgedChars(read.subject));
    }
  }
  return found;
}

function loadByIds(
  ctx: Ctx,
  projectId: string,
  verifier: Verifier,
  ids: readonly string[],
): ReturnType<typeof loadSubjects> {
  const createdAt = ctx.clock.now();
  const work = {
    projectId,
    id: newId('ver', createdAt),
    subjectKind: storedKindOf(verifier),
    verifier: verifier.slug,
    revision: 0,
  };
  return loadSubjects(
    ctx,
    ids.map((subjectId) => ({ ...work, subjectId, rule: null, fence: 0, attempts: 1, createdAt })),
  );
}

async function estimateOf(
  verifier: Verifier,
  stored: StoredSubject,
  changes: readonly Change[],
  runs: RunSource,
): Promise<ChangedEstimate | null> {
  const { kind } = verifier;
  const content = tryRead(() => readContent(kind, stored.content));
  if (content === null) return null;
  const { setting, prices } = await runs.settingOf(verifier, content, stored);
  let [tokens, costUsd]: [number, number | null] = [0, 0];
  for (const change of changes) {
    const subject = changeSubject(kind, content.subject, setting.config, change);
    if (subject === null) return null;
    const { inputTokens, outputTokens } = kind.estimate(subject, setting);
    tokens += (inputTokens + outputTokens) * setting.judges.length;
    const usd = estimateUsd({ kind, subject, setting, prices });
    costUsd = costUsd === null || usd === null ? null : costUsd + usd;
  }
  const { inputTokens, outputTokens } = kind.estimate(content.subject, setting);
  return {
    excerpt: kind.excerptOf(content.subject),
    judges: setting.judges.map((judge) => readModelSpec(judge, []).model),
    whyNone: setting.whyNone,
    asks: inputTokens + outputTokens > 0,
    tokens,
    costUsd,
  };
}

/** Null for content that this release cannot read. */
function tryRead<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
