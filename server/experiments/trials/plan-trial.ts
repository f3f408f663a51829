import type { ProjectCtx } from '../../access';
import { sameModel } from '../../llm';
import { refused } from '../../platform';
import { applicationKind, getPrompt, pinPrompt, type PromptDefaults } from '../../prompts';
import {
  estimateSubjects,
  listMissionJudges,
  loadJudging,
  type SubjectDeps,
  type SubjectEstimate,
} from '../../verdicts';
import type { SliceName } from '../promotion/judge-promotion';
import type { TrialBody } from './trial-input';
import { findLabelledSubjects, type LabelledSubject } from './labelled-subjects';
import { areJudges, judgesOf, judgeListText } from './judge-list';
import { findStoredVerdicts, isCurrentAnswer, type StoredVerdict } from './stored-verdicts';

/** The estimated cost of a trial. */
export interface TrialPlan {
  readonly slug: string;
  readonly version: number;
  /** The judge of the candidate version; null for the project's current one. */
  readonly judge: string | null;
  /**
   * The version to compare with, usually the current one; null if the candidate is the
   * current one.
   */
  readonly production: number | null;
  readonly againstJudge: string | null;
  /** Whether only held-out subjects are used. */
  readonly heldOut: boolean;
  /** Number of labelled subjects of the trial, and of the good and the bad ones among them. */
  readonly subjects: number;
  readonly good: number;
  readonly bad: number;
  /** Number of labelled subjects of the verifier that were searched. */
  readonly looked: number;
  /** Number of subjects to judge with the other option too; for the rest its verdict is stored. */
  readonly productionRuns: number;
  /** Models to call. */
  readonly judges: readonly string[];
  /** Why no judge is available, for the first such subject; null if all can be judged. */
  readonly whyNone: string | null;
  /** Upper bound for both options: checks may decide without a judge. */
  readonly tokens: number;
  /** US dollars; null if a price is unknown. */
  readonly costUsd: number | null;
}

/** A subject of a trial. */
export interface TrialSubject extends Pick<LabelledSubject, 'id' | 'good' | 'truthOf'> {
  readonly excerpt: string;
  readonly verdictId: string | null;
  readonly slices: readonly SliceName[];
}

export interface PlanTrial extends TrialBody {
  readonly slug: string;
  readonly version: number;
}

/** A version of the prompt, and its judge; a null judge means the current one. */
export interface TrialOption {
  readonly version: number;
  readonly judge: string | null;
}

interface Chosen extends TrialSubject {
  /** Null if there is no other option. */
  readonly estimates: {
    readonly candidate: SubjectEstimate;
    readonly other: SubjectEstimate | null;
  };
  readonly stored: StoredVerdict | null;
}

/** Maximum number of labelled subjects searched for those that a prompt applies to. */
const searchedMax = 1_000;
const page = 50;

/**
 * Chooses the subjects of a trial and returns an upper bound of the cost of judging them. Calls no
 * model and stores nothing. Excludes subjects that a judge other than an option's would judge:
 * their work is of that judge's own family, or their mission has its own judge, which the project's
 * judges never replace.
 * @throws AssayError not_found (no such prompt or version), refused (a version that this release
 * cannot use; two equal options; a prompt for turns or of an application)
 */
export async function planTrial(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  input: PlanTrial,
): Promise<{
  readonly plan: TrialPlan;
  readonly chosen: readonly TrialSubject[];
  readonly kind: string;
  readonly projectJudges: string;
}> {
  const { slug, heldOut } = input;
  const { kind, production } = await findRunning(ctx, deps.prompts, slug);
  const found = deps.kinds.get(kind);
  if (found === undefined || found.readsTurns) {
    const message =
      kind === applicationKind
        ? 'is a prompt of an application, which judges nothing: run an experiment with it'
        : 'judges turns, which trials do not support: compare its scores in calibration';
    throw refused(`slug: "${slug}" ${message}`, [{ path: 'slug', message }]);
  }
  const projectJudges = judgeListText(await loadJudging(ctx, ctx.projectId, kind));
  const { candidate, other } = optionsOf(input, production, projectJudges);
  const [prompt, against] = await Promise.all([
    pinPrompt(ctx, deps.prompts, slug, candidate.version),
    other === null ? null : pinPrompt(ctx, deps.prompts, slug, other.version),
  ]);
  const examples = [...prompt.examples, ...(against?.examples ?? [])];
  const namesJudge = candidate.judge !== null || (other !== null && other.judge !== null);
  const ownJudges = namesJudge ? await listMissionJudges(ctx) : [];
  const hasOwnJudge = ({ missionId }: LabelledSubject): boolean =>
    ownJudges.some((mission) => mission.missionId === missionId && mission.judge !== null);
  const labelled = await findLabelledSubjects(ctx, {
    kind,
    order: input.order,
    seed: input.seed,
    limit: searchedMax,
    heldOut: heldOut ? { examples } : null,
  });
  const { chosen, looked } = await chooseSubjects(ctx, deps, {
    ...input,
    kind,
    candidate: { ...candidate, prompt },
    other: other === null || against === null ? null : { ...other, prompt: against },
    labelled,
    hasOwnJudge,
  });
  const isRun = ({ estimates, stored }: Chosen): boolean =>
    against !== null &&
    other !== null &&
    (stored === null ||
      other.judge !== candidate.judge ||
      !isReusable(stored, against.version, estimates.other ?? estimates.candidate));
  const plan = planOf({ slug, candidate, other, heldOut, looked, chosen, isRun });
  const subjects = chosen.map(({ estimates: _estimates, stored: _stored, ...subject }) => subject);
  return { plan, chosen: subjects, kind, projectJudges };
}

interface PinnedOption extends TrialOption {
  readonly prompt: Awaited<ReturnType<typeof pinPrompt>>;
}

