import { Worker } from 'node:worker_threads';
import type { Ctx } from '../../platform';
import type { ScanFigures, ScanQuestion, Scanned } from './deps';
import { scanTurn } from './scan-turn';
import type { ScanOrder, ScanReport } from './scan-thread';

/** Characters of a turn's JSON text that are scanned here: some milliseconds. More goes to the thread, so that the deadline holds. */
const CHARS_HERE = 64 * 1024;
/** A scan that takes so long is ended with its thread; its answer is long gone. */
const SCAN_MAX_MS = 10_000;
const THREAD_HEAP_MIB = 1024;

type Log = Pick<Ctx, 'log'>;

interface Waiting {
  readonly hear: (scanned: Scanned) => void;
  readonly watchdog: NodeJS.Timeout;
}

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Waiting>;
}

/**
 * Scans held answers, each within its deadline in milliseconds. Small turns are scanned at once; large ones in a thread, which is
 * started with the first scan of all, so that it is there when it is needed. `startThread` null: no thread can be had, and all are
 * scanned here.
 */
export function createFigureScan(ctx: Log, startThread: (() => Worker) | null): ScanFigures {
  let thread: Thread | null = null;
  let orders = 0;
  const running = (start: () => Worker): Thread => {
    thread ??= watch(ctx, start(), (ended) => {
      if (thread === ended) thread = null;
    });
    return thread;
  };
  return async (question, deadlineMs) => {
    try {
      if (startThread === null || question.turn.length <= CHARS_HERE) {
        const scanned = await scanHere(ctx, question);
        if (startThread !== null) running(startThread);
        return scanned;
      }
      return await scanThere(running(startThread), { id: ++orders, question }, deadlineMs);
    } catch (error) {
      ctx.log.error({ err: error }, 'figures could not be scanned');
      return { state: 'broken' };
    }
  };
}

/** The file of this process, loaded once more as a thread; null where it is no file that Node can load, as in a test. */
export function threadOf(moduleUrl: string): (() => Worker) | null {
  if (!moduleUrl.endsWith('.js')) return null;
  return () => new Worker(new URL(moduleUrl), { resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB } });
}

async function scanHere({ log }: Log, question: ScanQuestion): Promise<Scanned> {
  try {
    return asScanned(await scanTurn(question));
  } catch (error) {
    log.error({ err: error }, 'the scan of a held answer broke');
    return { state: 'broken' };
  }
}

function scanThere(thread: Thread, order: ScanOrder, deadlineMs: number): Promise<Scanned> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ state: 'late' }), deadlineMs);
    const watchdog = setTimeout(() => void thread.worker.terminate(), SCAN_MAX_MS).unref();
    const hear = (scanned: Scanned): void => {
      clearTimeout(late);
      resolve(scanned);
    };
    thread.waiting.set(order.id, { hear, watchdog });
    thread.worker.postMessage(order);
  });
}

function watch({ log }: Log, worker: Worker, ended: (thread: Thread) => void): Thread {
  const thread: Thread = { worker, waiting: new Map() };
  worker.unref();
  worker.on('message', ({ id, detail, problem }: ScanReport) => {
    const waiting = thread.waiting.get(id);
    if (waiting === undefined) return;
    thread.waiting.delete(id);
    clearTimeout(waiting.watchdog);
    if (problem !== null) log.error({ problem }, 'the scan of a held answer broke');
    waiting.hear(asScanned(detail));
  });
  worker.on('error', (error) => log.error({ err: error }, 'the thread that scans figures broke'));
  worker.on('exit', () => {
    ended(thread);
    for (const { hear, watchdog } of thread.waiting.values()) {
      clearTimeout(watchdog);
      hear({ state: 'broken' });
    }
    thread.waiting.clear();
  });
  return thread;
}

function asScanned(detail: Awaited<ReturnType<typeof scanTurn>>): Scanned {
  return detail === null ? { state: 'broken' } : { state: 'done', detail };
}
