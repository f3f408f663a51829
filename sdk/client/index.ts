import { type AssayApi, createApi } from './api';
import {
  type CheckpointOptions,
  type CheckpointResult,
  type FailedOutput,
  runCheckpoint,
} from './checkpoint';
import type { CheckpointKind } from './checkpoint-reply';
import { type ContractOptions, type ContractResult, fetchContract } from './contract';
import { watchExit } from './exit';
import { idOf } from './ids';
import { type AssayOptions, readOptions, type Settings } from './options';
import { type Route, utf8Bytes } from './queue';
import type { Decomposition } from './run-order';
import { type RunOptions, type RunResult, type RunSubgoal, runSubgoals } from './run-subgoals';
import { Sender } from './sender';
import { noCounts, type Stats } from './stats';
import type { OutcomeReport, Turn } from './turn';
import {
  type OwnVerifierWork,
  type VerifyKindName,
  type VerifyKindOptions,
  type VerifyWork,
  verifyWork,
} from './verify-kind';
import {
  AssayError,
  verifyIntegrity,
  type VerifyOptions,
  type VerifyResult,
  writeTurn,
} from './verify';

/**
 * The TypeScript client of Assay (docs/reference/sdk.md): it sends turns in batches in the
 * background, and never throws into the host.
 */

export type {
  AssayApi,
  ListItem,
  ListRoute,
  RouteAnswer,
  RouteName,
  RouteParts,
} from './api';
export type { VerifyFailure } from './call';
export type { CallOptions } from './call-route';
export {
  type AttemptContext,
  type CheckpointAttempt,
  type CheckpointOptions,
  type CheckpointResult,
  type FailedOutput,
  injectFeedback,
} from './checkpoint';
export type { CheckpointKind, Fallback, NextStep } from './checkpoint-reply';
export {
  type ChatMessage,
  type CodeContract,
  type ContractOptions,
  type ContractResult,
  injectContract,
} from './contract';
export { evaluate, type EvaluateOptions } from './evaluate';
export type * from './evaluation';
export type { AssayOptions, Drop, DropReason, Rejection, Retry } from './options';
export type { Decomposition, Phase, Subgoal } from './run-order';
export type {
  RunOptions,
  RunResult,
  RunSubgoal,
  SubgoalContext,
  SubgoalResult,
} from './run-subgoals';
export type { Stats } from './stats';
export type * from './turn';
export { AssayError, type VerifyOptions, type VerifyResult } from './verify';
export type {
  OwnVerifierWork,
  VerifyKindName,
  VerifyKindOptions,
  VerifyWork,
} from './verify-kind';

export interface Assay extends AssayApi {
  /**
   * Queues a turn and returns its id at once. Failures are counted and passed to `onReject` or
   * `onDrop`. Never throws.
   */
  turn(turn: Turn): string;
  /** Queues a report of the outcome of a turn or a verification, like `turn`. */
  outcome(report: OutcomeReport): string;
  /**
   * Verifies work of a built-in kind, and waits for the verdict. Repeated
   * calls with the same `id` of the work are one verification. Never rejects, unless `throwOnError` is set.
   */
  verify<Kind extends VerifyKindName>(
    kind: Kind,
    work: VerifyWork<Kind>,
    options?: VerifyKindOptions,
  ): Promise<VerifyResult>;
  /** The same, with a verifier that the project defined. */
  verify(slug: string, work: OwnVerifierWork, options?: VerifyKindOptions): Promise<VerifyResult>;
  /** Verifies one answer and waits for the verdict. Never rejects, unless `throwOnError` is set. */
  verifyIntegrity(turn: Turn, options?: VerifyOptions): Promise<VerifyResult>;
  /**
   * The obligations of a code request, for `injectContract` before a model writes the code. Never
   * rejects.
   */
  contract(request: string, options?: ContractOptions): Promise<ContractResult>;
  /**
   * Generates an agent's output, verifies it, and retries with the feedback until it passes or the
   * retries are used up. An error thrown by `generate` becomes an output with an error (SOAR-20).
   */
  checkpoint<Value>(
    kind: 'agent-output',
    options: CheckpointOptions<Value | FailedOutput>,
  ): Promise<CheckpointResult<Value | FailedOutput>>;
  /**
   * The same for a decomposition, a synthesis or a task. Rejects only with errors of `generate` and
   * `body`.
   */
  checkpoint<Value>(
    kind: Exclude<CheckpointKind, 'agent-output'>,
    options: CheckpointOptions<Value>,
  ): Promise<CheckpointResult<Value>>;
  /**
   * Runs the subgoals of a decomposition in order, each through the checkpoint of its agent's
   * output. A failing agent does not make it reject.
   */
  runSubgoals<Output extends object>(
    decomposition: Decomposition,
    run: RunSubgoal<Output>,
    options?: RunOptions,
  ): Promise<RunResult<Output>>;
  /**
   * Resolves when at least half of the queue is free: a host that awaits it before each turn loses
   * no turn to a full queue.
   */
  ready(): Promise<void>;
  /** Sends everything queued; false if `timeoutMs` (10,000) was not enough. It drops nothing. */
  flush(options?: { timeoutMs?: number }): Promise<boolean>;
  /** Flushes, drops the rest, and accepts nothing afterwards. */
  close(options?: { timeoutMs?: number }): Promise<boolean>;
  stats(): Stats;
}

