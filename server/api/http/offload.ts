import type { ProjectCtx } from '../../access';
import { AssayError, refused, unavailable } from '../../platform';
import { OverBudget, type Pool, ThreadLost } from '../../pool';
import { settledWithin, settleOverBudget, workOf } from '../../verdicts';
import { awaitJob } from '../../queue';
import {
  CONTINUES_HEADER,
  isRead,
  joined,
  type ThreadAnswer,
  type ThreadProject,
  type ThreadRequest,
} from './thread-request';

/**
 * A request with its body read, for a pool thread. `path` is relative to the API's base and
 * includes the query.
 */
export interface Offloaded {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  /** As in `PoolTask`. */
  readonly budgetFactor?: number;
  /** Fires when the client disconnects: then no verdict is awaited. */
  readonly signal: AbortSignal;
}

export interface OffloadDeps {
  readonly pool: Pool;
  /** Identifies this process as an owner of leases. */
  readonly owner: string;
}

/** Bytes that each request counts against the pool's share, in addition to its body. */
const REQUEST_WORK = 16 * 1024;

/**
 * Runs a request in a pool thread, so that no work whose size the sender controls runs on
 * the event loop. A subject that exceeds its processor time is settled as over budget; a
 * worker's verdict or job is awaited here, which blocks no thread.
 *
 * @throws AssayError from the handler; refused (over budget before there was a subject),
 * rate_limited, unavailable
 */
export async function answerInPool(
  deps: OffloadDeps,
  project: ProjectCtx,
  request: Offloaded,
): Promise<ThreadAnswer> {
  const first = await run(deps, project, request).catch((error: unknown) =>
    settleSpent(deps, project, request, error),
  );
  if (first.awaits === null) return first;
  const { kind, id, waitMs } = first.awaits;
  const waits = { waitMs, signal: request.signal };
  if (kind === 'job') {
    await awaitJob(project, id, waits);
    return run(deps, project, {
      ...request,
      body: Buffer.from(first.body.buffer),
      headers: [...request.headers, [CONTINUES_HEADER, id]],
    });
  }
  if (waitMs > 0 && !(await settledWithin(project, id, waits))) return first;
  const reply = await run(deps, project, {
    method: 'GET',
    path: `/v1/verifications/${encodeURIComponent(id)}`,
    headers: [],
    body: Buffer.alloc(0),
    signal: request.signal,
  });
  return reply;
}

function run(
  { pool }: OffloadDeps,
  project: ProjectCtx,
  { method, path, headers, body, budgetFactor = 1 }: Offloaded,
): Promise<ThreadAnswer> {
  const bytes = joined(body);
  const input: ThreadRequest = {
    method,
    path,
    headers,
    body: bytes,
    project: threadProject(project),
  };
  return taken(
    pool.run<ThreadAnswer>({
      service: 'http',
      input,
      transfer: [bytes.buffer],
      projectId: project.projectId,
      work: body.length + REQUEST_WORK,
      budgetFactor,
    }),
  );
}

/**
 * A thread that ended unexpectedly, for instance out of memory, is not an error that a client can
 * act on.
 */
async function taken<Result>(running: Promise<Result>): Promise<Result> {
  try {
    return await running;
  } catch (error) {
    if (error instanceof ThreadLost)
      throw unavailable('the request could not be processed; send it again later', 5);
    throw error;
  }
}

/**
 * Verifies the subject that exceeded its time again, up to the step that exceeded it, which then
 * counts as failed.
 */
async function settleSpent(
  { pool, owner }: OffloadDeps,
  project: ProjectCtx,
  { method }: Offloaded,
  error: unknown,
): Promise<ThreadAnswer> {
  if (!(error instanceof OverBudget)) throw error;
  if (isRead(method)) throw refused(`${error.message}; ask for fewer rows at once`);
  const work = workOf(error.subject);
  const over = refused(`${error.message}; send less at once`);
  if (work === null || work.projectId !== project.projectId) throw over;
  if (!(await settleOverBudget(project, pool, { owner, work, spent: error.part }))) throw over;
  return {
    status: 202,
    headers: [],
    body: new Uint8Array(),
    awaits: { kind: 'verification', id: work.id, waitMs: 0 },
  };
}

function threadProject({ projectId, projectSlug, simulated, actor }: ProjectCtx): ThreadProject {
  return { id: projectId, slug: projectSlug, simulated, actor };
}

/** Maps an error of the pool to a refusal, for handlers with another answer format. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof OverBudget
    ? new AssayError('refused', `${error.message}; send less at once`)
    : error;
