import { type Answer, type Connection, openConnection } from './raw-client';

export interface OpenLoop {
  readonly port: number;
  readonly perSecond: number;
  readonly seconds: number;
  /** At most so many sockets; they are opened before the first arrival. */
  readonly connections: number;
  /**
   * What an arrival finds when every socket waits for an answer: it is in line, or it is not
   * sent and counted.
   */
  readonly whenBusy: 'wait' | 'drop';
  /** The next message; null: nothing left to send. */
  readonly next: () => { readonly request: Buffer; readonly done: (answer: Answer) => void } | null;
}

export interface OpenLoopResult {
  readonly sent: number;
  readonly dropped: number;
  /** Milliseconds from the planned time of sending (not the actual) to the answer. */
  readonly latencies: readonly number[];
  readonly statuses: ReadonlyMap<number, number>;
  /**
   * When the last arrival came, by performance.now(), and how much later that was than planned: the
   * generator's own limit.
   */
  readonly endedAt: number;
  readonly lateMs: number;
}

/**
 * Arrivals at a fixed rate, whatever the server does. Resolves when all that was sent is answered.
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
    void connection.ask(message.request).then((answer) => {
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
        // In turn: one that lies unused longest is the one that the server closes.
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
