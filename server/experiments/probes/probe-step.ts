import { enterProject, type ProjectCtx } from '../../access';
import { storableJson } from '../../domain';
import { classifyStorageError, type Ctx, refused } from '../../platform';
import type { JobProgress, JobStep } from '../../queue';
import {
  type Change,
  judgeCanary,
  judgeChanged,
  type JudgedChanged,
  type SubjectDeps,
} from '../../verdicts';
import type { PlacedScore } from '../../verifiers';
import { allOf } from '../trials/all-of';
import { canaryKind } from './choose-items';
import { computeProbeFindings } from './compute-findings';
import { ProbeJob } from './probe-job';

/**
 * Number of answers that a step requests in parallel. At most this many are requested twice after a
 * crash or a cancelled probe.
 */
const atOnce = 4;

interface Waiting {
  readonly ordinal: number;
  readonly variant: string;
  readonly repeat: number;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly revision: number;
}

/** The recorded result of one judgement: its outcome, or `left_out`. */
interface Answer {
  readonly ordinal: number;
  readonly variant: string;
  readonly repeat: number;
  readonly o: string;
  readonly v: string | null;
  readonly s: number | null;
  readonly r: string | null;
  readonly judge: string | null;
  readonly prompts: readonly string[];
  readonly parts: readonly PlacedScore[] | null;
  /** Null if it was not judged. */
  readonly version: number | null;
  readonly cost: number;
}

type Judged = JudgedChanged | { readonly state: 'broken'; readonly reason: string };

/**
 * The step of a probe: requests and stores the next few answers, and stores the findings after the
 * last one. If the judge is unavailable for all of them, the step fails and the job is retried like
 * any other. If the verifier or one of its prompts changes version during a probe, the probe fails
 * with that reason, because its findings would describe neither version.
 * @throws AssayError refused
 */
export function createProbeStep(ctx: Ctx, deps: SubjectDeps): JobStep {
  return async (claimed, signal) => {
    const project = enterProject(
      ctx,
      { id: claimed.projectId, slug: claimed.projectSlug },
      { kind: 'system', id: 'job', label: claimed.createdBy },
    );
    const job = ProbeJob.parse(claimed.input);
    const waiting = await nextWaiting(project, claimed.id);
    const judged = await allOf(
      waiting.map((each) => judgeSafely(project, deps, job, claimed.id, each, signal)),
    );
    // An interrupted answer has no result and is requested again.
    const answered = signal.aborted ? [] : waiting.flatMap((each, i) => answerOf(each, judged[i]));
    if (answered.some(({ version }) => version !== null && version !== job.verifierVersion)) {
      throw refused(
        `the verifier ${job.verifier} changed while it was probed; start the probe again`,
      );
    }
    if (answered.length > 0) await storeAnswers(project, claimed.id, answered);
    const blocked = judged.find((each) => each.state === 'blocked');
    if (answered.length === 0 && blocked !== undefined && !signal.aborted)
      throw new Error(`the judge cannot be asked: ${blocked.reason}`);
    return progressOf(project, claimed.id, job);
  };
}

/**
 * An item that cannot be judged does not affect the others: it is inconclusive, with the reason.
 * @throws on storage faults
 */
async function judgeSafely(
  project: ProjectCtx,
  deps: SubjectDeps,
  { verifier }: ProbeJob,
  runId: string,
  { subjectKind, subjectId, revision, variant }: Waiting,
  signal: AbortSignal,
): Promise<Judged> {
  const { projectId } = project;
  const call = { projectId, verifier, purpose: `probe ${runId}`, signal };
  try {
    return subjectKind === canaryKind
      ? await judgeCanary(project, deps, { ...call, canary: subjectId })
      : await judgeChanged(project, deps, {
          ...call,
          subjectId,
          revision,
          change: changeOf(variant),
        });
  } catch (error) {
    if (signal.aborted || classifyStorageError(error) !== 'unknown') throw error;
    project.log.error(
      { err: error, subject: subjectId, run: runId },
      'a subject could not be judged for a probe',
    );
    return { state: 'broken', reason: error instanceof Error ? error.message : String(error) };
  }
}

function changeOf(variant: string): Change {
  return variant === 'reordered' || variant === 'padded' ? variant : 'as_is';
}

