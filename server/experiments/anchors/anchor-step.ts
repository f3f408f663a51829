import { enterProject, type ProjectCtx } from '../../access';
import { storableJson } from '../../domain';
import { classifyStorageError, type Ctx, refused } from '../../platform';
import type { JobProgress, JobStep } from '../../queue';
import { judgeAgain, type JudgedAgain, type SubjectDeps } from '../../verdicts';
import { allOf } from '../trials/all-of';
import { AnchorJob } from './anchor-job';
import { readJudgedBy } from './judged-by';

/**
 * Number of items that a step judges in parallel. At most this many are judged twice after a crash
 * or a cancelled run.
 */
const atOnce = 4;

interface Waiting {
  readonly ordinal: number;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly contentHash: string;
}

type Judged = JudgedAgain | { readonly state: 'broken'; readonly reason: string };

/** The recorded result of an item: its outcome, or `left_out`. */
interface Result {
  readonly o: string;
  readonly v: string | null;
  readonly s: number | null;
  readonly r: string | null;
  readonly judge: string | null;
  readonly prompts: readonly string[];
  /** Null if it was not judged. */
  readonly version: number | null;
  readonly cost: number;
}

/**
 * The step of a run: judges the next few items of its set with the current verifier and stores each
 * result. If the judge is unavailable for all of them, the step fails and the job is retried like
 * any other. If the verifier or one of its prompts changes version during a run, the run fails with
 * that reason, because its results would not be comparable.
 * @throws AssayError refused
 */
export function createAnchorStep(ctx: Ctx, deps: SubjectDeps): JobStep {
  return async (claimed, signal) => {
    const project = enterProject(
      ctx,
      { id: claimed.projectId, slug: claimed.projectSlug },
      { kind: 'system', id: 'job', label: claimed.createdBy },
    );
    const job = AnchorJob.parse(claimed.input);
    await noteSetting(project, deps, claimed.id, job.verifier);
    const waiting = await nextWaiting(project, claimed.id, job.set);
    const purpose = `anchors ${claimed.id}`;
    const judged = await allOf(
      waiting.map((item) =>
        judgeSafely(ctx, deps, {
          projectId: project.projectId,
          verifier: job.verifier,
          ...item,
          purpose,
          signal,
        }),
      ),
    );
    // An interrupted item has no result and is judged again.
    const results = signal.aborted
      ? []
      : waiting.flatMap(({ ordinal }, i) => resultOf(ordinal, judged[i]));
    if (results.some(({ version }) => version !== null && version !== job.verifierVersion)) {
      throw refused(`the verifier ${job.verifier} changed while the set was judged; run it again`);
    }
    if (results.length > 0) await storeResults(project, claimed.id, results);
    const blocked = judged.find((each) => each.state === 'blocked');
    if (results.length === 0 && blocked !== undefined && !signal.aborted)
      throw new Error(`the judge cannot be asked: ${blocked.reason}`);
    return progressOf(project, claimed.id, job);
  };
}

/**
 * Records the settings when the first items are judged, to detect later changes
 * (`runChangedAnchors`).
 */
async function noteSetting(
  ctx: ProjectCtx,
  { prompts }: SubjectDeps,
  runId: string,
  verifier: string,
): Promise<void> {
  const { sql, projectId } = ctx;
  const [run] =
    await sql`select from anchor_runs where project_id = ${projectId} and id = ${runId} and setting is null`;
  if (run === undefined) return;
  const setting = await readJudgedBy(ctx, prompts, projectId, verifier);
  await sql`
    update anchor_runs set setting = ${storableJson(setting)}::text::jsonb
    where project_id = ${projectId} and id = ${runId} and setting is null`;
}

/**
 * An item that cannot be judged does not affect the others: it is inconclusive, with the reason.
 * @throws on storage faults
 */
async function judgeSafely(
  ctx: Ctx,
  deps: SubjectDeps,
  item: Parameters<typeof judgeAgain>[2],
): Promise<Judged> {
  try {
    return await judgeAgain(ctx, deps, item);
  } catch (error) {
    if (item.signal.aborted || classifyStorageError(error) !== 'unknown') throw error;
    ctx.log.error(
      { err: error, subject: item.subjectId, run: item.purpose },
      'an anchor could not be judged',
    );
    return { state: 'broken', reason: error instanceof Error ? error.message : String(error) };
  }
}

