import { intakeLimits } from '../domain';
import { rateLimited, unavailable } from '../platform';

/**
 * Limits of request bodies in one process; requests beyond them are rejected before they are read
 * (I6).
 */
const requestsMax = 1_000;
const bytesMax = 128 * 1024 * 1024;
/** Assumed size of a body of unknown length, until more has arrived. */
const unknownBytes = 256 * 1024;
/** Share of one project while others are active. */
const projectShare = 0.5;
/** Time that a request over its project's share waits for room, in milliseconds. */
const waitMs = 5_000;

/** An admitted request. */
export interface AdmittedBody {
  /**
   * Reports the bytes read so far. @throws AssayError like `enter`; the body must then be dropped
   */
  readonly hold: (bytes: number) => void;
  /** Must be called at the end of the request. */
  readonly leave: () => void;
}

export interface Admission {
  /**
   * Admits a request with a body of the given length (NaN if unknown); waits if the project is over
   * its share.
   * @throws AssayError unavailable (the process is full), rate_limited (the project is over its
   * share)
   */
  enter(projectId: string, declaredBytes: number): Promise<AdmittedBody>;
}

interface InHand {
  requests: number;
  bytes: number;
}

const overShare = 'this project sends more than its share; send it again later';

/**
 * Bounds the memory of request bodies: counts the declared length before they are read, and any
 * growth beyond it.
 */
export function createAdmission(options: { readonly waitMs?: number } = {}): Admission {
  const byProject = new Map<string, InHand>();
  const room = createRoom(options.waitMs ?? waitMs);
  let requests = 0;
  let bytes = 0;

  function isOverShare(projectId: string, own: InHand, more: number): boolean {
    const isAlone = byProject.size === 1 && byProject.has(projectId);
    return (
      !isAlone &&
      (own.requests > requestsMax * projectShare || own.bytes + more > bytesMax * projectShare)
    );
  }

  function check(projectId: string, own: InHand, more: number): void {
    if (requests > requestsMax || bytes + more > bytesMax)
      throw unavailable('the server receives more than it can process; send it again later', 1);
    if (isOverShare(projectId, own, more)) throw rateLimited(overShare, 1);
  }

  function open(projectId: string, size: number): AdmittedBody {
    const own = byProject.get(projectId) ?? { requests: 0, bytes: 0 };
    byProject.set(projectId, own);
    own.requests++;
    requests++;
    let counted = 0;
    let left = false;
    const hold = (now: number): void => {
      const more = now - counted;
      if (more <= 0 || left) return;
      check(projectId, own, more);
      counted = now;
      own.bytes += more;
      bytes += more;
    };
    const leave = (): void => {
      if (left) return;
      left = true;
      requests--;
      bytes -= counted;
      own.requests--;
      own.bytes -= counted;
      if (own.requests === 0) byProject.delete(projectId);
      room.wake();
    };
    try {
      check(projectId, own, 0);
      hold(size);
    } catch (error) {
      leave();
      throw error;
    }
    return { hold, leave };
  }

  return {
    async enter(projectId, declaredBytes) {
      // A body declared as too large is rejected without being stored, so it does not count.
      const declared = declaredBytes > intakeLimits.bodyBytes ? 0 : declaredBytes;
      const size = Number.isFinite(declared) ? declared : unknownBytes;
      const isOver = (): boolean => {
        const own = byProject.get(projectId);
        return own !== undefined && isOverShare(projectId, own, size);
      };
      if (isOver()) await room.waitWhile(isOver);
      return open(projectId, size);
    },
  };
}

interface Room {
  /** Wakes waiting requests after a request has left. */
  wake(): void;
  /** Resolves when `isOver` is false, or at the timeout. */
  waitWhile(isOver: () => boolean): Promise<void>;
}

function createRoom(maxMs: number): Room {
  const waiting = new Set<() => void>();
  return {
    wake() {
      for (const wake of waiting) wake();
    },
    waitWhile(isOver) {
      if (waiting.size >= requestsMax) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        };
        const wake = (): void => {
          if (!isOver()) end();
        };
        const timer = setTimeout(end, maxMs);
        waiting.add(wake);
      });
    },
  };
}
