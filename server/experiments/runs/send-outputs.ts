import { sql } from 'drizzle-orm';
import { type ProjectCtx, recordAudit } from '../../access';
import { type JsonSlice, sliceItems, sliceMembers } from '../../domain';
import { fieldSentence, issueDetails, newId, refused, unknownMembers } from '../../platform';
import { storeJob } from '../../queue';
import { type Experiment, findExperiment } from './experiment';
import { experimentKind } from './run-job';
import { SentOutput } from './run-input';
import { endRow, findRow, markAsked, readRunProgress, type RunRow } from './run-rows';
import { type OutputDeps, storeOutput } from './store-output';

export interface OutputsTaken {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly {
    readonly index: number;
    readonly code: string;
    readonly message: string;
  }[];
}

/** A parsed output, and its JSON text, in which numbers keep their digits. */
interface OneOutput {
  readonly value: unknown;
  readonly text: string;
}

/**
 * Stores outputs of the caller's own program. One bad output does not affect the others, and the
 * same output again changes nothing.
 * @param body the JSON text of `{"outputs": […]}`, and the parsed list
 * @throws AssayError not_found, refused (the experiment takes no outputs), unavailable
 */
export async function sendOutputs(
  ctx: ProjectCtx,
  deps: OutputDeps,
  {
    id,
    body,
    outputs,
  }: { readonly id: string; readonly body: string; readonly outputs: readonly unknown[] },
): Promise<OutputsTaken> {
  const run = await findExperiment(ctx, id);
  requireOpen(run);
  const list = sliceMembers(body).get('outputs');
  const slices: readonly JsonSlice[] = list === undefined ? [] : sliceItems(body, list.start);
  const taken = { accepted: 0, duplicates: 0, rejected: [] as OutputsTaken['rejected'][number][] };
  for (const [index, value] of outputs.entries()) {
    const slice = slices[index];
    if (slice === undefined) throw new Error('the slices of a body do not match its values');
    const text = body.slice(slice.start, slice.end);
    const done = await takeOne(ctx, deps, run, { value, text });
    if (done === 'accepted') taken.accepted++;
    else if (done === 'duplicate') taken.duplicates++;
    else taken.rejected.push({ index, ...done });
  }
  return taken;
}

function requireOpen({ target, state }: Experiment): void {
  if (target.type === 'outputs' && state === 'open') return;
  const message =
    target.type === 'outputs'
      ? `the experiment takes no more outputs: its state is ${state}`
      : `outputs are taken by experiments with a target of the type outputs; this one is ${target.type}`;
  throw refused(message, [{ path: 'id', message }]);
}

async function takeOne(
  ctx: ProjectCtx,
  deps: OutputDeps,
  run: Experiment,
  { value, text }: OneOutput,
): Promise<'accepted' | 'duplicate' | { readonly code: string; readonly message: string }> {
  const parsed = SentOutput.safeParse(value);
  const details = [
    ...unknownMembers([SentOutput], value),
    ...issueDetails(parsed.error?.issues ?? []),
  ];
  if (details[0] !== undefined || parsed.data === undefined)
    return {
      code: 'invalid',
      message:
        details[0] === undefined ? 'must be an object' : fieldSentence(details[0], 'the output'),
    };
  const sent = parsed.data;
  const found = await findRow(ctx, run, { itemId: sent.item_id, repetition: sent.repetition });
  if (found === null)
    return {
      code: 'not_found',
      message: `item_id: the experiment has no row for "${sent.item_id}", repetition ${sent.repetition}`,
    };
  const { row, state } = found;
  if (state === 'waiting') await markAsked(ctx, run.id, row.ordinal);
  return sent.error == null
    ? storeSent(ctx, deps, run, { row, state, sent, text })
    : storeError(ctx, run, { row, state, sent });
}

interface Sent {
  readonly row: RunRow;
  readonly state: string;
  readonly sent: SentOutput;
}

async function storeError(ctx: ProjectCtx, run: Experiment, { row, state, sent }: Sent) {
  if (state === 'failed') return 'duplicate' as const;
  if (state !== 'waiting' && state !== 'asked') return conflicting(row);
  await endRow(ctx, run.id, row.ordinal, {
    state: 'failed',
    costUsd: sent.cost_usd ?? null,
    error: sent.error ?? '',
  });
  return 'accepted' as const;
}

async function storeSent(
  ctx: ProjectCtx,
  deps: OutputDeps,
  run: Experiment,
  { row, state, sent, text }: Sent & { readonly text: string },
) {
  if (state === 'failed') return conflicting(row);
  const members = sliceMembers(text);
  const jsonOf = (name: string): string | null => {
    const slice = members.get(name);
    return slice === undefined ? null : text.slice(slice.start, slice.end);
  };
  const costUsd = sent.cost_usd ?? null;
  const stored = await storeOutput(
    ctx,
    deps,
    { experimentId: run.id, verifiers: run.verifiers, row },
    {
      output: jsonOf('output') ?? '""',
      tools: sent.tools == null ? null : jsonOf('tools'),
      model: null,
      costUsd,
      tokens: null,
      startedAt: null,
      endedAt: null,
    },
  );
  if (stored === 'differs') return conflicting(row);
  if (state === 'answered') return 'duplicate' as const;
  const latencyMs = sent.latency_ms ?? null;
  await endRow(ctx, run.id, row.ordinal, { state: 'answered', costUsd, latencyMs });
  return 'accepted' as const;
}

const conflicting = ({ item, repetition }: RunRow) => ({
  code: 'conflict',
  message: `item_id: another output of "${item.id}", repetition ${repetition}, is stored already`,
});

/**
 * Ends the sending of outputs: rows without one have failed, and a job waits for the verdicts.
 * Repeating it changes nothing.
 * @throws AssayError not_found, refused (it takes no outputs, or was cancelled)
 */
export async function finishOutputs(
  ctx: ProjectCtx,
  id: string,
): Promise<{ readonly id: string; readonly jobId: string }> {
  const run = await findExperiment(ctx, id);
  if (run.target.type === 'outputs' && run.jobId !== '') return { id, jobId: run.jobId };
  requireOpen(run);
  const jobId = newId('job', ctx.clock.now());
  const progress = await readRunProgress(ctx, id);
  const finished = await ctx.db.transaction(async (tx) => {
    const ended = await tx.execute(sql`
      update experiments set state = 'running', job_id = ${jobId}
      where project_id = ${ctx.projectId} and id = ${id} and state = 'open' returning id`);
    if (ended.length === 0) return false;
    await tx.execute(sql`
      update experiment_rows set state = 'failed', error = 'no output was sent', ended_at = now()
      where project_id = ${ctx.projectId} and experiment_id = ${id} and state = 'waiting'`);
    await storeJob(ctx, tx, {
      id: jobId,
      kind: experimentKind,
      input: { experiment: id },
      total: progress.rows * (1 + run.verifiers.length),
    });
    await recordAudit(ctx, tx, ctx.actor, {
      projectId: ctx.projectId,
      action: 'experiments.finish',
      target: id,
      detail: { outputs: progress.answered },
    });
    return true;
  });
  return finished ? { id, jobId } : { id, jobId: (await findExperiment(ctx, id)).jobId };
}
