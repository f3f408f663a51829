import { createContext, Script } from 'node:vm';

const TIMEOUT_MS = 1_000;

const watched = createContext({ work: null }, { codeGeneration: { strings: false, wasm: false } });
const runWork = new Script('work()');

/**
 * Runs `work` under the watchdog of node:vm, which ends any code of this thread. For what a caller's parameter could make take for
 * ever; it costs a thread, so what is surely short does without. Only synchronous work.
 * @throws Error when the time is over
 */
export function within<Result>(work: () => Result, what: string): Result {
  const results: Result[] = [];
  watched.work = () => results.push(work());
  try {
    runWork.runInContext(watched, { timeout: TIMEOUT_MS });
  } catch (error) {
    // An error of the other realm, and so no Error of this one.
    const isLate = typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
    throw isLate ? new Error(`${what} took longer than ${TIMEOUT_MS} ms`) : error;
  } finally {
    watched.work = null;
  }
  for (const result of results) return result;
  throw new Error('the work did not run');
}
