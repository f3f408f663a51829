import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, inArray, sql as drizzleSql } from 'drizzle-orm';
import { schema } from '../../db';
import { type ProjectCtx, recordAudit } from '../access';
import { changeChannel, writeChangeNotice } from '../domain';
import { type Database, newId, notFound, notifyChangedIn } from '../platform';
import { dropJobFile, storeJobFile } from './jobs-file';

export type JobState = 'waiting' | 'running' | 'done' | 'failed' | 'cancelled';

/** One error of a job; `line` counts from 1 if the job reads a file, else 0. */
export interface JobError {
  readonly line: number;
  readonly message: string;
}

/** A long-running job as its requester sees it. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly input: unknown;
  readonly done: number;
  /** Null if unknown. */
  readonly total: number | null;
  /** The first errors; `errorCount` counts all. */
  readonly errors: readonly JobError[];
  readonly errorCount: number;
  readonly result: unknown;
  /** The reason of a failed job. */
  readonly reason: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
}

export interface NewJob {
  readonly kind: string;
  readonly input: unknown;
  /** Idempotency key: a repeated request with the same id creates no second job. */
  readonly id?: string | undefined;
  readonly total?: number | undefined;
  readonly file?: Buffer | undefined;
}

/** Stores a job, with its file, and wakes a worker. */
export async function createJob(ctx: ProjectCtx, job: NewJob): Promise<Job> {
  const id = job.id ?? newId('job', ctx.clock.now());
  await ctx.sql.begin(async (sql) => {
    const inserted = await sql`
      insert into jobs (project_id, id, kind, input, total, created_by)
      values (${ctx.projectId}, ${id}, ${job.kind}, ${JSON.stringify(job.input)}::text::jsonb, ${job.total ?? null}, ${ctx.actor.label})
      on conflict do nothing returning id`;
    if (inserted.length > 0 && job.file !== undefined)
      await storeJobFile(sql, { projectId: ctx.projectId, jobId: id, body: job.file });
    await sql`select pg_notify('assay_jobs', ''), pg_notify(${changeChannel}, ${writeChangeNotice({ projectId: ctx.projectId, topics: ['jobs'] })})`;
  });
  return getJob(ctx, id);
}

/**
 * As `createJob`, in a given transaction, for a job without a file that is stored together with
 * other rows. False if it exists already: then those rows exist too.
 */
export async function storeJob(
  ctx: ProjectCtx,
  tx: Database,
  job: Omit<NewJob, 'file'> & { readonly id: string },
): Promise<boolean> {
  const inserted = await tx
    .insert(schema.jobs)
    .values({
      projectId: ctx.projectId,
      id: job.id,
      kind: job.kind,
      input: job.input,
      total: job.total ?? null,
      createdBy: ctx.actor.label,
    })
    .onConflictDoNothing()
    .returning({ id: schema.jobs.id });
  if (inserted.length === 0) return false;
  await tx.execute(drizzleSql`select pg_notify('assay_jobs', '')`);
  await notifyChangedIn(tx, ctx.projectId, 'jobs');
  return true;
}

interface JobRow {
  id: string;
  kind: string;
  state: JobState;
  input: unknown;
  done: string;
  total: string | null;
  errors: JobError[];
  error_count: string;
  result: unknown;
  reason: string | null;
  created_by: string;
  created_at: string;
  finished_at: string | null;
}

/** @throws AssayError not_found */
export async function getJob(ctx: ProjectCtx, id: string): Promise<Job> {
  const [row] = await ctx.sql<JobRow[]>`
    select id, kind, state, input, done, total, errors, error_count, result, reason, created_by, created_at, finished_at
    from jobs where project_id = ${ctx.projectId} and id = ${id}`;
  if (row === undefined) throw notFound('job');
  return asJob(row);
}

/**
 * The job when it has ended, or in its state after `waitMs` milliseconds.
 * @throws AssayError not_found
 */
export async function awaitJob(
  ctx: ProjectCtx,
  id: string,
  { waitMs, signal }: { readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Job> {
  const until = ctx.clock.monotonicMs() + waitMs;
  for (let pauseMs = 20; ; pauseMs = Math.min(pauseMs * 2, 250)) {
    const job = await getJob(ctx, id);
    const left = until - ctx.clock.monotonicMs();
    if (job.finishedAt !== null || left <= 0 || signal.aborted) return job;
    await delay(Math.min(pauseMs, left), undefined, { signal }).catch(() => undefined);
  }
}

/** Deletes a job with its input and its result. */
export async function deleteJob({ sql, projectId }: ProjectCtx, id: string): Promise<void> {
  await sql`delete from jobs where project_id = ${projectId} and id = ${id}`;
}

/** Deletes the ended jobs of a kind, in all projects, that ended before this many milliseconds. */
export async function pruneJobs(
  { sql }: Pick<ProjectCtx, 'sql'>,
  { kind, olderThanMs }: { readonly kind: string; readonly olderThanMs: number },
): Promise<void> {
  await sql`
    delete from jobs where kind = ${kind} and finished_at < now() - ${olderThanMs} * interval '1 ms'`;
}

/**
 * The project's latest jobs, newest first, of one kind or of all; without their errors, which
 * `getJob` returns.
 */
export async function listJobs(
  ctx: ProjectCtx,
  input: { readonly kind?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<Job[]> {
  const { sql } = ctx;
  const rows = await sql<JobRow[]>`
    select id, kind, state, input, done, total, '[]'::jsonb as errors, error_count, result, reason, created_by, created_at, finished_at
    from jobs where project_id = ${ctx.projectId} ${input.kind === undefined ? sql`` : sql`and kind = ${input.kind}`}
    order by created_at desc, id desc limit ${input.limit ?? 50}`;
  return rows.map(asJob);
}

/**
 * Cancels an unfinished job; its stored results stay. An ended job is left unchanged.
 * @throws AssayError not_found
 */
export async function cancelJob(ctx: ProjectCtx, id: string): Promise<Job> {
  const before = await getJob(ctx, id);
  const { jobs } = schema;
  await ctx.db.transaction(async (tx) => {
    const ended = await tx
      .update(jobs)
      .set({ state: 'cancelled', owner: null, finishedAt: drizzleSql`now()` })
      .where(
        and(
          eq(jobs.projectId, ctx.projectId),
          eq(jobs.id, id),
          inArray(jobs.state, ['waiting', 'running']),
        ),
      )
      .returning({ id: jobs.id });
    if (ended.length === 0) return;
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'jobs.cancel',
      target: id,
      detail: { kind: before.kind },
    });
  });
  await dropJobFile(ctx, ctx.projectId, id);
  return getJob(ctx, id);
}

function asJob(row: JobRow): Job {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    input: row.input,
    done: Number(row.done),
    total: row.total === null ? null : Number(row.total),
    errors: row.errors,
    errorCount: Number(row.error_count),
    result: row.result,
    reason: row.reason,
    createdBy: row.created_by,
    createdAt: new Date(row.created_at),
    finishedAt: row.finished_at === null ? null : new Date(row.finished_at),
  };
}
