/**
 * Sends remaining items when the process ends. `beforeExit` fires when nothing keeps the process
 * alive, and may still work; `exit` is final, and may only count. All clients of a process share
 * one listener each.
 */

export interface Leaving {
  readonly exitFlushMs: number;
  readonly handleSignals: boolean;
  /** Items that wait. */
  queued(): number;
  /** Changes when an item is added: a failed flush at exit is not repeated for the same items. */
  taken(): number;
  flush(timeoutMs: number): Promise<boolean>;
  abandon(): void;
}

/** The part of Node's `process` used here; Bun and Deno have it, browsers do not. */
interface Host {
  on(event: string, listener: (value: unknown) => void): unknown;
  removeListener(event: string, listener: (value: unknown) => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
  readonly pid: number;
}

const signals = ['SIGTERM', 'SIGINT'];
const leaving = new Map<Leaving, number>();

/** Registers a client; the result unregisters it. */
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
  for (const [client, tried] of leaving) {
    const taken = client.taken();
    if (client.queued() === 0 || tried === taken) continue;
    leaving.set(client, taken);
    void client.flush(client.exitFlushMs);
  }
}

function onExit(): void {
  for (const client of leaving.keys()) client.abandon();
}

/** Flushes, then re-raises the signal if this listener alone suppressed its effect. */
function onSignal(signal: unknown): void {
  const host = findHost();
  const name = String(signal);
  if (host === null) return;
  const isOnlyOurs = host.listenerCount(name) === 1;
  const clients = [...leaving.keys()].filter((client) => client.handleSignals);
  void Promise.all(clients.map((client) => client.flush(client.exitFlushMs))).then(() => {
    if (!isOnlyOurs) return;
    host.removeListener(name, onSignal);
    for (const client of clients) client.abandon();
    host.kill(host.pid, name);
  });
}