interface Choosing extends Pick<PlanTrial, 'slug' | 'subjects'> {
  readonly kind: string;
  readonly candidate: PinnedOption;
  readonly other: PinnedOption | null;
  readonly labelled: readonly LabelledSubject[];
  readonly hasOwnJudge: (subject: LabelledSubject) => boolean;
}

/** The first labelled subjects that the judges of both options would judge. */
async function chooseSubjects(
  ctx: ProjectCtx,
  deps: SubjectDeps,
  { slug, kind, subjects, candidate, other, labelled, hasOwnJudge }: Choosing,
): Promise<{ readonly chosen: readonly Chosen[]; readonly looked: number }> {
  const chosen: Chosen[] = [];
  let looked = 0;
  while (looked < labelled.length && chosen.length < subjects) {
    const part = labelled.slice(looked, looked + page);
    looked += part.length;
    const subjectIds = part.map(({ id }) => id);
    const estimate = ({ judge, prompt }: PinnedOption) =>
      estimateSubjects(ctx, deps, {
        projectId: ctx.projectId,
        verifier: kind,
        pinned: { slug, prompt },
        judges: judgesOf(judge),
        subjectIds,
      });
    const candidateEstimates = await estimate(candidate);
    const otherEstimates =
      other === null || other.judge === candidate.judge
        ? candidateEstimates
        : await estimate(other);
    const verdicts = await findStoredVerdicts(ctx, kind, subjectIds);
    for (const each of part) {
      const [a, b] = [candidateEstimates.get(each.id), otherEstimates.get(each.id)];
      if (chosen.length >= subjects || a === undefined || b === undefined || hasOwnJudge(each))
        continue;
      if (!isJudgedBy(a, candidate.judge) || (other !== null && !isJudgedBy(b, other.judge)))
        continue;
      const stored = verdicts.get(each.id) ?? null;
      const { id, good, truthOf } = each;
      chosen.push({
        id,
        good,
        truthOf,
        excerpt: a.excerpt,
        verdictId: stored?.id ?? null,
        slices: slicesOf(each, stored),
        estimates: { candidate: a, other: other === null ? null : b },
        stored,
      });
    }
  }
  return { chosen, looked };
}

/** @throws AssayError refused (two equal options) */
function optionsOf(
  { version, judge, against }: PlanTrial,
  production: number,
  projectJudges: string,
): { readonly candidate: TrialOption; readonly other: TrialOption | null } {
  const candidate = { version, judge: judge ?? null };
  const other = { version: against?.version ?? production, judge: against?.judge ?? null };
  const isSame =
    candidate.version === other.version &&
    (candidate.judge ?? projectJudges) === (other.judge ?? projectJudges);
  if (!isSame) return { candidate, other };
  if (against === undefined && judge === undefined) return { candidate, other: null };
  const message = 'both options are the same: choose another version or another judge';
  throw refused(`against: ${message}`, [{ path: 'against', message }]);
}

interface Planned {
  readonly slug: string;
  readonly candidate: TrialOption;
  readonly other: TrialOption | null;
  readonly heldOut: boolean;
  readonly looked: number;
  readonly chosen: readonly Chosen[];
  readonly isRun: (chosen: Chosen) => boolean;
}

function planOf({ slug, candidate, other, heldOut, looked, chosen, isRun }: Planned): TrialPlan {
  const runs = chosen.flatMap((each) => [
    each.estimates.candidate,
    ...(isRun(each) && each.estimates.other !== null ? [each.estimates.other] : []),
  ]);
  const bad = chosen.filter(({ good }) => !good).length;
  return {
    slug,
    ...candidate,
    production: other?.version ?? null,
    againstJudge: other?.judge ?? null,
    heldOut,
    subjects: chosen.length,
    good: chosen.length - bad,
    bad,
    looked,
    productionRuns: runs.length - chosen.length,
    judges: [...new Set(runs.flatMap(({ judges }) => judges))],
    whyNone: runs.find(({ judges }) => judges.length === 0)?.whyNone ?? null,
    tokens: runs.reduce((sum, { tokens }) => sum + tokens, 0),
    costUsd: runs.reduce<number | null>(
      (sum, { costUsd }) => (sum === null || costUsd === null ? null : sum + costUsd),
      0,
    ),
  };
}

const isJudgedBy = ({ judges }: SubjectEstimate, judge: string | null): boolean =>
  judge === null || areJudges(judges, judge);

function slicesOf(
  { model, missionId }: LabelledSubject,
  stored: StoredVerdict | null,
): SliceName[] {
  const values = [
    ['model', model],
    ['mission', missionId],
    ['tier', stored?.tier ?? null],
    ['complexity', stored?.complexity ?? null],
  ] as const;
  return values.flatMap(([by, value]) => (value === null || value === '' ? [] : [{ by, value }]));
}

/**
 * The kind of a prompt's verifier, and the version in use, which is the first one if the promoted
 * one fell back.
 */
async function findRunning(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  slug: string,
): Promise<{ kind: string; production: number }> {
  const { kind, production, fellBack, base } = await getPrompt(ctx, prompts, slug);
  return { kind, production: fellBack === null ? production.version : base };
}

/** Predicts before any call whether the judges of the stored verdict are the current ones. */
function isReusable(
  stored: StoredVerdict,
  prompt: string,
  { judges, verifierVersion, threshold }: SubjectEstimate,
): boolean {
  const then = (stored.judge ?? '').split(' + ').map((name) => name.replace('/', ':'));
  return (
    isCurrentAnswer(stored, { prompt, verifierVersion, threshold }) &&
    then.length === judges.length &&
    judges.every((judge) => then.some((name) => sameModel(name, judge)))
  );
}
