import { setTimeout as delay } from 'node:timers/promises';
import { enterProject, openSecret, type ProjectCtx } from '../../access';
import { findVerifier } from '../../catalog';
import { AssayError, classifyStorageError, type Ctx } from '../../platform';
import { pinPrompt } from '../../prompts';
import type { JobProgress, JobStep } from '../../queue';
import { askWithin, type SubjectDeps } from '../../verdicts';
import { allOf } from '../trials/all-of';
import { createHttpCall, createPromptCall, type TargetAnswer } from './call-target';
import { endExperiment } from './end-experiment';
import { type Experiment, findExperiment } from './experiment';
import { openRunBudget } from './run-budget';
import { ExperimentJob } from './run-job';
import {
  endRow,
  markAsked,
  nextRows,
  planMissing,
  readRunProgress,
  type RowReach,
  type RunProgress,
  type RunRow,
  settleLost,
} from './run-rows';
import { type OutputDeps, storeOutput } from './store-output';
import { headersPlace } from './start-experiment';

export interface RunDeps extends OutputDeps {
  readonly subjects: SubjectDeps;
}

/**
 * How long a step calls the target. This is long, since the step's end waits for calls in progress
 * while other slots stay empty.
 */
const sliceMs = 20_000;
/** The interval at which the progress of verifications is checked. */
const checkIntervalMs = 250;

/**
 * The step of an experiment: calls the target for the next rows, as many at a time as the
 * experiment allows, and stores each output with the work of its verifiers. When all rows are done,
 * it waits for the verdicts. A repeated step calls the target for no row a second time.
 * @throws AssayError refused (the prompt or the headers cannot be read any more)
 */
export function createExperimentStep(ctx: Ctx, deps: RunDeps): JobStep {
  return async (claimed, signal) => {
    const project = enterProject(
      ctx,
      { id: claimed.projectId, slug: claimed.projectSlug },
      { kind: 'system', id: 'job', label: claimed.createdBy },
    );
    const { experiment: id } = ExperimentJob.parse(claimed.input);
    const run = await findExperiment(project, id);
    if (run.state !== 'running' || run.jobId !== claimed.id)
      return over(await readRunProgress(project, id), run);
    await settleLost(project, id);
    if (claimed.cursor === null) await planMissing(project, id);
    const until = ctx.clock.monotonicMs() + sliceMs;
    // Two statements for each row: without the round trips of a project's connections.
    const rows = { sql: ctx.sql, projectId: claimed.projectId };
    const judges = await judgesOf(project, run.verifiers);
    const refused = await callRows(project, { ...deps, rows, judges }, run, { until, signal });
    return follow(project, run, { until, signal, refused });
  };
}

async function judgesOf(ctx: ProjectCtx, slugs: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await Promise.all(slugs.map((slug) => findVerifier(ctx, ctx.projectId, slug)));
  return new Set(found.flatMap((each) => (each?.kind.needsModel === true ? [each.slug] : [])));
}

interface Slice {
  /** Monotonic, milliseconds. */
  readonly until: number;
  /** The worker stops: no further call is started. */
  readonly signal: AbortSignal;
}

interface SliceDeps extends RunDeps {
  readonly rows: RowReach;
  /** The verifiers that need a model. */
  readonly judges: ReadonlySet<string>;
}

