import { z } from 'zod';
import { enterProject, type ProjectCtx } from '../../access';
import {
  putVerifier,
  readDefinition,
  type ReadDefinition,
  type StoredVerifier,
} from '../../catalog';
import { storableJson } from '../../domain';
import { refused, type Ctx, unavailable } from '../../platform';
import type { PromptDefaults } from '../../prompts';
import {
  awaitJob,
  cancelJob,
  createJob,
  deleteJob,
  type Job,
  type JobStep,
  pruneJobs,
} from '../../queue';
import { type DraftVerdict, findDraftFaults, type SubjectDeps, tryDraft } from '../../verdicts';
import type { ProgramFault } from '../../verifiers';
import { allOf } from '../trials/all-of';
import { DraftSubjects } from './draft-input';

export const draftKind = 'verifiers.try';

/** A definition as JSON text, which keeps the order of its members. */
export const DefinitionText = z
  .string()
  .transform((text) => z.looseObject({}).parse(JSON.parse(text)));

const DraftInput = z.object({
  slug: z.string(),
  definition: DefinitionText,
  subjects: z.array(z.unknown()),
  among: z.array(DraftSubjects),
});

/** The result of such a job, so far. */
export interface DraftResult {
  /** Faults of the definition's program, which was then called on no subject. */
  readonly faults: readonly ProgramFault[];
  /** One for each subject, in order. */
  readonly data: readonly DraftVerdict[];
}

/** Number of subjects that are verified in parallel. */
const atOnce = 4;

export interface StartDraft {
  readonly slug: string;
  /** The body of `PUT /v1/verifiers/{slug}`. */
  readonly definition: unknown;
  /** Ids of stored subjects, or subjects. */
  readonly subjects: readonly unknown[];
  /** The targets that the ids may identify; by default, turns and traces. */
  readonly among?: readonly DraftSubjects[];
}

/**
 * Starts a job that runs a draft definition in a worker, which has the models and the sandbox.
 * @throws AssayError invalid_request (with every fault of the definition)
 */
export async function startDraft(ctx: ProjectCtx, input: StartDraft): Promise<Job> {
  readDefinition(input.slug, input.definition);
  const definition = storableJson(input.definition);
  const stored: unknown = JSON.parse(
    storableJson({ among: ['turn', 'trace'], ...input, definition }),
  );
  return createJob(ctx, { kind: draftKind, input: stored, total: input.subjects.length });
}

/** The step of such a job: it verifies the next few subjects; its result is a `DraftResult`. */
export function createDraftStep(ctx: Ctx, deps: SubjectDeps): JobStep {
  return async (claimed, signal) => {
    const project = enterProject(
      ctx,
      { id: claimed.projectId, slug: claimed.projectSlug },
      { kind: 'system', id: 'job', label: claimed.createdBy },
    );
    const { slug, definition, subjects, among } = DraftInput.parse(claimed.input);
    const draft = readDefinition(slug, definition);
    const total = subjects.length;
    const triedSubjects = claimed.done === 0 ? [] : (claimed.result as DraftResult).data;
    const faults = claimed.done === 0 ? await findDraftFaults(project, deps, draft, signal) : [];
    if (faults.length > 0)
      return { cursor: null, done: 0, total, errors: [], result: { faults, data: [] } };
    const next = subjects.slice(claimed.done, claimed.done + atOnce);
    const data = [
      ...triedSubjects,
      ...(await allOf(
        next.map((subject) => tryDraft(project, deps, { draft, subject, among, signal })),
      )),
    ];
    const done = data.length;
    const cursor = done < total ? { done } : null;
    return { cursor, done, total, errors: [], result: { faults, data } };
  };
}

/**
 * The result of an ended job, which is deleted with its subjects.
 * @throws AssayError refused (the reason why it failed)
 */
export async function takeDraft(ctx: ProjectCtx, job: Job): Promise<DraftResult> {
  await deleteJob(ctx, job.id);
  if (job.state !== 'done') throw refused(job.reason ?? 'the try was cancelled');
  return job.result as DraftResult;
}

/** How long the check of a program may wait for a worker, in milliseconds. */
export const programCheckMs = 60_000;

/** Whether a definition has a program, which is checked in a worker before it is stored. */
export const hasProgram = ({ custom }: ReadDefinition): boolean => custom.faultsOf !== undefined;

/**
 * Refuses a program with faults, by the job that checked it.
 * @throws AssayError refused (the faults of the program), unavailable (no worker checked it)
 */
export async function requireSoundProgram(ctx: ProjectCtx, job: Job): Promise<void> {
  if (job.finishedAt === null) {
    await cancelJob(ctx, job.id);
    throw unavailable('no worker could try the function; start a worker with a sandbox, and retry');
  }
  const { faults } = await takeDraft(ctx, job);
  if (faults.length === 0) return;
  const details = faults.map(({ message, line }) => ({
    path: 'function.source',
    message: line === null ? message : `line ${line}: ${message}`,
  }));
  throw refused(`function.source: ${details[0]?.message ?? ''}`, details);
}

/**
 * Creates a verifier of the project, or stores its next version, after a worker has checked its
 * program. For a caller that may wait for it.
 * @throws AssayError as `readDefinition`, `requireSoundProgram` and `putVerifier` do
 */
export async function defineVerifier(
  ctx: ProjectCtx,
  prompts: PromptDefaults,
  { slug, definition, signal }: Omit<StartDraft, 'subjects'> & { readonly signal: AbortSignal },
): Promise<StoredVerifier> {
  const read = readDefinition(slug, definition);
  if (hasProgram(read)) {
    const { id } = await startDraft(ctx, { slug, definition, subjects: [] });
    await requireSoundProgram(ctx, await awaitJob(ctx, id, { waitMs: programCheckMs, signal }));
  }
  return putVerifier(ctx, prompts, read);
}

/** Deletes test runs of drafts that finished more than an hour ago. */
export const pruneDrafts = (ctx: Pick<Ctx, 'sql'>): Promise<void> =>
  pruneJobs(ctx, { kind: draftKind, olderThanMs: 60 * 60_000 });
