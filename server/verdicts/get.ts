import { isReadableRun, type ProjectCtx } from '../access';
import { type Issue, IntegrityDetail, type Score } from '../domain';
import { classifyStorageError, notFound } from '../platform';
import type { EffectiveThreshold, ThresholdSource } from '../thresholds';
import { findSentAnswer, findTurn, type StoredTurn } from '../ingest';
import { asVerdictRow, type StoredRow, type VerdictRow } from './rows';
import { loadTraceAnswers } from './rule-subjects/load-trace-answers';
import { asVerified } from './rule-sources';
import { isLabelled, loadRulings, type Ruling } from './rulings';
import {
  asPending,
  pendingColumns,
  type PendingRow,
  pendingTables,
  type PendingVerdict,
} from './pending';
import type { Judging } from './settle';

/** A verdict with everything it is based on. A pending one is a `PendingVerdict`. */
export interface FullVerdict extends VerdictRow {
  readonly state: 'settled';
  readonly subjectId: string;
  readonly traceId: string | null;
  readonly clientId: string | null;
  readonly action: string;
  readonly confidence: number | null;
  readonly needsHumanReview: boolean;
  /** The threshold that decided the verdict; null for kinds that count instead of comparing. */
  readonly threshold: EffectiveThreshold | null;
  readonly scores: readonly Score[];
  readonly issues: readonly Issue[];
  readonly feedback: string | null;
  readonly decision: { readonly state: string; readonly reason: string | null };
  /** Rulings of people, oldest first. */
  readonly rulings: readonly Ruling[];
  readonly missionId: string | null;
  readonly taskId: string | null;
  /** The experiment whose output it is on; null if on live work. */
  readonly experimentId: string | null;
  /** Null where the kind's own detail reports retries (integrity has one re-prompt). */
  readonly retries: { readonly used: number; readonly budget: number } | null;
  readonly judging: Judging;
  readonly integrity: IntegrityDetail | null;
  /** The members specific to the kind, in the format of the API. */
  readonly detail: unknown;
}

interface FullRow extends StoredRow {
  subject_id: string;
  trace_id: string | null;
  client_id: string | null;
  action: string;
  confidence: number | null;
  needs_human_review: boolean;
  issues: Issue[];
  feedback: string | null;
  decision_state: string;
  decision_reason: string | null;
  mission_id: string | null;
  task_id: string | null;
  experiment_id: string | null;
  threshold_value: number | null;
  threshold_source: string | null;
  threshold_version: number | null;
  retries_used: number | null;
  retries_budget: number | null;
  judge_calls: number;
  judge_model: string | null;
  cross_model: string | null;
  cost_usd: number;
  price_unknown: boolean;
  tokens: string;
  share_of_task: number | null;
  over_budget: boolean;
  detail: unknown;
}

interface ScoreRow {
  verdict_id: string;
  name: string;
  evaluator: string;
  state: Score['state'];
  value: number | null;
  met: boolean | null;
  must_pass: boolean;
  weight: number;
  reasoning: string | null;
  evidence: Score['evidence'];
  model: string | null;
  prompt_version: string | null;
  cost_usd: number;
  latency_ms: number;
  cached: boolean;
}

/** @throws AssayError not_found, also for an id of another project */
export async function getVerdict(
  ctx: ProjectCtx,
  id: string,
): Promise<FullVerdict | PendingVerdict> {
  const found = await findVerdict(ctx, id);
  if (found === null) throw notFound('verification');
  return found;
}

export async function findVerdict(
  ctx: ProjectCtx,
  id: string,
): Promise<FullVerdict | PendingVerdict | null> {
  const [verdict] = await loadVerdicts(ctx, [id]);
  if (verdict !== undefined) return asSent(ctx, verdict);
  const pending = await findPending(ctx, id);
  if (pending !== null) return pending;
  // The verdict may have settled between the two reads: the commit that stores it also deletes its
  // work.
  const [settled] = await loadVerdicts(ctx, [id]);
  return settled === undefined ? null : asSent(ctx, settled);
}

/**
 * An answer that was not verified is returned byte for byte (INT-11). PostgreSQL cannot store every
 * text, so the answer is read from the turn as sent.
 */
async function asSent(ctx: ProjectCtx, verdict: FullVerdict): Promise<FullVerdict> {
  const { integrity, turnId, outcome } = verdict;
  if (
    outcome !== 'skipped' ||
    integrity === null ||
    turnId === null ||
    !/[\u2400\ufffd]/.test(integrity.answer)
  )
    return verdict;
  const answer = await findSentAnswer(ctx, turnId);
  return answer === null ? verdict : { ...verdict, integrity: { ...integrity, answer } };
}

