import type { Context } from 'hono';
import type { ProjectCtx } from '../../access';
import { awaitJob, getJob, type Job } from '../../queue';
import type { HttpDeps } from './deps';
import { awaitsHeader, CONTINUES_HEADER } from './thread-request';

export interface AwaitedJob {
  readonly start: () => Promise<Job>;
  readonly waitMs: number;
}

/**
 * The job that a request needs, in its state when it ends or after `waitMs`. A thread answers one
 * request at a time and leaves the wait to its process: it returns the `answer` for it, and the
 * process runs the request again.
 */
export async function awaitedJob(
  c: Context,
  project: ProjectCtx,
  { isThread }: Pick<HttpDeps, 'isThread'>,
  { start, waitMs }: AwaitedJob,
): Promise<{ readonly job: Job } | { readonly answer: Response }> {
  const continued = isThread === true ? c.req.header(CONTINUES_HEADER) : undefined;
  if (continued !== undefined) return { job: await getJob(project, continued) };
  const { id } = await start();
  if (isThread === true)
    return { answer: c.json({}, 202, awaitsHeader({ kind: 'job', id, waitMs })) };
  return { job: await awaitJob(project, id, { waitMs, signal: c.req.raw.signal }) };
}
