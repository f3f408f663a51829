import type { VerifyFailure } from './call';
import {
  requestsRetry,
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

/** Input of `generate` for one attempt. */
export interface AttemptContext {
  /** 1 for the first attempt. */
  readonly attempt: number;
  /** 0 for the first attempt: the number that the verdict uses (SOAR-8). */
  readonly retriesUsed: number;
  /**
   * Feedback on the previous attempt, for the prompt (see `injectFeedback`); null for the first.
   */
  readonly feedback: string | null;
  /**
   * Value of the previous attempt; null for the first. Untyped, since `generate` itself determines
   * the type.
   */
  readonly previous: unknown;
  /** True from the second attempt on: a cache would return the rejected work again (SOAR-12). */
  readonly bypassCache: boolean;
  /** The agent to call, if the verdict on an agent's output names another one; otherwise null. */
  readonly agent: string | null;
  readonly signal: AbortSignal | undefined;
}

/** The output of an agent that failed (SOAR-20). */
export interface FailedOutput {
  error: string;
}

export interface CheckpointOptions<Value> {
  generate: (context: AttemptContext) => Value | Promise<Value>;
  /**
   * The kind's own members of the verify call (docs/reference/api/verify.md), and further ones such
   * as `executor_model`.
   */
  body: (value: Value) => Record<string, unknown>;
  /**
   * Maximum number of retries (2). Each call has its own counter, shared with no other. The
   * server's `retry_budget` also limits it.
   */
  budget?: number;
  /**
   * Identifies the request: its checkpoints are shown together. Defaults to the id; always
   * returned.
   */
  traceId?: string;
  /**
   * The verification of attempt `n` has the id `<id>-n`. A restarted process finds its own
   * verifications only if `generate` produces the same work again; other work under the same id is
   * rejected as a conflict. Generated if omitted.
   */
  id?: string;
  /** Whether work without an available verdict is used (`accept`) or not (`fail`, the default). */
  onUnreachable?: 'accept' | 'fail';
  /** Timeout of one verdict, retries included (120,000 ms). */
  timeoutMs?: number;
  signal?: AbortSignal;
}

export interface CheckpointAttempt<Value> {
  value: Value;
  /** Null if none was available. */
  verification: Verification | null;
  /** Feedback for the next attempt; null if there is none. */
  feedback: string | null;
}

export interface CheckpointResult<Value> {
  /**
   * `failed`: FAIL, or the retries are used up. `inconclusive`: the verifier could not decide.
   * `unreachable`: there is no verdict; see `error`.
   */
  state: 'passed' | 'failed' | 'inconclusive' | 'unreachable';
  /** Whether it passed, or has no verdict while `onUnreachable` is `accept`. */
  accepted: boolean;
  /** Value of the last attempt. */
  value: Value;
  verification: Verification | null;
  /** Oldest first. */
  attempts: CheckpointAttempt<Value>[];
  /**
   * The problem of the work, for a caller that uses it anyway; null only if it passed without one.
   */
  warning: string | null;
  /** The substitute for a failed synthesis. */
  fallback: Fallback | null;
  error: VerifyFailure | null;
  traceId: string;
}

/**
 * Calls `generate` until its work passes, fails, cannot be judged, or the budget is used up.
 * Rejects only with errors of `generate` or `body`.
 *
 * @param fromError maps a thrown error to a value; null to rethrow the error
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
    const value: Value = await runGenerate(
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
    const isRetryRequested = verification !== null && requestsRetry(verification);
    const willRetry = isRetryRequested && retriesUsed < budget && signal?.aborted !== true;
    attempts.push({ value, verification, feedback: willRetry ? reply.feedback : null });
    if (willRetry) continue;
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
          : warningOf(reply, verification, isRetryRequested ? endOf(retriesUsed, budget) : null),
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

async function runGenerate<Value>(
  { generate }: CheckpointOptions<Value>,
  fromError: ((message: string) => Value) | null,
  context: AttemptContext,
): Promise<Value> {
  try {
    return await generate(context);
  } catch (error) {
    if (fromError === null) throw error;
    const message = error instanceof Error ? error.message : String(error);
    return fromError(message === '' ? 'it failed without a message' : message);
  }
}

/** The error of a response without a verdict: the wait timed out. */
function unsettled({ state }: Verification): VerifyFailure | null {
  return state === 'pending'
    ? { code: 'pending', message: 'there is no verdict yet', status: 202 }
    : null;
}

/** Why a requested retry did not happen: the caller's own budget, else its signal. */
function endOf(retriesUsed: number, budget: number): string {
  if (retriesUsed < budget) return 'it was cancelled before another attempt';
  return `its budget of ${budget} ${budget === 1 ? 'retry' : 'retries'} is used up`;
}

/** Work that needs human review has not passed either. */
function stateOf(
  verification: Verification | null,
  error: VerifyFailure | null,
): CheckpointResult<unknown>['state'] {
  if (verification === null || error !== null) return 'unreachable';
  if (verification.outcome === 'passed') return 'passed';
  return verification.outcome === 'failed' ? 'failed' : 'inconclusive';
}

/** The prompt with the previous feedback at its end; unchanged if there is none (SOAR-12). */
export function injectFeedback(prompt: string, feedback: string | null): string {
  return feedback === null || feedback === '' ? prompt : `${prompt}\n\n${feedback}`;
}
