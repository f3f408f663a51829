import { classifyStorageError, type Ctx } from '../server/platform';
import { type ClaimedWork, failWork, keepLeases, parkWork, returnWork } from '../server/queue';

/**
 * Work of the slow lane in this process's hands: its leases are kept, and each piece ends as it
 * deserves.
 */
export interface HeldWork {
  size(): number;
  /**
   * Runs one piece to its end; never throws. `verify` settles the work, parks it or gives it back
   * by itself; what it throws fails the attempt, unless storage was away. Its signal fires when the
   * lease is lost, the time is over or the process stops, and then it is not waited for: what it
   * stores later is refused by the fence.
   */
  run(
    work: ClaimedWork,
    timeoutMs: number,
    verify: (signal: AbortSignal) => Promise<void>,
  ): Promise<void>;
  /**
   * Renews leases that are due for it, and gives back what storage faults left in our hands.
   * @throws on faults of storage
   */
  beat(): Promise<void>;
  /** Resolves when nothing is held any more, or after `ms`. */
  emptied(ms: number): Promise<void>;
  /** Ends what is held: given back, its attempt not counted. */
  stop(): Promise<void>;
}

const afterFaultMs = 1_000;
/** Half of the time in which work of another project must begin (S-116). */
const boxFreeMs = 500;

class LeaseLost extends Error {}
class Stopping extends Error {}
/** Thrown by what was claimed and could not begin here. */
export class NoRoom extends Error {}
/** Thrown by work that runs a box, when its project has as many as it may have at a time. */
export class NoBoxFree extends Error {}
class TookTooLong extends Error {}

interface Piece {
  readonly work: ClaimedWork;
  readonly ending: AbortController;
  readonly over: Promise<void>;
}

export function createHeldWork(ctx: Ctx, owner: string): HeldWork {
  const held = new Map<string, Piece>();
  /** Not settled because storage failed, and not given back for the same reason. */
  let stuck: ClaimedWork[] = [];
  let beatAt = 0;
  const timer = setInterval(() => {
    renew().catch((error: unknown) =>
      ctx.log.warn({ err: error }, 'leases of the slow lane not extended'),
    );
  }, ctx.env.leaseMs / 3);

  async function renew(): Promise<void> {
    const pieces = [...held.values()];
    if (pieces.length === 0) return;
    const ours = await keepLeases(
      ctx,
      owner,
      pieces.map(({ work }) => work),
    );
    beatAt = ctx.clock.monotonicMs();
    for (const { work, ending } of pieces)
      if (!ours.has(work.id)) ending.abort(new LeaseLost('its lease was lost'));
  }

  return {
    size: () => held.size,
    async run(work, timeoutMs, verify) {
      const ending = new AbortController();
      const late = setTimeout(
        () => ending.abort(new TookTooLong(`it took longer than ${timeoutMs / 1000} s`)),
        timeoutMs,
      );
      const over = attempt(ctx, owner, work, verify, ending.signal)
        .then((isGiven) => {
          if (!isGiven) stuck.push(work);
        })
        .finally(() => {
          clearTimeout(late);
          held.delete(work.id);
        });
      held.set(work.id, { work, ending, over });
      await over;
    },
    async beat() {
      const now = ctx.clock.monotonicMs();
      if (held.size > 0 && now - beatAt > ctx.env.leaseMs / 2) await renew();
      if (stuck.length === 0) return;
      await returnWork(ctx, owner, stuck);
      stuck = [];
    },
    async emptied(ms) {
      let late: NodeJS.Timeout | undefined;
      const waited = new Promise<void>((resolve) => {
        late = setTimeout(resolve, ms);
      });
      await Promise.race([Promise.all([...held.values()].map(({ over }) => over)), waited]);
      clearTimeout(late);
    },
    async stop() {
      const pieces = [...held.values()];
      for (const { ending } of pieces) ending.abort(new Stopping('the process stops'));
      await Promise.all(pieces.map(({ over }) => over));
      clearInterval(timer);
    },
  };
}

/** Runs work to its end; false when it is still to be given back. Never throws. */
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
    return giveBack(ctx, owner, work, signal.aborted ? signal.reason : error);
  }
}

/**
 * Ends an attempt as its end deserves; false when storage does not answer, and it is still to be
 * given back.
 */
async function giveBack(
  ctx: Ctx,
  owner: string,
  work: ClaimedWork,
  error: unknown,
): Promise<boolean> {
  // Settled just now, or another's by now: nothing is owed here.
  if (error instanceof LeaseLost) return true;
  try {
    if (error instanceof Stopping || error instanceof NoRoom) await returnWork(ctx, owner, [work]);
    else if (error instanceof NoBoxFree)
      await parkWork(ctx, owner, work, { forMs: boxFreeMs, reason: error.message });
    else if (isStorageAway(error))
      await parkWork(ctx, owner, work, { forMs: afterFaultMs, reason: 'storage was away' });
    else await failWork(ctx, owner, work, error instanceof Error ? error.message : String(error));
    return true;
  } catch (fault) {
    ctx.log.warn(
      { err: fault, subject: work.subjectId },
      'work of the slow lane not given back yet',
    );
    return false;
  }
}

/** What PostgreSQL refuses to store is the work's own fault, and counts as an attempt. */
function isStorageAway(error: unknown): boolean {
  const fault = classifyStorageError(error);
  return fault === 'transient' || fault === 'retry';
}

/**
 * The end of `running`, or the signal's reason as soon as it fires; what happens to `running` after
 * that is not our business.
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
