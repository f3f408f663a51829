import type { ProjectCtx } from '../../access';
import type { Outcome } from '../../domain';
import { notFound } from '../../platform';
import { listMissionJudges } from '../../verdicts';
import { getJob, type Job, listJobs } from '../../queue';
import type { LabelledSubject } from './labelled-subjects';
import type { GateFindings } from '../promotion/gate-findings';
import { type GatePair, judgePromotion, type SliceName } from '../promotion/judge-promotion';
import { findRequiredSlices } from '../promotion/required-slices';
import { isFlip, sumTrial, type TrialSum } from './sum-trial';
import { TrialJob, trialKind } from './trial-job';

/** A trial without its rows. */
export interface TrialHead {
  readonly id: string;
  readonly slug: string;
  /** The verifier that uses the prompt. */
  readonly kind: string;
  readonly version: number;
  /** The judge of the candidate version (`JudgeList`); null for the project's judge then. */
  readonly judge: string | null;
  /**
   * The version it was compared with, usually the production one; null if there was none because
   * the candidate version was the current one.
   */
  readonly productionVersion: number | null;
  readonly againstJudge: string | null;
  /** Whether the trial used only held-out subjects: the promotion gate uses no other trials. */
  readonly heldOut: boolean;
  /**
   * The project's judges when the trial began (`JudgeList`), '' if none was named; null for a trial
   * of an earlier release.
   */
  readonly projectJudges: string | null;
  readonly state: Job['state'];
  /** Why the trial failed or is waiting for a retry. */
  readonly reason: string | null;
  readonly done: number;
  readonly total: number;
  /** The upper bound in US dollars estimated before the trial began; null if a price is unknown. */
  readonly estimateUsd: number | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

/**
 * The source of the other option's verdict: stored, judged for the trial, or identical because no
 * judge was called.
 */
type TrialSource = 'stored' | 'run' | 'same';

export interface TrialRow {
  readonly subjectId: string;
  /** The verdict of the original verification; null if there is none. */
  readonly verdictId: string | null;
  readonly excerpt: string;
  readonly good: boolean;
  /** The kind of label that determined the truth when the trial began. */
  readonly truthOf: LabelledSubject['truthOf'];
  readonly outcome: Outcome;
  readonly verdict: string | null;
  readonly score: number | null;
  readonly reason: string | null;
  readonly judge: string | null;
  readonly production: {
    readonly source: TrialSource;
    readonly outcome: Outcome;
    readonly verdict: string | null;
    readonly score: number | null;
    readonly reason: string | null;
    readonly judge: string | null;
  } | null;
  readonly isFlip: boolean;
}

/** The results of a trial so far. */
export interface Trial extends TrialHead, TrialSum {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars, over the calls with a known price. */
  readonly costUsd: number;
  /**
   * Subjects for which a model of unknown price was called. If there are any, `costUsd` is a lower
   * bound.
   */
  readonly unpriced: number;
  /** Subjects for which the stored verdict served as the other option's. */
  readonly reused: number;
  /** The findings about replacing one option with the other; null if there is no other option. */
  readonly findings: GateFindings | null;
  /** The judged subjects, in order. */
  readonly rows: readonly TrialRow[];
}

interface Row {
  subject_id: string;
  session_id: string | null;
  verdict_id: string | null;
  excerpt: string;
  good: boolean;
  truth_of: LabelledSubject['truthOf'];
  outcome: Outcome;
  verdict: string | null;
  score: number | null;
  reason: string | null;
  judge_model: string | null;
  production_source: TrialSource | null;
  production_outcome: Outcome | null;
  production_verdict: string | null;
  production_score: number | null;
  production_reason: string | null;
  production_judge: string | null;
  own_cost_usd: number | null;
  production_cost_usd: number | null;
  latency_ms: number | null;
  production_latency_ms: number | null;
  slices: readonly SliceName[];
  judge_calls: number;
  tokens: string;
  cost_usd: number;
}

/**
 * @throws AssayError not_found, also for a trial of another project or prompt and for a job that is
 * not a trial
 */
export async function getTrial(
  ctx: ProjectCtx,
  input: { readonly slug: string; readonly id: string },
): Promise<Trial> {
  const job = await getJob(ctx, input.id);
  const head = headOf(job);
  if (head === null || head.slug !== input.slug) throw notFound('trial');
  const found = await ctx.sql<Row[]>`
    select subject_id, (select s.session_id from subjects s where s.project_id = t.project_id and s.kind = ${head.kind} and s.id = t.subject_id) as session_id,
      verdict_id, excerpt, good, truth_of, outcome, verdict, score, reason, judge_model, production_source,
      production_outcome, production_verdict, production_score, production_reason, production_judge, own_cost_usd, production_cost_usd, latency_ms,
      production_latency_ms, slices, judge_calls, tokens, cost_usd
    from prompt_trial_subjects t
    where project_id = ${ctx.projectId} and trial_id = ${job.id} and tried_at is not null order by ordinal`;
  const rows = found.map(asRow);
  const [required, missions] = await Promise.all([
    findRequiredSlices(ctx, head.kind),
    listMissionJudges(ctx),
  ]);
  // Answers of a mission's previous judge do not apply to its current one.
  const changed = new Set(
    missions
      .filter(({ updatedAt }) => updatedAt > head.createdAt)
      .map(({ missionId }) => missionId),
  );
  const isAsNow = ({ slices }: Row): boolean =>
    !slices.some(({ by, value }) => by === 'mission' && changed.has(value));
  const sum = (of: (row: Row) => number): number =>
    found.reduce((total, row) => total + of(row), 0);
  return {
    ...head,
    findings:
      head.productionVersion === null
        ? null
        : judgePromotion(found.filter(isAsNow).flatMap(asPair), required),
    // Counts the rows, because a step stores them before it records its progress.
    done: rows.length,
    ...sumTrial(rows.map((row, i) => ({ ...row, cluster: clusterOf(found[i], row) }))),
    calls: sum((row) => row.judge_calls),
    tokens: sum((row) => Number(row.tokens)),
    costUsd: sum((row) => row.cost_usd),
    unpriced: found.filter((row) => Number(row.tokens) > 0 && row.cost_usd === 0).length,
    reused: rows.filter(({ production }) => production?.source === 'stored').length,
    rows,
  };
}

/** The latest trials of one prompt, newest first. */
export async function listTrials(
  ctx: ProjectCtx,
  input: { readonly slug: string },
): Promise<TrialHead[]> {
  return (await listAllTrials(ctx, 1_000)).filter(({ slug }) => slug === input.slug).slice(0, 50);
}

/** The latest trials of all prompts, newest first, up to a limit. */
export async function listAllTrials(ctx: ProjectCtx, max: number): Promise<TrialHead[]> {
  const jobs = await listJobs(ctx, { kind: trialKind, limit: max });
  return jobs.flatMap((job) => headOf(job) ?? []);
}

function headOf(job: Job): TrialHead | null {
  const input = job.kind === trialKind ? TrialJob.safeParse(job.input).data : undefined;
  if (input === undefined) return null;
  const { id, state, reason, done, createdBy, createdAt, finishedAt } = job;
  const {
    slug,
    kind,
    version,
    judge,
    production: productionVersion,
    againstJudge,
    heldOut,
    seats: projectJudges,
    estimateUsd,
  } = input;
  const head = {
    id,
    slug,
    kind,
    version,
    judge,
    productionVersion,
    againstJudge,
    heldOut,
    projectJudges,
    state,
    reason,
    done,
    total: job.total ?? 0,
  };
  return { ...head, estimateUsd, createdBy, createdAt, finishedAt };
}

const clusterOf = (row: Row | undefined, { subjectId }: TrialRow): string =>
  row?.session_id ?? subjectId;

function asPair(row: Row): GatePair[] {
  if (row.production_outcome === null) return [];
  return [
    {
      cluster: row.session_id ?? row.subject_id,
      good: row.good,
      tried: { outcome: row.outcome, costUsd: row.own_cost_usd, latencyMs: row.latency_ms },
      other: {
        outcome: row.production_outcome,
        costUsd: row.production_cost_usd,
        latencyMs: row.production_latency_ms,
      },
      slices: row.slices,
    },
  ];
}

function asRow(row: Row): TrialRow {
  const { outcome, good, verdict, score, reason, excerpt } = row;
  const production =
    row.production_source === null || row.production_outcome === null
      ? null
      : {
          source: row.production_source,
          outcome: row.production_outcome,
          verdict: row.production_verdict,
          score: row.production_score,
          reason: row.production_reason,
          judge: row.production_judge,
        };
  return {
    subjectId: row.subject_id,
    verdictId: row.verdict_id,
    excerpt,
    good,
    truthOf: row.truth_of,
    outcome,
    verdict,
    score,
    reason,
    judge: row.judge_model,
    production,
    isFlip: isFlip({ outcome, production }),
  };
}
