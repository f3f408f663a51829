import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { enterProject, type ProjectCtx } from '../../access';
import { readDefinition } from '../../catalog';
import { storableJson } from '../../domain';
import { refused, type Ctx, unavailable } from '../../platform';
import { createJob, getJob, type Job, type JobStep } from '../../queue';
import { type DraftResult, type SubjectDeps, tryDraft } from '../../verdicts';

export const draftKind = 'verifiers.try';

const DraftInput = z.object({
  slug: z.string(),
  definition: z.unknown(),
  subjects: z.array(z.unknown()),
});

export interface StartDraft {
  readonly slug: string;
  /** The body of `PUT /v1/verifiers/{slug}`. */
  readonly definition: unknown;
  /** Ids of turns and traces, or subjects. */
  readonly subjects: readonly unknown[];
}

/**
 * Starts a job that tries a definition in a worker, which has the models and the sandbox.
 * @throws AssayError invalid_request (with every fault of the definition)
 */
export async function startDraft(ctx: ProjectCtx, input: StartDraft): Promise<Job> {
  readDefinition(input.slug, input.definition);
  const stored: unknown = JSON.parse(storableJson({ ...input }));
  return createJob(ctx, { kind: draftKind, input: stored, total: input.subjects.length });
}

/** The step of such a job: it tries all subjects, and its result is a `DraftResult`. */
export function createDraftStep(ctx: Ctx, deps: SubjectDeps): JobStep {
  return async (claimed, signal) => {
    const project = enterProject(
      ctx,
      { id: claimed.projectId, slug: claimed.projectSlug },
      { kind: 'system', id: 'job', label: claimed.createdBy },
    );
    const { slug, definition, subjects } = DraftInput.parse(claimed.input);
    const draft = readDefinition(slug, definition);
    const result = await tryDraft(project, deps, { draft, subjects, signal });
    const done = subjects.length;
    return { cursor: null, done, total: done, errors: [], result };
  };
}

/** The job when it has ended, or as it is after `waitMs`. @throws AssayError not_found */
export async function awaitDraft(
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

/** How long a program's check may wait for a worker. */
const checkMs = 60_000;

/**
 * Checks the program of a definition in a worker's sandbox before it is stored; definitions without
 * a program need no check.
 * @throws AssayError invalid_request, refused (the faults of the program), unavailable (no worker)
 */
export async function checkProgram(
  ctx: ProjectCtx,
  input: Omit<StartDraft, 'subjects'>,
  signal: AbortSignal,
): Promise<void> {
  if (readDefinition(input.slug, input.definition).own.faultsOf === undefined) return;
  const { id } = await startDraft(ctx, { ...input, subjects: [] });
  const job = await awaitDraft(ctx, id, { waitMs: checkMs, signal });
  if (job.finishedAt === null || job.state !== 'done')
    throw unavailable('no worker could try the function; start a worker with a sandbox, and retry');
  const { faults } = job.result as DraftResult;
  if (faults.length === 0) return;
  const details = faults.map(({ message, line }) => ({
    path: 'function.source',
    message: line === null ? message : `line ${line}: ${message}`,
  }));
  throw refused(`function.source: ${details[0]?.message ?? ''}`, details);
}
