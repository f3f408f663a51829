import { isMainThread, parentPort, type TransferListItem, Worker } from 'node:worker_threads';
import type { Ctx } from '../platform';
import { siblingFile } from '../pool';

/**
 * Threads do work that would block the event loop. Their entry point is a separate small bundle,
 * `serve-thread.ts`. A thread that dies is replaced at the next message.
 */
export type ThreadRole = 'figures' | 'records' | 'bodies';

/** Starts a thread with one role; `memory` is passed by a pool (`StartPoolThread`). */
export type StartThread = (role: ThreadRole, memory?: SharedArrayBuffer) => Worker;

/** The worker data of a thread. */
export interface GatewayThreadStart {
  readonly role: ThreadRole;
  readonly memory: SharedArrayBuffer | null;
}

const HEAP_MIB = 1024;

/** Looks for `gateway-thread.js` next to `edge.js`. Null if it is missing, as in tests. */
export function threadOf(moduleUrl: string): StartThread | null {
  const file = siblingFile(moduleUrl, 'edge', 'gateway-thread');
  if (file === null) return null;
  return (role, memory) => {
    const start: GatewayThreadStart = { role, memory: memory ?? null };
    return new Worker(file, {
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MIB },
    });
  };
}

interface Sent<Order> {
  /** Null if no reply is expected. */
  readonly id: number | null;
  readonly order: Order;
}
interface Report<Result> {
  readonly id: number;
  readonly result: Result;
}

/** The caller's side of a thread. */
export interface Thread<Order, Result> {
  /** Starts the thread unless it is running. */
  start(): void;
  send(order: Order, transfer?: readonly TransferListItem[]): void;
  /** Null if the thread crashed, or took longer than `maxMs` and was terminated. */
  ask(order: Order, maxMs: number, transfer?: readonly TransferListItem[]): Promise<Result | null>;
}

interface Running<Result> {
  readonly worker: Worker;
  readonly waiting: Map<number, (result: Result | null) => void>;
}

export function createThread<Order, Result>(
  { log }: Pick<Ctx, 'log'>,
  start: () => Worker,
): Thread<Order, Result> {
  let running: Running<Result> | null = null;
  let orders = 0;

  function open(): Running<Result> {
    if (running !== null) return running;
    const opened: Running<Result> = { worker: start(), waiting: new Map() };
    running = opened;
    const { worker, waiting } = opened;
    worker.unref();
    worker.on('message', ({ id, result }: Report<Result>) => waiting.get(id)?.(result));
    worker.on('error', (error) => log.error({ err: error }, 'a thread of the gateway broke'));
    worker.on('exit', () => {
      if (running === opened) running = null;
      for (const resolve of waiting.values()) resolve(null);
    });
    return opened;
  }

  return {
    start: () => void open(),
    send: (order, transfer = []) =>
      open().worker.postMessage({ id: null, order } satisfies Sent<Order>, transfer),
    ask(order, maxMs, transfer = []) {
      const { worker, waiting } = open();
      const id = ++orders;
      return new Promise((resolve) => {
        const watchdog = setTimeout(() => void worker.terminate(), maxMs).unref();
        waiting.set(id, (result) => {
          clearTimeout(watchdog);
          waiting.delete(id);
          resolve(result);
        });
        worker.postMessage({ id, order } satisfies Sent<Order>, transfer);
      });
    },
  };
}

/** Handles a message; a report is sent only if the caller expects one. */
export type Serve<Order, Result> = (
  order: Order,
  report: (result: Result, transfer?: readonly TransferListItem[]) => void,
) => void;

/** Handles messages until the process ends. @throws Error outside of a thread */
export function serveThread(create: () => Serve<never, unknown>): void {
  const port = parentPort;
  if (port === null || isMainThread) throw new Error('orders are served in a thread only');
  const serve = create() as Serve<unknown, unknown>;
  port.on('message', ({ id, order }: Sent<unknown>) => {
    serve(order, (result, transfer = []) => {
      if (id !== null) port.postMessage({ id, result } satisfies Report<unknown>, transfer);
    });
  });
}

/** Bytes in shared memory: sent to a thread without a copy. They must not be changed afterwards. */
export type SharedBytes = Uint8Array<SharedArrayBuffer>;

const isShared = (part: Uint8Array): part is SharedBytes =>
  part.buffer instanceof SharedArrayBuffer;

/** The parts in one shared buffer; copied unless already shared. */
export function share(parts: readonly Uint8Array[]): SharedBytes {
  const [first] = parts;
  if (parts.length === 1 && first !== undefined && isShared(first)) return first;
  const copy = new Uint8Array(
    new SharedArrayBuffer(parts.reduce((sum, { byteLength }) => sum + byteLength, 0)),
  );
  let at = 0;
  for (const part of parts) {
    copy.set(part, at);
    at += part.byteLength;
  }
  return copy;
}

/** As `share`, but returns a Buffer. */
export function shareBuffer(parts: readonly Uint8Array[]): Buffer {
  const { buffer, byteOffset, byteLength } = share(parts);
  return Buffer.from(buffer, byteOffset, byteLength);
}
