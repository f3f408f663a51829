import { classifyStorageError, type Ctx } from '../server/platform';
import { type ClaimedWork, failWork, renewLeases, parkWork, returnWork } from '../server/queue';

/**
 * The slow lane's work in progress in this process: renews its leases, and ends each piece
 * according to its outcome.
 */
export interface LeasedWork {
  size(): number;
  /**
   * Runs one piece until it ends; never throws. `verify` itself settles, parks or returns the work;
   * an error that it throws fails the attempt, unless storage was unavailable. Its signal fires
   * when the lease is lost, the timeout has passed or the process stops. After that `run` no longer
   * waits for it, and the fence rejects results that it stores later.
   */
  run(
    work: ClaimedWork,
    timeoutMs: number,
    verify: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /**
   * Renews leases in time, and returns work that a storage fault kept in this process.
   *
   * @throws on storage faults
   */
  beat(): Promise<void>;
  /** Resolves when no work is in progress, or after `ms`. */
  emptied(ms: number): Promise<void>;
  /** Ends the work in progress: it is returned, and its attempt does not count. */
  stop(): Promise<void>;
}

const afterFaultMs = 1_000;
/** Half of the time within which work of another project must start (S-116). */
const boxFreeMs = 500;

class LeaseLost extends Error {}
class Stopping extends Error {}
/** Thrown by claimed work that could not start here. */
export class NoSlotFree extends Error {}
/** Thrown by work that needs a sandbox if its project already uses its share. */
export class NoBoxFree extends Error {}
class TimedOut extends Error {}

interface Piece {
  readonly work: ClaimedWork;
  readonly ending: AbortController;
  readonly over: Promise<void>;
}

export function createLeasedWork(ctx: Ctx, owner: string): LeasedWork {
  const piecesById = new Map<string, Piece>();
  /** Work that was neither settled nor returned because storage failed. */
  let stuck: ClaimedWork[] = [];
  let beatAt = 0;
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'leases of the slow lane not extended'),
    );
  }, ctx.env.leaseMs / 3);

  async function renew(): Promise<void> {
    const pieces = [...piecesById.values()];
    if (pieces.length === 0) return;
    const stillOwned = await renewLeases(
      ctx,
      owner,
      pieces.map(({ work }) => work),
    );
    beatAt = ctx.clock.monotonicMs();
    for (const { work, ending } of pieces)
      if (!stillOwned.has(work.id)) ending.abort(new LeaseLost('its lease was lost'));
  }

  return {
    size: () => piecesById.size,
    async run(work, timeoutMs, verify) {
      const ending = new AbortController();
      const late = setTimeout(
        () => ending.abort(new TimedOut(`it took longer than ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const over = attempt(ctx, owner, work, verify, ending.signal)
        .then((isGiven) => {
          if (!isGiven) stuck.push(work);
        })
        .finally(() => {
          clearTimeout(late);
          piecesById.delete(work.id);
        });
      piecesById.set(work.id, { work, ending, over });
      await over;
    },
    async beat() {
      const now = ctx.clock.monotonicMs();
      if (piecesById.size > 0 && now - beatAt > ctx.env.leaseMs / 2) await renew();
      if (stuck.length === 0) return;
      await returnWork(ctx, owner, stuck);
      stuck = [];
    },
    async emptied(ms) {
      let late: NodeJS.Timeout | undefined;
      const waited = new Promise<void>((resolve) => {
        late = setTimeout(resolve, ms);
      });
      await Promise.race([Promise.all([...piecesById.values()].map(({ over }) => over)), waited]);
      clearTimeout(late);
    },
    async stop() {
      const pieces = [...piecesById.values()];
      for (const { ending } of pieces) ending.abort(new Stopping('the process stops'));
      await Promise.all(pieces.map(({ over }) => over));
      clearInterval(timer);
    },
  };
}

/** Runs work until it ends; false if it still has to be returned. Never throws. */
async function attempt(
  ctx: Ctx,
  owner: string,
  work: ClaimedWork,
  verify: (signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await endedOrAborted(verify(signal), signal);
    return true;
  } catch (error) {
    return returnToQueue(ctx, owner, work, signal.aborted ? signal.reason : error);
  }
}

/**
 * Ends an attempt according to its error; false if storage is unavailable and the work still has to
 * be returned.
 */
async function returnToQueue(
  ctx: Ctx,
  owner: string,
  work: ClaimedWork,
  error: unknown,
): Promise<boolean> {
  // Just settled, or claimed by another worker: there is nothing to return.
  if (error instanceof LeaseLost) return true;
  try {
    if (error instanceof Stopping || error instanceof NoSlotFree)
      await returnWork(ctx, owner, [work]);
    else if (error instanceof NoBoxFree)
      await parkWork(ctx, owner, work, { forMs: boxFreeMs, reason: error.message });
    else if (isStorageUnavailable(error))
      await parkWork(ctx, owner, work, { forMs: afterFaultMs, reason: 'storage was unavailable' });
    else await failWork(ctx, owner, work, error instanceof Error ? error.message : String(error));
    return true;
  } catch (fault) {
    ctx.log.warn({ err: fault, subject: work.subjectId }, 'work of the slow lane not returned yet');
    return false;
  }
}

/** A value that PostgreSQL refuses to store is a fault of the work, and counts as an attempt. */
function isStorageUnavailable(error: unknown): boolean {
  const fault = classifyStorageError(error);
  return fault === 'transient' || fault === 'retry';
}

/**
 * Awaits `running`, or rejects with the signal's reason as soon as it fires, and then ignores
 * `running`.
 */
async function endedOrAborted(running: Promise<void>, signal: AbortSignal): Promise<void> {
  running.catch(() => undefined);
  let stop: () => void = () => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  aborted.catch(() => undefined);
  try {
    await Promise.race([running, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
