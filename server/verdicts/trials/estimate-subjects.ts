import type { PromptText } from '../../domain';
import { readModelSpec } from '../../llm';
import { type Ctx, newId } from '../../platform';
import { storedKindOf } from '../../catalog';
import { estimateUsd } from '../subjects/plan-run-spending';
import { loadSubjects, subjectKey } from '../subjects/load-subjects';
import { createRunSource, thresholdKeyOf } from '../subjects/run-setting';
import { readContent } from '../subjects/subject-content';
import type { SubjectDeps } from '../subjects/subject-deps';
import { getVerifierOf } from './get-verifier-of';

/** An upper bound of the cost of judging one subject again. */
export interface SubjectEstimate {
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
  readonly verifierVersion: number;
  readonly threshold: number | null;
}

export interface EstimateSubjects {
  readonly projectId: string;
  /** Its slug. */
  readonly verifier: string;
  /** A prompt that replaces the production one; null means the current one. */
  readonly pinned: { readonly slug: string; readonly prompt: PromptText } | null;
  /** Specs that replace the current judges; omitted: the current ones. */
  readonly judges?: readonly string[] | undefined;
  readonly subjectIds: readonly string[];
}

/** The number of contents in memory at once, since they may be large. */
const batch = 10;

/**
 * Estimates by id, for the subjects that use the pinned prompt, or for all if none is pinned;
 * subjects that this release cannot read are omitted.
 * @throws Error for an unknown kind; on storage faults
 */
export async function estimateSubjects(
  ctx: Ctx,
  deps: SubjectDeps,
  input: EstimateSubjects,
): Promise<Map<string, SubjectEstimate>> {
  const { projectId, pinned, judges, subjectIds } = input;
  const verifier = await getVerifierOf(ctx, projectId, input.verifier);
  const { kind } = verifier;
  const runs = createRunSource(ctx, deps, {
    prompts: new Map(pinned === null ? [] : [[pinned.slug, pinned.prompt]]),
    judges,
  });
  const createdAt = ctx.clock.now();
  const subjectKind = storedKindOf(verifier);
  const work = {
    projectId,
    id: newId('ver', createdAt),
    subjectKind,
    verifier: input.verifier,
    revision: 0,
    rule: null,
    fence: 0,
    attempts: 1,
    createdAt,
  };
  const found = new Map<string, SubjectEstimate>();
  for (let at = 0; at < subjectIds.length; at += batch) {
    const ids = subjectIds.slice(at, at + batch);
    const stored = await loadSubjects(
      ctx,
      ids.map((subjectId) => ({ ...work, subjectId })),
    );
    for (const id of ids) {
      const one = stored.get(subjectKey(projectId, subjectKind, id));
      if (one === undefined) continue;
      const content = tryRead(() => readContent(kind, one.content));
      if (content === null) continue;
      const { setting, verifierVersion, prices } = await runs.settingOf(verifier, content, one);
      if (pinned !== null && !setting.prompts.has(pinned.slug)) continue;
      const { inputTokens, outputTokens } = kind.estimate(content.subject, setting);
      found.set(id, {
        excerpt: kind.excerptOf(content.subject),
        judges: setting.judges.map((judge) => readModelSpec(judge, []).model),
        whyNone: setting.whyNone,
        asks: inputTokens + outputTokens > 0,
        tokens: (inputTokens + outputTokens) * setting.judges.length,
        costUsd: estimateUsd({ kind, subject: content.subject, setting, prices }),
        verifierVersion,
        threshold:
          setting.thresholds.get(thresholdKeyOf(kind, content.subject, setting.config))?.value ??
          null,
      });
    }
  }
  return found;
}

/** Null for content that this release cannot read. */
function tryRead<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
