import { z } from 'zod';
import type { ProjectCtx } from '../../access';
import { Outcome, SubjectTarget } from '../../domain';
import type { Measure } from '../../measures';
import { notFound, refused } from '../../platform';
import { getJob, type Job } from '../../queue';
import { listCandidateIds } from '../../rules';
import type { ProgramFault } from '../../verifiers';
import { findLabelledSubjects, findTruths } from '../trials/labelled-subjects';
import { sumTrial } from '../trials/sum-trial';
import { DraftSubjects, draftTryLimits } from './draft-input';
import { DefinitionText, draftKind, type DraftResult, startDraft } from './draft-job';

export interface StartDraftTry {
  readonly slug: string;
  readonly definition: unknown;
  readonly subjects: DraftSubjects;
}

/**
 * Tries a definition on stored subjects in a worker. The result is kept for an hour.
 * @throws AssayError invalid_request (with every fault of the definition), refused (there is no
 * such subject)
 */
export async function startDraftTry(
  ctx: ProjectCtx,
  { slug, definition, subjects }: StartDraftTry,
): Promise<{ readonly id: string }> {
  const ids =
    subjects === 'labelled'
      ? await listLabelledIds(ctx, slug)
      : await listCandidateIds(ctx, { target: subjects, limit: draftTryLimits.newest });
  if (ids.length === 0)
    throw refused(
      subjects === 'labelled'
        ? `subjects: "${slug}" has no labelled subjects; rule on its verdicts first`
        : `subjects: the project has no ${subjects}s yet; send some`,
    );
  const { id } = await startDraft(ctx, { slug, definition, subjects: ids, among: [subjects] });
  return { id };
}

async function listLabelledIds(ctx: ProjectCtx, slug: string): Promise<string[]> {
  const found = await findLabelledSubjects(ctx, {
    kind: slug,
    order: 'newest',
    seed: 1,
    limit: draftTryLimits.labelled,
    heldOut: null,
  });
  return found.map(({ id }) => id);
}

/** One subject of a test run. */
export interface DraftRow {
  readonly subjectId: string;
  /** The type of the subject; null if it could not be read. */
  readonly target: SubjectTarget | null;
  /** The start of the judged content; empty if it could not be read. */
  readonly excerpt: string;
  /** Null if there is no verdict. */
  readonly outcome: Outcome | null;
  readonly verdict: string | null;
  /** On the verifier's scale of 0 to 1; null if the subject was not scored. */
  readonly score: number | null;
  /** Why this verdict, or why there is none; null if nothing was found. */
  readonly reason: string | null;
  /** Whether the subject is good according to the labels; null if it has no label. */
  readonly good: boolean | null;
}

export interface DraftTry {
  readonly id: string;
  readonly slug: string;
  /** The definition that was tried. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly state: Job['state'];
  /** Why the job failed, or waits for a retry. */
  readonly reason: string | null;
  readonly done: number;
  readonly total: number;
  readonly subjects: DraftSubjects;
  /** Faults of a function, which was then called on no subject. */
  readonly faults: readonly ProgramFault[];
  readonly rows: readonly DraftRow[];
  /** With the labels of the subjects that the draft passed or failed; null without a label. */
  readonly agreement: Measure | null;
  /** US dollars of models for 1,000 subjects; null before the first verdict. */
  readonly costPer1000: { readonly usd: number; readonly isLowerBound: boolean } | null;
}

const TryInput = z.object({
  slug: z.string(),
  definition: DefinitionText,
  among: z.tuple([DraftSubjects]),
});

const TriedSubject = z.object({
  subject_id: z.string(),
  target: SubjectTarget.nullable().default(null),
  session_id: z.string().nullish(),
  excerpt: z.string().default(''),
  outcome: Outcome.nullable().default(null),
  verdict: z.string().nullable().default(null),
  score: z.number().nullable().default(null),
  reason: z.string().nullable().default(null),
  scores: z
    .array(
      z.looseObject({
        reasoning: z.string().nullish(),
        met: z.boolean().nullish(),
        model: z.string().nullish(),
      }),
    )
    .default([]),
  issues: z.array(z.looseObject({ message: z.string() })).default([]),
  cost: z.looseObject({ usd: z.number(), usd_at_least: z.boolean() }).optional(),
});

/** @throws AssayError not_found (it ended more than an hour ago) */
export async function getDraftTry(ctx: ProjectCtx, id: string): Promise<DraftTry> {
  const job = await getJob(ctx, id);
  const input = TryInput.safeParse(job.input);
  if (job.kind !== draftKind || !input.success) throw notFound('try');
  const result = (job.result ?? { faults: [], data: [] }) as DraftResult;
  const triedSubjects = result.data.map((each) => TriedSubject.parse(each));
  const truths = await findTruths(
    ctx,
    input.data.slug,
    triedSubjects.map((each) => each.subject_id),
  );
  const rows = triedSubjects.map(
    (each): DraftRow => ({
      subjectId: each.subject_id,
      target: each.target,
      excerpt: each.excerpt,
      outcome: each.outcome,
      verdict: each.verdict,
      score: each.score,
      reason: reasonOf(each),
      good: truths.get(each.subject_id) ?? null,
    }),
  );
  const { state, reason, done, total } = job;
  return {
    id,
    slug: input.data.slug,
    definition: input.data.definition,
    state,
    reason,
    done,
    total: total ?? 0,
    subjects: input.data.among[0],
    faults: result.faults,
    rows,
    agreement: agreementOf(triedSubjects, truths),
    costPer1000: costPer1000(triedSubjects),
  };
}

type TriedSubject = z.infer<typeof TriedSubject>;

/**
 * The reason for a missing verdict, else the unmet criterion, a model's reason, or the first issue.
 */
function reasonOf({ reason, scores, issues }: TriedSubject): string | null {
  const verdictScore =
    scores.find(({ met }) => met === false) ?? scores.find(({ model }) => model != null);
  return reason ?? verdictScore?.reasoning ?? issues[0]?.message ?? null;
}

function agreementOf(
  triedSubjects: readonly TriedSubject[],
  truths: ReadonlyMap<string, boolean>,
): Measure | null {
  const labelled = triedSubjects.flatMap(({ subject_id: id, session_id: session, outcome }) => {
    const good = truths.get(id);
    return good === undefined || outcome === null
      ? []
      : [{ cluster: session ?? id, good, outcome, production: null }];
  });
  return labelled.length === 0 ? null : sumTrial(labelled).tried.rates.agreement;
}

function costPer1000(triedSubjects: readonly TriedSubject[]): DraftTry['costPer1000'] {
  const costs = triedSubjects.flatMap(({ cost }) => cost ?? []);
  if (costs.length === 0) return null;
  return {
    usd: (1_000 * costs.reduce((sum, { usd }) => sum + usd, 0)) / costs.length,
    isLowerBound: costs.some(({ usd_at_least: isAtLeast }) => isAtLeast),
  };
}
