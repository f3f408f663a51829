import type { VerifyFailure } from './call';
import {
  asksForRetry,
  type CheckpointKind,
  type CheckpointReply,
  type Fallback,
  readCheckpoint,
  warningOf,
} from './checkpoint-reply';
import { newUuid } from './ids';
import type { Settings } from './options';
import type { Verification } from './turn';
import { verifyKind } from './verify-kind';

/**
 * Generate, verify, feed back, retry: a checkpoint around any asynchronous function (SOAR-6 to
 * SOAR-12).
 */

/** What `generate` is told of the attempt that it makes. */
export interface AttemptContext {
  /** 1 for the first. */
  readonly attempt: number;
  /** 0 for the first: what the verdict counts (SOAR-8). */
  readonly retriesUsed: number;
  /**
   * What was wrong with the attempt before, to be put into the prompt; null for the first.
   * `injectFeedback` does it.
   */
  readonly feedback: string | null;
  /**
   * What the attempt before gave; null for the first. Not of its own type, which is known only by
   * what `generate` gives.
   */
  readonly previous: unknown;
  /** True from the second attempt: a cache would give the refused work again (SOAR-12). */
  readonly bypassCache: boolean;
  /** The agent to ask, where the verdict on an agent's output names another one; null otherwise. */
  readonly agent: string | null;
  readonly signal: AbortSignal | undefined;
}

/** In place of an output that there is none of, since the agent failed (SOAR-20). */
export interface FailedOutput {
  error: string;
}

export interface CheckpointOptions<Value> {
  generate: (context: AttemptContext) => Value | Promise<Value>;
  /**
   * The kind's own members of the verify call (docs/reference/api/verify.md), and what else is to be said, such as
   * `executor_model`.
   */
  body: (value: Value) => Record<string, unknown>;
  /**
   * How often the work may be made again (2): this call's own counter, shared with nothing.
   * The server's `retry_budget` ends it too.
   */
  budget?: number;
  /**
   * Names the request: its checkpoints are shown together. The id where it is missing; given back
   * in any case.
   */
  traceId?: string;
  /**
   * Makes attempt `n` the verification `<id>-n`. A process that is started again finds its own only
   * where `generate` makes the same work again; other work under the same id is refused as a
   * conflict. Made where it is missing.
   */
  id?: string;
  /**
   * Where no verdict can be had: is the work to be used (`accept`) or not (`fail`, which stands
   * where nothing is said)?
   */
  onUnreachable?: 'accept' | 'fail';
  /** How long one verdict may take, with all its tries (120,000 ms). */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface CheckpointAttempt<Value> {
  value: Value;
  /** Null where none could be had. */
  verification: Verification | null;
  /** What it told the next attempt; null where it asked for none. */
  feedback: string | null;
}

export interface CheckpointResult<Value> {
  /**
   * `failed`: FAIL, or the retries are used up. `inconclusive`: the verifier could not tell.
   * `unreachable`: no verdict came; see `error`.
   */
  state: 'passed' | 'failed' | 'inconclusive' | 'unreachable';
  /** It passed; or there is no verdict, and `onUnreachable` is `accept`. */
  accepted: boolean;
  /** Of the last attempt. */
  value: Value;
  verification: Verification | null;
  /** Oldest first. */
  attempts: CheckpointAttempt<Value>[];
  /**
   * What is wrong with the work, for who uses it all the same; null only where it passed and
   * nothing is.
   */
  warning: string | null;
  /** Of a synthesis that failed: what to give in its place. */
  fallback: Fallback | null;
  error: VerifyFailure | null;
  traceId: string;
}

/**
 * Calls `generate` until its work passes, fails, cannot be judged, or the budget is used. Rejects
 * with what `generate` or `body` throw, and with nothing else.
 * @param fromError what a thrown error stands for; null: it is thrown on
 */
export async function runCheckpoint<Value>(
  settings: Settings,
  kind: CheckpointKind,
  options: CheckpointOptions<Value>,
  fromError: ((message: string) => Value) | null,
): Promise<CheckpointResult<Value>> {
  const { budget = 2, id = `cp-${newUuid()}`, onUnreachable = 'fail', signal } = options;
  const traceId = options.traceId ?? id;
  const attempts: CheckpointAttempt<Value>[] = [];
  let reply: CheckpointReply | null = null;
  for (let retriesUsed = 0; ; retriesUsed++) {
    const value: Value = await made(
      options,
      fromError,
      contextOf(retriesUsed, attempts, reply, signal),
    );
    const result = await verifyKind(settings, {
      kind,
      id: `${id}-${retriesUsed + 1}`,
      members: options.body(value),
      more: { trace_id: traceId, retries_used: retriesUsed },
      timeoutMs: options.timeoutMs ?? 120_000,
      signal,
    });
    const verification = result.ok ? result.verification : null;
    reply = readCheckpoint(kind, verification);
    const asked = verification !== null && asksForRetry(verification);
    const again = asked && retriesUsed < budget && signal?.aborted !== true;
    attempts.push({ value, verification, feedback: again ? reply.feedback : null });
    if (again) continue;
    const error = result.ok ? unsettled(result.verification) : result.error;
    const state = stateOf(verification, error);
    return {
      state,
      accepted: state === 'passed' || (state === 'unreachable' && onUnreachable === 'accept'),
      value,
      verification,
      attempts,
      warning:
        verification === null || error !== null
          ? `It was not verified: ${error?.message ?? 'there is no verdict'}`
          : warningOf(reply, verification, asked ? endOf(retriesUsed, budget) : null),
      fallback: reply.fallback,
      error,
      traceId,
    };
  }
}

function contextOf<Value>(
  retriesUsed: number,
  attempts: readonly CheckpointAttempt<Value>[],
  reply: CheckpointReply | null,
  signal: AbortSignal | undefined,
): AttemptContext {
  const last = attempts.at(-1);
  return {
    attempt: retriesUsed + 1,
    retriesUsed,
    feedback: last?.feedback ?? null,
    previous: last?.value ?? null,
    bypassCache: retriesUsed > 0,
    agent: reply?.next === 'retry_other_agent' ? reply.nextAgent : null,
    signal,
  };
}

async function made<Value>(
  { generate }: CheckpointOptions<Value>,
  fromError: ((message: string) => Value) | null,
  context: AttemptContext,
): Promise<Value> {
  try {
    return await generate(context);
  } catch (error) {
    if (fromError === null) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return fromError(message === '' ? 'it failed without saying why' : message);
  }
}

/** Why there is no verdict although there is an answer: it was not waited for any longer. */
function unsettled({ state }: Verification): VerifyFailure | null {
  return state === 'pending'
    ? { code: 'pending', message: 'there is no verdict yet', status: 202 }
    : null;
}

/** Why work that was to be made again was not: the caller's own budget, else its signal. */
function endOf(retriesUsed: number, budget: number): string {
  if (retriesUsed < budget) return 'it was called off before another attempt';
  return `its budget of ${budget} ${budget === 1 ? 'retry' : 'retries'} is used up`;
}

/** What a person must look at is no pass either. */
function stateOf(
  verification: Verification | null,
  error: VerifyFailure | null,
): CheckpointResult<unknown>['state'] {
  if (verification === null || error !== null) return 'unreachable';
  if (verification.outcome === 'passed') return 'passed';
  return verification.outcome === 'failed' ? 'failed' : 'inconclusive';
}

/** A prompt with what was wrong before at its end; as it is where nothing was (SOAR-12). */
export function injectFeedback(prompt: string, feedback: string | null): string {
  return feedback === null || feedback === '' ? prompt : `${prompt}\n\n${feedback}`;
}
