import { enterProject, type ProjectCtx } from '../../access';
import { storableJson } from '../../domain';
import { classifyStorageError, type Ctx, refused } from '../../platform';
import { pinPrompt } from '../../prompts';
import type { JobStep } from '../../queue';
import type { SubjectDeps } from '../../verdicts';
import { allOf } from './all-of';
import { whyNotRun } from './could-not-run';
import { findStoredVerdicts } from './stored-verdicts';
import { TrialJob } from './trial-job';
import { tryOne, type TrialResult } from './try-one';

/**
 * Number of subjects that a step judges in parallel. At most this many are judged twice after a
 * crash or a cancelled trial.
 */
const atOnce = 4;

interface Waiting {
  readonly ordinal: number;
  readonly subjectId: string;
}

/**
 * The step of a trial: judges the next few subjects and stores each result. If the judge is
 * unavailable for all of them, the step fails and the job is retried like any other.
 * @throws AssayError not_found, refused (the version was deleted or is no longer usable; too many
 *   subjects have no result)
 */
export function createTrialStep(ctx: Ctx, deps: SubjectDeps): JobStep {
  return async (claimed, signal) => {
    const project = enterProject(
      ctx,
      { id: claimed.projectId, slug: claimed.projectSlug },
      { kind: 'system', id: 'job', label: claimed.createdBy },
    );
    const job = TrialJob.parse(claimed.input);
    const waiting = await nextWaiting(project, claimed.id);
    const whyNot = waiting.length === 0 ? await readWhyNotRun(project, claimed.id) : null;
    if (whyNot !== null) throw refused(whyNot);
    const pin = (version: number) => pinPrompt(project, deps.prompts, job.slug, version);
    const [prompt, production] = await Promise.all([
      pin(job.version),
      job.production === null ? null : pin(job.production),
    ]);
    const ids = waiting.map(({ subjectId }) => subjectId);
    const stored = await findStoredVerdicts(project, job.kind, ids);
    const results = await allOf(
      waiting.map(({ subjectId }) => {
        const one = {
          projectId: project.projectId,
          trialId: claimed.id,
          job,
          prompt,
          production,
          subjectId,
          signal,
        };
        return trySafely(ctx, deps, { ...one, stored: stored.get(subjectId) ?? null });
      }),
    );
    // An interrupted subject has no result and is judged again.
    const judged = signal.aborted ? [] : waiting.flatMap((each, i) => judgedRow(each, results[i]));
    if (judged.length > 0) await storeResults(project, claimed.id, judged);
    const blocked = results.find((result) => result !== undefined && 'blocked' in result);
    if (judged.length === 0 && blocked !== undefined && 'blocked' in blocked && !signal.aborted) {
      throw new Error(`the judge cannot be asked: ${blocked.blocked}`);
    }
    const progress = await progressOf(project, claimed.id);
    // The next step ends the trial as could-not-run; this one must record its progress first.
    const isOver = progress.done === progress.total;
    if (isOver && (await readWhyNotRun(project, claimed.id)) !== null)
      return { ...progress, cursor: { done: progress.done } };
    return progress;
  };
}

/**
 * A subject that cannot be judged does not affect the others: it is inconclusive, with the reason.
 * @throws on storage faults
 */