/**
 * Verdicts with their scores, in the order of `ids`; ids of other projects, and those that the
 * caller may not read, are omitted.
 */
export async function loadVerdicts(
  ctx: ProjectCtx,
  ids: readonly string[],
): Promise<FullVerdict[]> {
  if (ids.length === 0) return [];
  const { sql, projectId } = ctx;
  const rows = await sql<FullRow[]>`
    select id, kind, verifier_slug, verifier_version, outcome, verdict, score, model, excerpt, turn_id, session_id, created_at, settled_at,
      subject_kind, subject_id, trace_id, client_id, action, confidence, needs_human_review, superseded, issues, feedback, decision_state, decision_reason, detail,
      mission_id, task_id, threshold_value, threshold_source, threshold_version, retries_used, retries_budget, judge_calls, judge_model,
      cross_model, cost_usd, price_unknown, tokens, share_of_task, over_budget, experiment_id,
      (detail->>'unsourced')::int as unsourced,
      case when jsonb_typeof(detail->'figures') = 'array' then jsonb_array_length(detail->'figures') end as figures,
      ${isLabelled(sql)} as labelled
    from verdicts where project_id = ${projectId} and id in ${sql(ids)}
      and ${isReadableRun(ctx, sql`experiment_id`, sql`verdicts.turn_id`)}`;
  if (rows.length === 0) return [];
  const measured = await sql<ScoreRow[]>`
    select verdict_id, name, evaluator, state, value, met, must_pass, weight, reasoning, evidence, model, prompt_version, cost_usd, latency_ms,
      cached
    from scores where project_id = ${projectId} and verdict_id in ${sql(ids)} order by verdict_id, ordinal`;
  const labelled = rows.filter((row) => row.labelled);
  const rulings = await loadRulings(
    ctx,
    labelled.map((row) => row.id),
  );
  const scores = new Map<string, Score[]>();
  for (const { verdict_id, ...score } of measured) {
    const ofVerdict = scores.get(verdict_id) ?? [];
    ofVerdict.push(score as Score);
    scores.set(verdict_id, ofVerdict);
  }
  const verdicts = new Map(
    rows.map((row) => [
      row.id,
      asFullVerdict(row, scores.get(row.id) ?? [], rulings.get(row.id) ?? []),
    ]),
  );
  return ids.flatMap((id) => verdicts.get(id) ?? []);
}

function asFullVerdict(
  row: FullRow,
  scores: readonly Score[],
  rulings: readonly Ruling[],
): FullVerdict {
  const detail = IntegrityDetail.safeParse(row.detail);
  return {
    ...asVerdictRow(row, rulings),
    rulings,
    state: 'settled',
    subjectId: row.subject_id,
    traceId: row.trace_id,
    clientId: row.client_id,
    action: row.action,
    confidence: row.confidence,
    needsHumanReview: row.needs_human_review,
    threshold: thresholdOf(row),
    scores,
    issues: row.issues,
    feedback: row.feedback,
    decision: { state: row.decision_state, reason: row.decision_reason },
    missionId: row.mission_id,
    taskId: row.task_id,
    experimentId: row.experiment_id,
    retries:
      row.retries_used === null || row.retries_budget === null
        ? null
        : { used: row.retries_used, budget: row.retries_budget },
    judging: {
      calls: row.judge_calls,
      model: row.judge_model,
      crossModel: row.cross_model as Judging['crossModel'],
      costUsd: row.cost_usd,
      priceUnknown: row.price_unknown,
      tokens: Number(row.tokens),
      shareOfTask: row.share_of_task,
      overBudget: row.over_budget,
    },
    integrity: detail.success ? detail.data : null,
    detail: row.detail,
  };
}

function thresholdOf({
  threshold_value: value,
  threshold_source: source,
  threshold_version: version,
}: FullRow): FullVerdict['threshold'] {
  if (value === null || source === null) return null;
  return { value, source: source as ThresholdSource, version: version ?? 0 };
}

async function findPending(
  { sql, projectId }: ProjectCtx,
  id: string,
): Promise<PendingVerdict | null> {
  const [row] = await sql<PendingRow[]>`
    select ${pendingColumns(sql)} from ${pendingTables(sql)} where w.project_id = ${projectId} and w.id = ${id}`;
  return row === undefined ? null : asPending(row);
}

