import type { ProjectCtx } from '../../access';
import { sameModel } from '../../llm';
import { getPrompt, pinPrompt, type PromptDefaults } from '../../prompts';
import { estimateSubjects, type SubjectDeps, type SubjectEstimate } from '../../verdicts';
import type { TrialBody } from './trial-input';
import { findLabelledSubjects, type LabelledSubject } from './labelled-subjects';
import { findStoredVerdicts, saysOf, type StoredVerdict } from './stored-verdicts';

/** What a trial would take, before it is asked for. */
export interface TrialPlan {
  readonly slug: string;
  readonly version: number;
  /** What it is held against; null where the version that is tried is the one that runs. */
  readonly production: number | null;
  /** Labelled subjects that it would be run on, the good and the bad ones among them. */
  readonly subjects: number;
  readonly good: number;
  readonly bad: number;
  /** Labelled subjects of the verifier that were looked at to find them. */
  readonly looked: number;
  /** Subjects that the production version must be run on too: the others have its verdict. */
  readonly productionRuns: number;
  /** Models that would be asked. */
  readonly judges: readonly string[];
  /** Why nobody can be asked, of the first subject where that is so; null where all can be judged. */
  readonly whyNone: string | null;
  /** At most, of both versions: checks may decide without a judge. */
  readonly tokens: number;
  /** US dollars; null where a price is not known. */
  readonly costUsd: number | null;
}

/** A subject that a trial takes. */
export interface TrialSubject extends LabelledSubject {
  readonly excerpt: string;
  readonly verdictId: string | null;
}

export interface PlanTrial extends TrialBody {
  readonly slug: string;
  readonly version: number;
}

/** Labelled subjects looked at: more are not searched for those that a prompt applies to. */
const lookedMost = 1_000;
const page = 50;

/**
 * Chooses the subjects of a trial, and says what judging them would cost at most. Asks nobody and stores nothing.
 * @throws AssayError not_found (no such prompt or version), refused (a version that this release cannot use)
 */
export async function planTrial(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: PlanTrial,
): Promise<{ readonly plan: TrialPlan; readonly chosen: readonly TrialSubject[] }> {
  const { slug, version } = input;
  const { kind, production } = await findRunning(ctx, deps.prompts, slug);
  const [prompt, running] = await Promise.all([
    pinPrompt(ctx, deps.prompts, slug, version),
    pinPrompt(ctx, deps.prompts, slug, production),
  ]);
  const labelled = await findLabelledSubjects(ctx, { kind, order: input.order, seed: input.seed, limit: lookedMost });
  const chosen: (TrialSubject & { readonly estimate: SubjectEstimate; readonly stored: StoredVerdict | null })[] = [];
  let looked = 0;
  while (looked < labelled.length && chosen.length < input.subjects) {
    const part = labelled.slice(looked, looked + page);
    looked += part.length;
    const ids = part.map(({ id }) => id);
    const target = { projectId: ctx.projectId, kind, pinned: { slug, prompt }, subjectIds: ids };
    const [estimates, verdicts] = await Promise.all([estimateSubjects(ctx, deps, target), findStoredVerdicts(ctx, kind, ids)]);
    for (const each of part) {
      const estimate = estimates.get(each.id);
      if (estimate === undefined || chosen.length >= input.subjects) continue;
      const stored = verdicts.get(each.id) ?? null;
      chosen.push({ ...each, excerpt: estimate.excerpt, verdictId: stored?.id ?? null, estimate, stored });
    }
  }
  const needsRun = ({ estimate, stored }: (typeof chosen)[number]): boolean =>
    production !== version && (stored === null || !isReusable(stored, running.version, estimate));
  const runs = chosen.flatMap((each) => (needsRun(each) ? [each.estimate, each.estimate] : [each.estimate]));
  const plan: TrialPlan = {
    slug,
    version,
    production: production === version ? null : production,
    subjects: chosen.length,
    good: chosen.filter(({ good }) => good).length,
    bad: chosen.filter(({ good }) => !good).length,
    looked,
    productionRuns: runs.length - chosen.length,
    judges: [...new Set(chosen.flatMap(({ estimate }) => estimate.judges))],
    whyNone: chosen.find(({ estimate }) => estimate.judges.length === 0)?.estimate.whyNone ?? null,
    tokens: runs.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: runs.reduce<number | null>((sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd), 0),
  };
  return { plan, chosen: chosen.map(({ id, good, truthOf, excerpt, verdictId }) => ({ id, good, truthOf, excerpt, verdictId })) };
}

/** The verifier of a prompt, and the version whose text its judges get: the release's where the promoted one fell back. */
async function findRunning(ctx: ProjectCtx, prompts: PromptDefaults, slug: string): Promise<{ kind: string; production: number }> {
  const { kind, production, fellBack } = await getPrompt(ctx, prompts, slug);
  return { kind, production: fellBack === null ? production.version : 0 };
}

/** As far as it can be told before anybody was asked: the judges of the stored verdict are those who would judge now. */
function isReusable(stored: StoredVerdict, prompt: string, { judges, verifierVersion, threshold }: SubjectEstimate): boolean {
  const then = (stored.judge ?? '').split(' + ').map((name) => name.replace('/', ':'));
  return (
    saysOf(stored, { prompt, verifierVersion, threshold }) &&
    then.length === judges.length &&
    judges.every((judge) => then.some((name) => sameModel(name, judge)))
  );
}
