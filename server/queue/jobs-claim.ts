import { storableJson } from '../domain';
import { type Ctx, notifyChanged } from '../platform';
import type { JobError } from './jobs';
import { dropJobFile } from './jobs-file';

/** A job leased by this worker. Its progress is recorded only under `fence`. */
export interface ClaimedJob {
  readonly projectId: string;
  readonly projectSlug: string;
  readonly id: string;
  readonly kind: string;
  readonly input: unknown;
  readonly cursor: unknown;
  readonly done: number;
  readonly total: number | null;
  readonly result: unknown;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly fence: number;
  /** The number of claims since its last progress. */
  readonly attempts: number;
}

/** The result of one step. */
export interface JobProgress {
  /** Where the next step starts; null if the job is complete. */
  readonly cursor: unknown;
  readonly done: number;
  readonly total: number | null;
  /** The errors of this step only. */
  readonly errors: readonly JobError[];
  readonly result: unknown;
}

/**
 * Runs the next part of a job, small enough to be repeated after a crash: a repeated part must
 * store the same rows.
 * @throws AssayError refused, invalid_request, not_found (the job cannot continue); any other error
 * is retried
 */
export type JobStep = (job: ClaimedJob, signal: AbortSignal) => Promise<JobProgress>;

/** Maximum number of claims without progress; then the job fails. */
const maxAttempts = 5;
/** Maximum number of stored errors; all are counted. */
const maxErrors = 1_000;

interface ClaimedRow {
  project_id: string;
  slug: string;
  id: string;
  kind: string;
  input: unknown;
  cursor: unknown;
  done: string;
  total: string | null;
  result: unknown;
  created_by: string;
  created_at: string;
  fence: string;
  attempts: number;
}

/**
 * Claims the job of these kinds that has waited longest; returns null if there is none. A project's
 * jobs of these kinds run one after another. Projects take turns, since a returned job goes to the
 * end of the queue.
 */
export async function claimJob(
  ctx: Pick<Ctx, 'sql' | 'env' | 'log'>,
  input: { readonly owner: string; readonly kinds: readonly string[] },
): Promise<ClaimedJob | null> {
  await failCrashingJobs(ctx);
  const [row] = await ctx.sql<ClaimedRow[]>`
    with next as (
      select j.project_id, j.id from jobs j
      where j.state in ('waiting', 'running') and j.due_at <= now() and j.kind in ${ctx.sql(input.kinds)}
        and not exists (
          select 1 from jobs e
          where e.project_id = j.project_id and e.state in ('waiting', 'running') and e.kind in ${ctx.sql(input.kinds)}
            and (e.created_at, e.id) < (j.created_at, j.id))
      order by j.due_at limit 1 for update of j skip locked
    )
    update jobs j set state = 'running', owner = ${input.owner}, fence = j.fence + 1, attempts = j.attempts + 1,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    from next join projects p on p.id = next.project_id where j.project_id = next.project_id and j.id = next.id
    returning j.project_id, p.slug, j.id, j.kind, j.input, j.cursor, j.done, j.total, j.result, j.created_by, j.created_at, j.fence, j.attempts`;
  if (row === undefined) return null;
  return {
    projectId: row.project_id,
    projectSlug: row.slug,
    id: row.id,
    kind: row.kind,
    input: row.input,
    cursor: row.cursor,
    done: Number(row.done),
    total: row.total === null ? null : Number(row.total),
    result: row.result,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    fence: Number(row.fence),
    attempts: row.attempts,
  };
}

/** Fails jobs whose workers crashed repeatedly, since they would crash the next worker too. */
async function failCrashingJobs(ctx: Pick<Ctx, 'sql' | 'log'>): Promise<void> {
  const lost = await ctx.sql<{ project_id: string; id: string }[]>`
    update jobs set state = 'failed', owner = null, finished_at = now(), reason = 'The worker crashed ' || attempts || ' times without progress.'
    where state = 'running' and due_at <= now() and owner is not null and attempts >= ${maxAttempts} returning project_id, id`;
  for (const { project_id: projectId, id } of lost) {
    ctx.log.error({ project: projectId, job: id }, 'job failed: its worker crashed repeatedly');
    notifyChanged(ctx, projectId, 'jobs');
    await dropJobFile(ctx, projectId, id);
  }
}

