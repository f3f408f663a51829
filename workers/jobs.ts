import { AssayError, classifyStorageError, type Ctx } from '../server/platform';
import {
  saveJobProgress,
  claimJob,
  type ClaimedJob,
  extendJobLease,
  failJob,
  finishJob,
  type JobStep,
  listenForJobs,
  poll,
  returnJob,
} from '../server/queue';

export interface JobsOptions {
  readonly owner: string;
  readonly signal: AbortSignal;
  /** Kind of job → its step. */
  readonly steps: ReadonlyMap<string, JobStep>;
}

/** Poll interval without a wake-up. */
const pollMs = 2_000;
/** Time slice of a job before the next project's turn. */
const turnMs = 1_000;

/**
 * Runs jobs step by step, one at a time, until `signal` fires; the job in progress is returned with
 * its completed steps.
 */
export async function runJobs(ctx: Ctx, options: JobsOptions): Promise<void> {
  const { owner, signal, steps } = options;
  const kinds = [...steps.keys()];
  await poll(ctx, {
    name: 'jobs',
    signal,
    listen: (wake) => listenForJobs(ctx, wake),
    claim: () => claimJob(ctx, { owner, kinds }),
    run: (job) => runTurn(ctx, options, job),
    idleMs: pollMs,
  });
}

/**
 * One time slice of a job: as many steps as fit, then the job is returned.
 *
 * @throws on storage faults
 */
async function runTurn(
  ctx: Ctx,
  { owner, signal, steps }: JobsOptions,
  claimed: ClaimedJob,
): Promise<void> {
  const step = steps.get(claimed.kind);
  if (step === undefined) throw new Error(`no step for ${claimed.kind}`);
  const heartbeat = setInterval(() => {
    extendJobLease(ctx, { owner, job: claimed }).catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'lease of a job not extended'),
    );
  }, ctx.env.leaseMs / 3);
  const began = ctx.clock.monotonicMs();
  let job = claimed;
  try {
    do {
      const progress = await step(job, signal);
      if (!(await saveJobProgress(ctx, { owner, job }, progress))) return;
      if (progress.cursor === null) return await finishJob(ctx, { owner, job });
      const { cursor, done, total, result } = progress;
      job = { ...job, cursor, done, total, result, attempts: 0 };
    } while (!signal.aborted && ctx.clock.monotonicMs() - began < turnMs);
    await returnJob(ctx, { owner, job });
  } catch (error) {
    await endTurn(ctx, owner, job, error);
  } finally {
    clearInterval(heartbeat);
  }
}

const hopeless = new Set(['refused', 'invalid_request', 'not_found']);
const passing = new Set(['unavailable', 'rate_limited']);

/**
 * The error decides: unavailable storage is not a fault of the job, a refusal is final, and
 * anything else is retried.
 */
async function endTurn(ctx: Ctx, owner: string, job: ClaimedJob, error: unknown): Promise<void> {
  const code = error instanceof AssayError ? error.code : null;
  const fault = classifyStorageError(error);
  if (fault === 'transient' || fault === 'retry' || (code !== null && passing.has(code))) {
    await returnJob(ctx, { owner, job });
    throw error;
  }
  ctx.log.error({ err: error, job: job.id, kind: job.kind }, 'a step of a job broke');
  await failJob(
    ctx,
    { owner, job },
    error instanceof Error ? error.message : String(error),
    code !== null && hopeless.has(code),
  );
}