/** The pending verdict of a turn's latest revision, otherwise its latest verdict. */
export async function findVerdictOfTurn(
  ctx: ProjectCtx,
  turnId: string,
  verifier: string,
): Promise<FullVerdict | PendingVerdict | null> {
  const [work] = await ctx.sql<{ id: string }[]>`
    select id from work where project_id = ${ctx.projectId} and subject_kind = 'turn' and subject_id = ${turnId} and verifier = ${verifier}
    order by revision desc limit 1`;
  if (work !== undefined) return findVerdict(ctx, work.id);
  const [row] = await ctx.sql<{ id: string }[]>`
    select id from verdicts where project_id = ${ctx.projectId} and subject_kind = 'turn' and subject_id = ${turnId} and verifier_slug = ${verifier}
    order by revision desc, verifier_version desc limit 1`;
  return row === undefined ? null : findVerdict(ctx, row.id);
}

export interface VerdictPageData {
  readonly verdict: FullVerdict | PendingVerdict;
  readonly turn: (StoredTurn & { readonly hasOriginal: boolean }) | null;
  readonly attempts: readonly {
    readonly attempt: number;
    readonly worker: string;
    readonly startedAt: Date | null;
    readonly endedAt: Date;
    readonly end: string;
    readonly reason: string | null;
  }[];
  readonly previousId: string | null;
  readonly nextId: string | null;
}

/**
 * The turn with the sources that its rule names; the turn as sent if the rule's setting cannot be
 * read.
 */
async function shownTurn(ctx: ProjectCtx, turn: StoredTurn, verifier: string): Promise<StoredTurn> {
  try {
    return await asVerified(ctx, turn, verifier);
  } catch (error) {
    if (classifyStorageError(error) !== 'unknown') throw error;
    return turn;
  }
}

/** The turn of a verdict, or its trace as one turn; null if its subject is neither. */
async function findAnswer(
  ctx: ProjectCtx,
  verdict: FullVerdict | PendingVerdict,
): Promise<StoredTurn | null> {
  const { subjectKind, subjectId, turnId } = verdict;
  if (subjectKind !== 'trace') return turnId === null ? null : findTurn(ctx, turnId);
  const trace = { projectId: ctx.projectId, subjectId, subjectKind };
  return (await loadTraceAnswers(ctx, [trace])).get(trace) ?? null;
}

/**
 * The data of the verdict page. `nextId` is the next (older) verdict in the list, `previousId` the
 * previous (newer) one; for a verdict of an experiment, among those of the experiment.
 */
export async function getVerdictPage(ctx: ProjectCtx, id: string): Promise<VerdictPageData> {
  const { sql } = ctx;
  const verdict = await getVerdict(ctx, id);
  const sent = await findAnswer(ctx, verdict);
  const turn = sent === null ? null : await shownTurn(ctx, sent, verdict.kind);
  const [original] =
    turn === null
      ? []
      : await sql`select 1 from turn_originals where project_id = ${ctx.projectId} and turn_id = ${turn.id} limit 1`;
  const attempts = await sql<
    {
      attempt: number;
      worker: string;
      started_at: string | null;
      ended_at: string;
      end: string;
      reason: string | null;
    }[]
  >`
    select attempt, worker, started_at, ended_at, "end", reason from work_attempts
    where project_id = ${ctx.projectId} and work_id = ${id} order by ended_at`;
  const [newer] = await sql<{ id: string }[]>`
    select v.id from verdicts v, verdicts me where me.project_id = ${ctx.projectId} and me.id = ${id} and v.project_id = me.project_id
      and v.experiment_id is not distinct from me.experiment_id and (v.settled_at, v.id) > (me.settled_at, me.id) order by v.settled_at, v.id limit 1`;
  const [older] = await sql<{ id: string }[]>`
    select v.id from verdicts v, verdicts me where me.project_id = ${ctx.projectId} and me.id = ${id} and v.project_id = me.project_id
      and v.experiment_id is not distinct from me.experiment_id and (v.settled_at, v.id) < (me.settled_at, me.id) order by v.settled_at desc, v.id desc limit 1`;
  return {
    verdict,
    turn: turn === null ? null : { ...turn, hasOriginal: original !== undefined },
    attempts: attempts.map((row) => ({
      attempt: Math.abs(row.attempt),
      worker: row.worker,
      startedAt: row.started_at === null ? null : new Date(row.started_at),
      endedAt: new Date(row.ended_at),
      end: row.end,
      reason: row.reason,
    })),
    previousId: newer?.id ?? null,
    nextId: older?.id ?? null,
  };
}