interface OwnedJob {
  readonly owner: string;
  readonly job: ClaimedJob;
}

/**
 * Saves a step's progress and renews the lease. Returns false if the job was cancelled, or if
 * another worker owns it.
 */
export async function saveJobProgress(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  { owner, job }: OwnedJob,
  progress: JobProgress,
): Promise<boolean> {
  const errors = progress.errors
    .slice(0, maxErrors)
    .map(({ line, message }) => ({ line, message: message.slice(0, 500) }));
  const rows = await ctx.sql`
    update jobs set cursor = ${storableJson(progress.cursor)}::text::jsonb, done = ${progress.done}, total = ${progress.total},
      result = ${storableJson(progress.result)}::text::jsonb, error_count = error_count + ${progress.errors.length}, attempts = 0, reason = null,
      errors = case when jsonb_array_length(errors) >= ${maxErrors} then errors else jsonb_path_query_array(
        errors || ${storableJson(errors)}::text::jsonb, ${`$[0 to ${maxErrors - 1}]`}::text::jsonpath) end,
      due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    where project_id = ${job.projectId} and id = ${job.id} and owner = ${owner} and fence = ${job.fence} and state = 'running'`;
  notifyChanged(ctx, job.projectId, 'jobs');
  return rows.count > 0;
}

/** Renews the lease during a long step. */
export async function extendJobLease(
  ctx: Pick<Ctx, 'sql' | 'env'>,
  { owner, job }: OwnedJob,
): Promise<void> {
  await ctx.sql`
    update jobs set due_at = now() + ${ctx.env.leaseMs} * interval '1 millisecond'
    where project_id = ${job.projectId} and id = ${job.id} and owner = ${owner} and fence = ${job.fence} and state = 'running'`;
}

/** Returns a job to the end of the queue, for any worker. */
export async function returnJob(ctx: Pick<Ctx, 'sql'>, { owner, job }: OwnedJob): Promise<void> {
  await ctx.sql`
    update jobs set owner = null, due_at = now(), attempts = 0
    where project_id = ${job.projectId} and id = ${job.id} and owner = ${owner} and fence = ${job.fence} and state = 'running'`;
}

/** Completes a job. The project's next job goes to the end of the queue, after other projects. */
export async function finishJob(ctx: Pick<Ctx, 'sql'>, claimedJob: OwnedJob): Promise<void> {
  await endJob(ctx, claimedJob, null);
}

/**
 * Records a failed step. The step is retried after 1, 2, 4 … s. The job fails with the reason after
 * five attempts, or immediately if `final`.
 */
export async function failJob(
  ctx: Pick<Ctx, 'sql'>,
  claimedJob: OwnedJob,
  reason: string,
  final = false,
): Promise<void> {
  const text = reason.replaceAll('\u0000', '').toWellFormed().slice(0, 1000);
  if (final || claimedJob.job.attempts >= maxAttempts) {
    await endJob(ctx, claimedJob, text);
    return;
  }
  const { owner, job } = claimedJob;
  notifyChanged(ctx, job.projectId, 'jobs');
  await ctx.sql`
    update jobs set owner = null, reason = ${text}, due_at = now() + least(60, power(2, attempts - 1)) * interval '1 second'
    where project_id = ${job.projectId} and id = ${job.id} and owner = ${owner} and fence = ${job.fence} and state = 'running'`;
}

/** Ends a job: as done if `reason` is null, otherwise as failed. */
async function endJob(
  ctx: Pick<Ctx, 'sql'>,
  { owner, job }: OwnedJob,
  reason: string | null,
): Promise<void> {
  const ended = await ctx.sql`
    with ended as (
      update jobs set state = ${reason === null ? 'done' : 'failed'}, owner = null, finished_at = now(), reason = ${reason}
      where project_id = ${job.projectId} and id = ${job.id} and owner = ${owner} and fence = ${job.fence} and state = 'running'
      returning project_id
    ), moved_back as (
      update jobs j set due_at = now() from ended where j.project_id = ended.project_id and j.state = 'waiting'
    )
    select project_id from ended`;
  notifyChanged(ctx, job.projectId, 'jobs');
  if (ended.length > 0) await dropJobFile(ctx, job.projectId, job.id);
}
