import { type Answer, type Connection, openConnection } from './raw-client';

export interface OpenLoop {
  readonly port: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** The number of sockets, which are opened before the first arrival. */
  readonly connections: number;
  /**
   * Handling of an arrival while every socket waits for an answer: it is queued, or dropped and
   * counted.
   */
  readonly whenBusy: 'wait' | 'drop';
  /** The next message; null at the end. */
  readonly next: () => { readonly request: Buffer; readonly done: (answer: Answer) => void } | null;
}

export interface OpenLoopResult {
  readonly sent: number;
  readonly dropped: number;
  /** Milliseconds from the planned (not the actual) time of sending to the answer. */
  readonly latencies: readonly number[];
  readonly statuses: ReadonlyMap<number, number>;
  /**
   * The time of the last arrival by performance.now(), and its delay against the plan: the limit of
   * the generator itself.
   */
  readonly endedAt: number;
  readonly lateMs: number;
}

/**
 * Sends at a fixed rate, independently of the server. Resolves when all sent messages are answered.
 */
export async function sendOpenLoop(options: OpenLoop): Promise<OpenLoopResult> {
  const free = await Promise.all(
    Array.from({ length: options.connections }, () => openConnection(options.port)),
  );
  const all = [...free];
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const line: number[] = [];
  let [sent, dropped, inFlight, lineAt] = [0, 0, 0, 0];
  let whenDrained: (() => void) | null = null;
  const began = performance.now();

  const send = (connection: Connection, planned: number): void => {
    const message = options.next();
    if (message === null) {
      free.push(connection);
      dropped++;
      return;
    }
    sent++;
    inFlight++;
    void connection.send(message.request).then((answer) => {
      inFlight--;
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      latencies.push(performance.now() - planned);
      message.done(answer);
      const waited = line[lineAt];
      // A connection that broke is not used again.
      if (answer.status === 0) connection.close();
      else if (waited === undefined) free.push(connection);
      else {
        lineAt++;
        send(connection, waited);
      }
      if (inFlight === 0) whenDrained?.();
    });
  };

  const total = Math.round(options.perSecond * options.seconds);
  const plannedAt = (n: number): number => began + (n / options.perSecond) * 1000;
  await new Promise<void>((resolve) => {
    let arrived = 0;
    const tick = (): void => {
      for (const now = performance.now(); arrived < total && plannedAt(arrived) <= now; arrived++) {
        // In turn, because the server closes the connection that was idle for longest.
        const connection = free.shift();
        if (connection !== undefined) send(connection, plannedAt(arrived));
        else if (options.whenBusy === 'wait') line.push(plannedAt(arrived));
        else dropped++;
      }
      if (arrived >= total) resolve();
      else setTimeout(tick, 1);
    };
    tick();
  });
  const endedAt = performance.now();
  if (inFlight > 0) {
    await new Promise<void>((resolve) => {
      whenDrained = resolve;
    });
  }
  for (const connection of all) connection.close();
  return { sent, dropped, latencies, statuses, endedAt, lateMs: endedAt - plannedAt(total) };
}