async function trySafely(
  ctx: Ctx,
  deps: SubjectDeps,
  one: Parameters<typeof tryOne>[2],
): Promise<Awaited<ReturnType<typeof tryOne>>> {
  try {
    return await tryOne(ctx, deps, one);
  } catch (error) {
    if (one.signal.aborted || classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error(
      { err: error, subject: one.subjectId, trial: one.trialId },
      'a subject could not be judged for a trial',
    );
    const reason = error instanceof Error ? error.message : String(error);
    const unknown = { costUsd: null, latencyMs: null };
    const none = { outcome: 'inconclusive', verdict: null, score: null, reason } as const;
    return {
      candidate: none,
      judge: null,
      took: unknown,
      production:
        one.production === null ? null : { ...none, source: 'same', judge: null, took: unknown },
      calls: 0,
      tokens: 0,
      costUsd: 0,
    };
  }
}

/** Requires that all subjects of the trial were judged. */
async function readWhyNotRun(
  { sql, projectId }: ProjectCtx,
  trialId: string,
): Promise<string | null> {
  const [row] = await sql<{ without: number; subjects: number; reason: string | null }[]>`
    select count(*)::int as subjects, count(*) filter (where outcome = 'inconclusive' or production_outcome = 'inconclusive')::int as without,
      (array_agg(coalesce(reason, production_reason) order by ordinal) filter (where outcome = 'inconclusive' or production_outcome = 'inconclusive'))[1] as reason
    from prompt_trial_subjects where project_id = ${projectId} and trial_id = ${trialId}`;
  return row === undefined ? null : whyNotRun(row.without, row.subjects, row.reason);
}

async function nextWaiting({ sql, projectId }: ProjectCtx, trialId: string): Promise<Waiting[]> {
  const rows = await sql<{ ordinal: number; subject_id: string }[]>`
    select ordinal, subject_id from prompt_trial_subjects
    where project_id = ${projectId} and trial_id = ${trialId} and tried_at is null order by ordinal limit ${atOnce}`;
  return rows.map(({ ordinal, subject_id: subjectId }) => ({ ordinal, subjectId }));
}

function judgedRow(
  { ordinal }: Waiting,
  result: TrialResult | { readonly blocked: string } | undefined,
): Record<string, unknown>[] {
  if (result === undefined || 'blocked' in result) return [];
  const { candidate, production, took } = result;
  return [
    {
      ordinal,
      o: candidate.outcome,
      v: candidate.verdict,
      s: candidate.score,
      r: candidate.reason,
      judge: result.judge,
      src: production?.source ?? null,
      po: production?.outcome ?? null,
      pv: production?.verdict ?? null,
      ps: production?.score ?? null,
      pr: production?.reason ?? null,
      pj: production?.judge ?? null,
      own: took.costUsd,
      pcost: production?.took.costUsd ?? null,
      ms: took.latencyMs,
      pms: production?.took.latencyMs ?? null,
      calls: result.calls,
      tokens: result.tokens,
      cost: result.costUsd,
    },
  ];
}

/** Keeps existing results: if two workers judged a subject, the first result counts. */
async function storeResults(
  { sql, projectId }: ProjectCtx,
  trialId: string,
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  await sql`
    update prompt_trial_subjects t set tried_at = now(), outcome = r.o, verdict = r.v, score = r.s, reason = left(r.r, 1000),
      judge_model = r.judge, production_source = r.src, production_outcome = r.po, production_verdict = r.pv, production_score = r.ps,
      production_reason = left(r.pr, 1000), production_judge = r.pj, own_cost_usd = r.own, production_cost_usd = r.pcost,
      latency_ms = r.ms, production_latency_ms = r.pms, judge_calls = r.calls, tokens = r.tokens, cost_usd = r.cost
    from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
      ordinal int, o text, v text, s double precision, r text, judge text, src text, po text, pv text, ps double precision, pr text,
      pj text, own double precision, pcost double precision, ms double precision, pms double precision, calls int, tokens bigint, cost double precision)
    where t.project_id = ${projectId} and t.trial_id = ${trialId} and t.ordinal = r.ordinal and t.tried_at is null`;
}

async function progressOf({ sql, projectId }: ProjectCtx, trialId: string) {
  const [row] = await sql<
    { done: number; total: number; calls: number; tokens: string; cost_usd: number }[]
  >`
    select count(tried_at)::int as done, count(*)::int as total, coalesce(sum(judge_calls), 0)::int as calls,
      coalesce(sum(tokens), 0)::bigint as tokens, coalesce(sum(cost_usd), 0)::double precision as cost_usd
    from prompt_trial_subjects where project_id = ${projectId} and trial_id = ${trialId}`;
  const { done = 0, total = 0 } = row ?? {};
  return {
    cursor: done < total ? { done } : null,
    done,
    total,
    errors: [],
    result: {
      calls: row?.calls ?? 0,
      tokens: Number(row?.tokens ?? 0),
      cost_usd: row?.cost_usd ?? 0,
    },
  };
}