async function nextWaiting(
  { sql, projectId }: ProjectCtx,
  runId: string,
  setId: string,
): Promise<Waiting[]> {
  const rows = await sql<
    { ordinal: number; subject_kind: string; subject_id: string; content_hash: string }[]
  >`
    select i.ordinal, i.subject_kind, i.subject_id, i.content_hash from anchor_items i
    where i.project_id = ${projectId} and i.set_id = ${setId}
      and not exists (select from anchor_results r where r.project_id = ${projectId} and r.run_id = ${runId} and r.ordinal = i.ordinal)
    order by i.ordinal limit ${atOnce}`;
  return rows.map((row) => ({
    ordinal: row.ordinal,
    subjectKind: row.subject_kind,
    subjectId: row.subject_id,
    contentHash: row.content_hash,
  }));
}

function resultOf(
  ordinal: number,
  judged: Judged | undefined,
): (Result & { readonly ordinal: number })[] {
  if (judged === undefined || judged.state === 'blocked') return [];
  if (judged.state !== 'decided') {
    const o = judged.state === 'broken' ? 'inconclusive' : 'left_out';
    return [
      {
        ordinal,
        o,
        v: null,
        s: null,
        r: judged.reason,
        judge: null,
        prompts: [],
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
  return [{ ordinal, o, v, s, r, judge, prompts, version, cost }];
}

/**
 * Keeps existing results: if two workers judged an item, the first result counts. The run lists all
 * judges and prompts that took part.
 */
async function storeResults(
  { sql, projectId }: ProjectCtx,
  runId: string,
  rows: readonly (Result & { ordinal: number })[],
): Promise<void> {
  await sql`
    with given as (
      select * from jsonb_to_recordset(${storableJson(rows)}::text::jsonb) as r(
        ordinal int, o text, v text, s double precision, r text, judge text, prompts jsonb, cost double precision)
    ), stored as (
      insert into anchor_results (project_id, run_id, ordinal, outcome, verdict, score, reason, judge, cost_usd)
      select ${projectId}, ${runId}, ordinal, o, v, s, left(r, 1000), judge, cost from given on conflict do nothing
    )
    update anchor_runs a set
      judge = (select string_agg(distinct name, ' + ' order by name) from (
        select unnest(string_to_array(a.judge, ' + ')) as name union all select unnest(string_to_array(judge, ' + ')) from given) as j),
      prompts = (select string_agg(distinct name, ' + ' order by name) from (
        select unnest(string_to_array(a.prompts, ' + ')) as name union all select jsonb_array_elements_text(prompts) from given) as p)
    where project_id = ${projectId} and id = ${runId}`;
}

/** @throws AssayError refused (a prompt has changed its version) */
async function progressOf(
  { sql, projectId }: ProjectCtx,
  runId: string,
  { set, verifier }: AnchorJob,
): Promise<JobProgress> {
  const [row] = await sql<
    { done: number; total: number; cost_usd: number; prompts: string | null }[]
  >`
    select (select count(*)::int from anchor_results where project_id = ${projectId} and run_id = ${runId}) as done,
      (select items from anchor_sets where project_id = ${projectId} and id = ${set}) as total,
      (select coalesce(sum(cost_usd), 0)::double precision from anchor_results where project_id = ${projectId} and run_id = ${runId}) as cost_usd,
      (select prompts from anchor_runs where project_id = ${projectId} and id = ${runId}) as prompts`;
  const { done = 0, total = 0, prompts = null } = row ?? {};
  const slugs = (prompts ?? '').split(' + ').map((prompt) => prompt.split('@')[0]);
  if (new Set(slugs).size < slugs.length)
    throw refused(`a prompt of ${verifier} changed while the set was judged; run it again`);
  if (done >= total)
    await sql`update anchor_runs set ended_at = coalesce(ended_at, now()) where project_id = ${projectId} and id = ${runId}`;
  return {
    cursor: done < total ? { done } : null,
    done,
    total,
    errors: [],
    result: { cost_usd: row?.cost_usd ?? 0 },
  };
}
