import {
  type AttemptContext,
  type CheckpointResult,
  type FailedOutput,
  runCheckpoint,
} from './checkpoint';
import { readCheckpoint } from './checkpoint-reply';
import { newUuid } from './ids';
import type { Settings } from './options';
import { type Decomposition, orderSubgoals, type Subgoal } from './run-order';

/**
 * Runs the subgoals of a decomposition, each through the checkpoint of its agent's output (SOAR-16
 * to SOAR-20).
 */

export interface SubgoalContext extends Omit<AttemptContext, 'agent'> {
  /** The agent to call: the subgoal's own, or another one for a retry; null if neither is named. */
  readonly agent: string | null;
  /** Earlier results, by subgoal id. */
  readonly results: ReadonlyMap<string, SubgoalResult<object>>;
}

export interface SubgoalResult<Output> {
  subgoal: Subgoal;
  /** `skipped`: it was not run, for the reason in `warning`. */
  state: CheckpointResult<unknown>['state'] | 'skipped';
  accepted: boolean;
  /** The last output, regardless of its verdict; null if it was not run. */
  output: Output | FailedOutput | null;
  /** The agent that produced it. */
  agent: string | null;
  warning: string | null;
  checkpoint: CheckpointResult<Output | FailedOutput> | null;
}

export interface RunOptions {
  /** Names of all agents, so that a retry may use another one. */
  agentsAvailable?: string[];
  /** Retries of each subgoal (2). */
  budget?: number;
  traceId?: string;
  /** The attempts at a subgoal become the verifications `<id>-<subgoal>-n`. */
  id?: string;
  onUnreachable?: 'accept' | 'fail';
  timeoutMs?: number;
  signal?: AbortSignal;
  /** Further members of each verify call, such as `executor_model`. */
  call?: (subgoal: Subgoal, agent: string | null) => Record<string, unknown>;
}

export interface RunResult<Output> {
  /**
   * `partial`: a result is missing or has a warning. `aborted`: a critical subgoal failed, and
   * later ones were not run.
   */
  state: 'complete' | 'partial' | 'aborted';
  /** In the order of the decomposition. */
  results: SubgoalResult<Output>[];
  warnings: string[];
  traceId: string;
}

export type RunSubgoal<Output> = (
  subgoal: Subgoal,
  context: SubgoalContext,
) => Output | Promise<Output>;

/**
 * Runs phase by phase, the subgoals of a parallel phase concurrently. An error of an agent becomes
 * an output with an error: it fails its own subgoal, cancels no other, and removes no result. Of
 * several subgoals with one id, only the first runs. Rejects only with errors of `options.call`,
 * and with a TypeError if `decomposition` is invalid: null, or without a list of `subgoals`.
 */
export async function runSubgoals<Output extends object>(
  settings: Settings,
  decomposition: Decomposition,
  run: RunSubgoal<Output>,
  options: RunOptions,
): Promise<RunResult<Output>> {
  const traceId = options.traceId ?? options.id ?? `tr-${newUuid()}`;
  const done = new Map<string, SubgoalResult<Output>>();
  let failed: Subgoal | null = null;
  const runOne = async (
    subgoal: Subgoal,
    results: ReadonlyMap<string, SubgoalResult<Output>>,
  ): Promise<void> => {
    const result = await throughCheckpoint(
      settings,
      subgoal,
      run,
      { ...options, traceId },
      results,
    );
    done.set(subgoal.id, result);
    if (stopsQuery(result)) failed ??= subgoal;
  };
  const { phases, stuck } = orderSubgoals(decomposition);
  for (const { parallel, subgoals } of phases) {
    if (parallel && failed === null) {
      // All subgoals of a phase see the results from before it.
      const before = new Map(done);
      await Promise.all(subgoals.map((subgoal) => runOne(subgoal, before)));
      continue;
    }
    for (const subgoal of subgoals) {
      if (failed === null) await runOne(subgoal, done);
      else
        done.set(
          subgoal.id,
          skipped(subgoal, `it was not run, since ${nameOf(failed)} failed, which is critical`),
        );
    }
  }
  for (const subgoal of stuck)
    done.set(subgoal.id, skipped(subgoal, 'it was not run: a dependency is missing or circular'));
  const seen = new Set<string>();
  const results = decomposition.subgoals.flatMap((subgoal): SubgoalResult<Output>[] => {
    if (seen.has(subgoal.id))
      return [
        skipped(subgoal, `it was not run: an earlier subgoal has the same id, ${subgoal.id}`),
      ];
    seen.add(subgoal.id);
    const result = done.get(subgoal.id);
    return result === undefined ? [] : [result];
  });
  const warnings = results.flatMap(({ subgoal, warning }) =>
    warning === null ? [] : [`${subgoal.id}: ${warning}`],
  );
  const isComplete = warnings.length === 0 && results.every(({ accepted }) => accepted);
  return {
    state: failed !== null ? 'aborted' : isComplete ? 'complete' : 'partial',
    results,
    warnings,
    traceId,
  };
}

async function throughCheckpoint<Output extends object>(
  settings: Settings,
  subgoal: Subgoal,
  run: RunSubgoal<Output>,
  options: RunOptions,
  results: ReadonlyMap<string, SubgoalResult<Output>>,
): Promise<SubgoalResult<Output>> {
  const { agentsAvailable, call, id, ...rest } = options;
  const { id: name, description, critical } = subgoal;
  let agent = subgoal.agent ?? null;
  const checkpoint = await runCheckpoint<Output | FailedOutput>(
    settings,
    'agent-output',
    {
      ...rest,
      ...(id === undefined ? {} : { id: `${id}-${name}` }),
      generate: (context) => {
        agent = context.agent ?? agent;
        return run(subgoal, { ...context, agent, results });
      },
      body: (output) => ({
        ...call?.(subgoal, agent),
        subgoal: { id: name, description, critical: critical === true },
        output: agent === null ? output : { agent, ...output },
        ...(agentsAvailable === undefined ? {} : { agents_available: agentsAvailable }),
      }),
    },
    (error) => ({ error }),
  );
  const { state, accepted, value, warning } = checkpoint;
  const problem =
    warning ??
    (accepted ? null : `its output is ${state === 'failed' ? 'not good enough' : 'not verified'}`);
  return { subgoal, state, accepted, output: value, agent, warning: problem, checkpoint };
}

/** The verdict decides; without one, a critical subgoal that is not accepted counts as missing. */
function stopsQuery<Output>({ subgoal, accepted, checkpoint }: SubgoalResult<Output>): boolean {
  if (accepted) return false;
  return (
    subgoal.critical === true ||
    readCheckpoint('agent-output', checkpoint?.verification ?? null).next === 'abort_query'
  );
}

function skipped<Output>(subgoal: Subgoal, warning: string): SubgoalResult<Output> {
  return {
    subgoal,
    state: 'skipped',
    accepted: false,
    output: null,
    agent: null,
    warning,
    checkpoint: null,
  };
}

function nameOf({ id, description }: Subgoal): string {
  return `${id} (${description.slice(0, 80)})`;
}
