/**
 * Sends the remaining items when the process ends. `beforeExit` fires when nothing keeps the
 * process alive, and handlers may still do asynchronous work; `exit` is final, and handlers may
 * only count. All clients of a process share one listener for each.
 */

export interface Leaving {
  readonly exitFlushMs: number;
  readonly handleSignals: boolean;
  /** Number of waiting items. */
  queued(): number;
  /**
   * Changes when an item is added: a flush at exit that failed is not repeated for the same items.
   */
  taken(): number;
  flush(timeoutMs: number): Promise<boolean>;
  abandon(): void;
}

/** The part of Node's `process` that this file uses; Bun and Deno have it, browsers do not. */
interface Host {
  on(event: string, listener: (value: unknown) => void): unknown;
  removeListener(event: string, listener: (value: unknown) => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
  readonly pid: number;
}

const signals = ['SIGTERM', 'SIGINT'];
const leaving = new Map<Leaving, number>();

/** Registers a client; the returned function unregisters it. */
export function watchExit(client: Leaving): () => void {
  const host = findHost();
  if (host === null) return () => undefined;
  if (leaving.size === 0) {
    host.on('beforeExit', onBeforeExit);
    host.on('exit', onExit);
  }
  if (client.handleSignals && ![...leaving.keys()].some((other) => other.handleSignals)) {
    for (const signal of signals) host.on(signal, onSignal);
  }
  leaving.set(client, -1);
  return () => {
    if (!leaving.delete(client)) return;
    if (![...leaving.keys()].some((other) => other.handleSignals)) {
      for (const signal of signals) host.removeListener(signal, onSignal);
    }
    if (leaving.size > 0) return;
    host.removeListener('beforeExit', onBeforeExit);
    host.removeListener('exit', onExit);
  };
}

function findHost(): Host | null {
  const { process } = globalThis as { process?: Partial<Host> };
  // Bundlers put a partial `process` into browsers.
  return typeof process?.on === 'function' &&
    typeof process.removeListener === 'function' &&
    typeof process.listenerCount === 'function'
    ? (process as Host)
    : null;
}

function onBeforeExit(): void {
  for (const [client, lastFlushed] of leaving) {
    const taken = client.taken();
    if (client.queued() === 0 || lastFlushed === taken) continue;
    leaving.set(client, taken);
    void client.flush(client.exitFlushMs);
  }
}

function onExit(): void {
  for (const client of leaving.keys()) client.abandon();
}

/** Flushes, then raises the signal again if this listener alone suppressed its effect. */
function onSignal(signal: unknown): void {
  const host = findHost();
  const name = String(signal);
  if (host === null) return;
  const isOnlyListener = host.listenerCount(name) === 1;
  const clients = [...leaving.keys()].filter((client) => client.handleSignals);
  void Promise.all(clients.map((client) => client.flush(client.exitFlushMs))).then(() => {
    if (!isOnlyListener) return;
    host.removeListener(name, onSignal);
    for (const client of clients) client.abandon();
    host.kill(host.pid, name);
  });
}