/** @returns why the budget allows no further call; null if it does */
async function callRows(
  ctx: ProjectCtx,
  deps: SliceDeps,
  run: Experiment,
  { until, signal }: Slice,
): Promise<string | null> {
  if (run.target.type === 'outputs') return null;
  const place = {
    experimentId: run.id,
    datasetId: run.datasetId,
    datasetVersion: run.datasetVersion,
  };
  const stopped = { reason: null as string | null, isOver: false };
  const call = await openTarget(ctx, deps, run, (reason) => {
    stopped.reason ??= reason;
    stopped.isOver = true;
  });
  let waiting: RunRow[] = [];
  let reading: Promise<void> | null = null;
  let last = 0;
  const read = async (): Promise<void> => {
    waiting = await nextRows(ctx, place, { after: last, limit: 4 * run.concurrency });
    last = waiting.at(-1)?.ordinal ?? Number.MAX_SAFE_INTEGER;
  };
  const next = async (): Promise<RunRow | undefined> => {
    while (waiting.length === 0 && last < Number.MAX_SAFE_INTEGER) {
      reading ??= read().finally(() => {
        reading = null;
      });
      await reading;
    }
    return waiting.shift();
  };
  const isOn = (): boolean => !stopped.isOver && !signal.aborted && ctx.clock.monotonicMs() < until;
  await allOf(
    Array.from({ length: run.concurrency }, async () => {
      // The last two answers: one is stored while the target makes the next.
      let storing: readonly [Promise<void>, Promise<void>] = [Promise.resolve(), Promise.resolve()];
      try {
        while (isOn()) {
          await storing[0];
          const row = await next();
          if (row === undefined) break;
          if (!(await markAsked(deps.rows, run.id, row.ordinal))) stopped.isOver = true;
          else {
            const recording: Promise<void>[] = [];
            const answer = await call(row, (each) => recording.push(each));
            const stored = storeAnswer(ctx, deps, run, { row, answer, recording });
            // A rejection is handled when it is awaited, possibly after the next call.
            stored.catch(() => undefined);
            storing = [storing[1], stored];
          }
        }
      } finally {
        await allOf(storing);
      }
    }),
  );
  return stopped.reason;
}

/** Calls are not cut off when the worker stops: an answer that was paid for is stored. */
async function openTarget(
  ctx: ProjectCtx,
  { subjects }: RunDeps,
  { id, target, headers, budgetMicros }: Experiment,
  onRefused: (reason: string) => void,
): Promise<CallRow> {
  const { signal } = new AbortController();
  if (target.type === 'http') {
    const sealed =
      headers === null
        ? {}
        : (JSON.parse(
            openSecret(ctx, headersPlace(ctx.projectId, id, target.url), headers),
          ) as Record<string, string>);
    const call = createHttpCall(ctx, { target, headers: new Map(Object.entries(sealed)), signal });
    return ({ item }) => call(item);
  }
  if (target.type === 'outputs') throw new Error('an experiment with sent outputs calls no target');
  const [slug = '', version] = target.prompt?.split('@') ?? [];
  const prompt =
    version === undefined ? null : await pinPrompt(ctx, subjects.prompts, slug, Number(version));
  const { projectId } = ctx;
  return async ({ item, ordinal }, onRecord) => {
    const ask = subjects.askFor({ projectId, verdictId: null, onRecord });
    if (budgetMicros === null) return createPromptCall(ctx, { target, prompt, ask, signal })(item);
    const budget = openRunBudget(ctx, { projectId, experimentId: id, budgetMicros, ordinal });
    const limited = await askWithin(ctx, { projectId, budget, ask });
    const answer = await createPromptCall(ctx, { target, prompt, ask: limited.ask, signal })(item);
    const reason = limited.refused();
    if (reason !== null) onRefused(reason);
    return reason === null ? answer : { state: 'refused', reason };
  };
}

/** `onRecord`: as in `AskFor`. */
type CallRow = (row: RunRow, onRecord: (recording: Promise<void>) => void) => Promise<TargetAnswer>;

interface RowAnswer {
  readonly row: RunRow;
  readonly answer: TargetAnswer;
  /** The records of its calls, which are stored before the answer. */
  readonly recording: readonly Promise<void>[];
}