/** Creates a client. Never throws: with unusable options it rejects every item with the reason. */
export function createAssay(options: AssayOptions = {}): Assay {
  const settings = readOptions(options);
  const counts = noCounts();
  const sender = new Sender(settings, options, counts);
  const unwatch =
    settings.flushOnExit || settings.handleSignals
      ? watchExit(exitHandlerOf(settings, sender, () => counts.taken))
      : noop;
  const take = (route: Route, prefix: string, value: unknown): string => {
    counts.taken++;
    const id = idOf(value, prefix);
    const written = settings.misconfigured === null ? writeTurn(value, id) : null;
    if (written === null)
      sender.reject({ route, id }, unsent('misconfigured', settings.misconfigured ?? ''));
    else if ('problem' in written)
      sender.reject({ route, id }, unsent('not_json', written.problem));
    else
      sender.offer({
        route,
        id,
        text: written.text,
        bytes: utf8Bytes(written.text),
        takenAt: performance.now(),
      });
    return id;
  };
  return {
    ...createApi(settings),
    turn: (turn) => take('turns', 't', turn),
    outcome: (report) => take('outcomes', 'o', report),
    verify: async (kind: string, work: unknown, verifyOptions: VerifyKindOptions = {}) =>
      throwIfRequested(verifyOptions, await verifyWork(settings, kind, work, verifyOptions)),
    verifyIntegrity: async (turn, verifyOptions = {}) =>
      throwIfRequested(
        verifyOptions,
        await verifyIntegrity(settings, turn, idOf(turn, 't'), verifyOptions),
      ),
    contract: (request, contractOptions = {}) => fetchContract(settings, request, contractOptions),
    checkpoint: <Value>(
      kind: CheckpointKind,
      checkpointOptions: CheckpointOptions<Value | FailedOutput>,
    ) =>
      runCheckpoint<Value | FailedOutput>(
        settings,
        kind,
        checkpointOptions,
        kind === 'agent-output' ? (error) => ({ error }) : null,
      ),
    runSubgoals: (decomposition, run, runOptions = {}) =>
      runSubgoals(settings, decomposition, run, runOptions),
    ready: () => sender.ready(),
    flush: ({ timeoutMs = 10_000 } = {}) => sender.flush(timeoutMs),
    async close({ timeoutMs = 10_000 } = {}) {
      const done = await sender.flush(timeoutMs);
      sender.abandon('closed');
      unwatch();
      return done;
    },
    stats: () => ({
      ...counts,
      dropped: { ...counts.dropped },
      queued: sender.queued,
      queuedBytes: sender.queuedBytes,
    }),
  };
}

const noop = (): void => undefined;

function throwIfRequested(
  { throwOnError }: Pick<VerifyOptions, 'throwOnError'>,
  result: VerifyResult,
): VerifyResult {
  if (!result.ok && throwOnError === true) throw new AssayError(result.error);
  return result;
}

function exitHandlerOf(
  settings: Settings,
  sender: Sender,
  taken: () => number,
): Parameters<typeof watchExit>[0] {
  return {
    exitFlushMs: settings.exitFlushMs,
    handleSignals: settings.handleSignals,
    queued: () => (settings.flushOnExit ? sender.queued : 0),
    taken,
    flush: (timeoutMs) => sender.flush(timeoutMs),
    abandon: () => sender.abandon('exit'),
  };
}

function unsent(
  code: string,
  message: string,
): { index: number; code: string; message: string; status: null } {
  return { index: -1, code, message, status: null };
}
