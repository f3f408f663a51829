import { createContext, Script } from 'node:vm';

/**
 * Wall-clock limit, so that a check ends even if no pool thread counts its processor time
 * (`Budget`, which is tighter): a judge call on stored work runs the checks again.
 */
const TIMEOUT_MS = 2_000;

const watched = createContext({ work: null }, { codeGeneration: { strings: false, wasm: false } });
const runWork = new Script('work()');

/** A check that was terminated: it has no finding, neither passed nor failed. */
export class OverTime extends Error {
  override readonly name = 'OverTime';
}

/**
 * Runs `work` under the watchdog of node:vm, which terminates any code of this thread. Use it if a
 * caller's parameter could make the work run forever; it costs a thread, so do not use it for work
 * that is certainly short. The work must be synchronous.
 * @throws OverTime after the limit
 */
export function runWithin<Result>(work: () => Result, what: string): Result {
  const results: Result[] = [];
  watched.work = () => results.push(work());
  try {
    runWork.runInContext(watched, { timeout: TIMEOUT_MS });
  } catch (error) {
    // An error of the other realm, so `instanceof Error` is false here.
    const isLate =
      typeof error === 'object' &&
      error !== null &&
      'code' in error &&
      error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw isLate
      ? new OverTime(`over budget: ${what} took longer than ${TIMEOUT_MS / 1000} s`)
      : error;
  } finally {
    watched.work = null;
  }
  for (const result of results) return result;
  throw new Error('the work did not run');
}
