import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread, parentPort, type TransferListItem } from 'node:worker_threads';
import { AssayError, type Budget } from '../platform';
import type { Order, TaskReport, SentError } from './pool-thread';
import { type WatchWriter, writeWatch } from './watch';

/** A service's result, and the memory to transfer with it instead of copying. */
export interface Served {
  readonly result: unknown;
  readonly transfer?: readonly TransferListItem[];
}

export type Service = (input: never) => Promise<Served>;

/**
 * The budget of this thread for the `Ctx` of its services; a service that repeats a subject can
 * report the part that exceeded it.
 */
export type ThreadBudget = { -readonly [Member in keyof Budget]: Budget[Member] };

/** Sends a note to the process while a task runs. */
export type Note = (note: unknown) => void;

/**
 * Runs the pool's tasks one after another until the thread is terminated. `memory`: as passed to
 * `StartPoolThread`. `niceness`: a priority as in nice(1), from 0 (that of the process) to 19.
 * @throws Error outside a thread
 */
export function servePool(
  memory: SharedArrayBuffer,
  niceness: number,
  create: (budget: ThreadBudget, note: Note) => Readonly<Record<string, Service>>,
): void {
  const port = parentPort;
  if (port === null || isMainThread) throw new Error('the pool is served in a thread only');
  const watch = writeWatch(memory);
  const budget: ThreadBudget = {
    begin: (subject) => watch.begin(subject),
    enter: (part) => watch.enter(part),
    spent: null,
  };
  const services = new Map(
    Object.entries(
      create(budget, (note) => port.postMessage({ state: 'note', note } satisfies TaskReport)),
    ),
  );
  port.on('message', (order: Order) => {
    void serve(services, order).then(({ report, transfer }) => {
      // The next task is another subject; until it starts, nothing is charged to this one.
      watch.begin(null);
      budget.spent = null;
      port.postMessage(report, transfer);
    });
  });
  lowerPriority(watch, niceness);
}

async function serve(
  services: ReadonlyMap<string, Service>,
  { service, input }: Order,
): Promise<{ report: TaskReport; transfer: readonly TransferListItem[] }> {
  try {
    const run = services.get(service);
    if (run === undefined) throw new Error(`the pool has no service "${service}"`);
    const { result, transfer = [] } = await run(input as never);
    return { report: { state: 'done', result }, transfer };
  } catch (error) {
    return { report: { state: 'failed', error: asSent(error) }, transfer: [] };
  }
}

function asSent(error: unknown): SentError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof AssayError))
    return { code: null, message, details: [], retryAfterS: null };
  return { code: error.code, message, details: error.details, retryAfterS: error.retryAfterS };
}

/**
 * On Linux each thread has a separate priority, set by its id; on other systems threads have that
 * of their process.
 */
function lowerPriority(watch: WatchWriter, niceness: number): void {
  try {
    const threadId = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    setPriority(threadId, niceness);
    watch.start(threadId);
  } catch {
    watch.start(-1);
  }
}