async function nextWaiting({ sql, projectId }: ProjectCtx, runId: string): Promise<Waiting[]> {
  const rows = await sql<
    {
      ordinal: number;
      variant: string;
      repeat: number;
      subject_kind: string;
      subject_id: string;
      revision: number;
    }[]
  >`select ordinal, variant, repeat, subject_kind, subject_id, revision from probe_answers
    where project_id = ${projectId} and run_id = ${runId} and judged_at is null order by ordinal, repeat, variant limit ${atOnce}`;
  return rows.map(({ subject_kind: subjectKind, subject_id: subjectId, ...row }) => ({
    ...row,
    subjectKind,
    subjectId,
  }));
}

function answerOf({ ordinal, variant, repeat }: Waiting, judged: Judged | undefined): Answer[] {
  if (judged === undefined || judged.state === 'blocked') return [];
  const which = { ordinal, variant, repeat };
  if (judged.state !== 'decided') {
    const o = judged.state === 'broken' ? 'inconclusive' : 'left_out';
    return [
      {
        ...which,
        o,
        v: null,
        s: null,
        r: judged.reason,
        judge: null,
        prompts: [],
        parts: null,
        version: null,
        cost: 0,
      },
    ];
  }
  const {
    outcome: o,
    verdict: v,
    score: s,
    reason: r,
    judge,
    prompts,
    verifierVersion: version,
    costUsd: cost,
  } = judged;
  return [
    {
      ...which,
      o,
      v,
      s,
      r,
      judge,
      prompts,
      parts: judged.parts.length === 0 ? null : judged.parts,
      version,
      cost,
    },
  ];
}

/**
 * Keeps existing answers: if two workers requested one, the first answer counts. The run lists all
 * judges and prompts that took part.
 */
async function storeAnswers(
  { sql, projectId }: ProjectCtx,
  runId: string,
  rows: readonly Answer[],
): Promise<void> {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
        ordinal int, variant text, repeat int, o text, v text, s double precision, r text, judge text, prompts jsonb, parts jsonb,
        cost double precision)
    ), stored as (
      update probe_answers a set judged_at = now(), outcome = g.o, verdict = g.v, score = g.s, reason = left(g.r, 1000), judge = g.judge,
        parts = nullif(g.parts, 'null'::jsonb), cost_usd = g.cost
      from given g
      where a.project_id = ${projectId} and a.run_id = ${runId} and a.ordinal = g.ordinal and a.variant = g.variant and a.repeat = g.repeat
        and a.judged_at is null
      returning a.cost_usd
    )
    update probe_runs p set cost_usd = p.cost_usd + (select coalesce(sum(cost_usd), 0) from stored),
      judge = (select string_agg(distinct name, ' + ' order by name) from (
        select unnest(string_to_array(p.judge, ' + ')) as name union all select unnest(string_to_array(judge, ' + ')) from given) as j),
      prompts = (select string_agg(distinct name, ' + ' order by name) from (
        select unnest(string_to_array(p.prompts, ' + ')) as name union all select jsonb_array_elements_text(prompts) from given) as q)
    where project_id = ${projectId} and id = ${runId}`;
}

/** @throws AssayError refused (a prompt has changed its version, or the budget is spent) */
async function progressOf(project: ProjectCtx, runId: string, job: ProbeJob): Promise<JobProgress> {
  const { sql, projectId } = project;
  const [row] = await sql<
    { done: number; total: number; cost_usd: number; prompts: string | null; ended: boolean }[]
  >`
    select count(a.judged_at)::int as done, count(a.run_id)::int as total, p.cost_usd, p.prompts, p.ended_at is not null as ended
    from probe_runs p left join probe_answers a on a.project_id = p.project_id and a.run_id = p.id
    where p.project_id = ${projectId} and p.id = ${runId} group by p.project_id, p.id`;
  const { done = 0, total = 0, prompts = null, cost_usd: costUsd = 0 } = row ?? {};
  const slugs = (prompts ?? '').split(' + ').map((prompt) => prompt.split('@')[0]);
  if (new Set(slugs).size < slugs.length) {
    throw refused(`a prompt of ${job.verifier} changed while it was probed; start the probe again`);
  }
  if (done < total && job.budgetUsd !== null && costUsd > job.budgetUsd) {
    throw refused(`the budget of $${job.budgetUsd} was spent after ${done} of ${total} answers`);
  }
  if (done >= total && row?.ended !== true) {
    const findings = await computeProbeFindings(project, { id: runId, ...job });
    await sql`
      update probe_runs set findings = ${storableJson(findings)}::text::jsonb, ended_at = now()
      where project_id = ${projectId} and id = ${runId} and ended_at is null`;
  }
  return {
    cursor: done < total ? { done } : null,
    done,
    total,
    errors: [],
    result: { cost_usd: costUsd },
  };
}