async function storeAnswer(
  ctx: ProjectCtx,
  deps: SliceDeps,
  run: Experiment,
  { row, answer, recording }: RowAnswer,
): Promise<void> {
  await Promise.all(recording);
  if (answer.state === 'refused')
    return endRow(deps.rows, run.id, row.ordinal, { state: 'waiting' });
  if (answer.state === 'failed') return endRow(deps.rows, run.id, row.ordinal, answer);
  const { made, latencyMs } = answer;
  const { costUsd } = made;
  const failed = (error: string) =>
    endRow(deps.rows, run.id, row.ordinal, { state: 'failed', costUsd, error });
  const { judges } = deps;
  const output = { experimentId: run.id, verifiers: run.verifiers, judges, row };
  try {
    const stored = await persist(ctx, () => storeOutput(ctx, deps, output, made));
    if (stored === 'differs') return await failed('a turn with the id of this row exists already');
  } catch (error) {
    if (!(error instanceof AssayError) || error.code === 'unavailable') throw error;
    return await failed(`the output cannot be stored: ${error.message}`);
  }
  await persist(ctx, () =>
    endRow(deps.rows, run.id, row.ordinal, { state: 'answered', costUsd, latencyMs }),
  );
}

/** Waits out an interruption of the storage: the answer was paid for. */
async function persist<T>({ log }: ProjectCtx, store: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await store();
    } catch (error) {
      const fault = classifyStorageError(error);
      const isPassing =
        fault === 'transient' ||
        fault === 'retry' ||
        (error instanceof AssayError && error.code === 'unavailable');
      if (!isPassing || tries === 5) throw error;
      log.warn({ err: error }, 'the answer of a target is not stored yet');
      await delay(tries * 500);
    }
  }
}

/** Waits for the verdicts until the slice ends; ends the experiment when all have come. */
async function follow(
  ctx: ProjectCtx,
  run: Experiment,
  { until, signal, refused }: Slice & { readonly refused: string | null },
): Promise<JobProgress> {
  let progress = await readRunProgress(ctx, run.id);
  let pauseMs = checkIntervalMs / 8;
  while (
    (progress.waiting === 0 || refused !== null) &&
    progress.pending > 0 &&
    !signal.aborted &&
    ctx.clock.monotonicMs() < until
  ) {
    await delay(pauseMs);
    pauseMs = Math.min(2 * pauseMs, checkIntervalMs);
    progress = await readRunProgress(ctx, run.id);
  }
  const { state } = await findExperiment(ctx, run.id);
  if (state !== 'running') return over(progress, run);
  const isLeft = progress.waiting > 0 && refused === null;
  if (isLeft || progress.asked > 0 || progress.pending > 0)
    return { ...doneOf(progress, run), cursor: { begun: true } };
  await conclude(ctx, run, progress, refused);
  return over(progress, run);
}

async function conclude(
  ctx: ProjectCtx,
  run: Experiment,
  progress: RunProgress,
  refused: string | null,
): Promise<void> {
  const missing = progress.answered * run.verifiers.length - progress.verdicts;
  if (refused !== null)
    return endExperiment(ctx, run.id, 'over_budget', `a call was refused: ${refused}`);
  if (missing === 0) return endExperiment(ctx, run.id, 'done', null);
  if (run.budgetMicros === null)
    await endExperiment(ctx, run.id, 'done', `${missing} verifications failed`);
  else
    await endExperiment(
      ctx,
      run.id,
      'over_budget',
      `the budget did not allow ${missing} verifications`,
    );
}

/** A row counts once, and each of its verifications once; a row without output needs none. */
function doneOf(
  { rows, waiting, asked, answered, pending }: RunProgress,
  { verifiers }: Experiment,
): Omit<JobProgress, 'cursor'> {
  const ended = rows - waiting - asked;
  const verifications = Math.max(
    0,
    ended * verifiers.length - Math.min(pending, answered * verifiers.length),
  );
  return {
    done: ended + verifications,
    total: rows * (1 + verifiers.length),
    errors: [],
    result: null,
  };
}

const over = (progress: RunProgress, run: Experiment): JobProgress => ({
  ...doneOf(progress, run),
  cursor: null,
});
