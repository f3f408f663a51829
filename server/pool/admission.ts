import { intakeLimits } from '../domain';
import { rateLimited, unavailable } from '../platform';

/** What one process has in hand at once; more is turned away before it is read (I6). */
const requestsMax = 1_000;
const bytesMax = 128 * 1024 * 1024;
/** Of a body of unknown length, until more of it has come. */
const unknownBytes = 256 * 1024;
/** One project may have this part of it while others are at work too. */
const projectShare = 0.5;
/**
 * A request over its project's share waits this long for room before it is refused, milliseconds.
 */
const waitMs = 5_000;

/** A request that was let in. */
export interface Place {
  /**
   * So many bytes of it are in hand now. @throws AssayError as `enter`, and then what is in hand
   * must be let go
   */
  readonly hold: (bytes: number) => void;
  /** Must be called at its end. */
  readonly leave: () => void;
}

export interface Admission {
  /**
   * Lets a request in whose body has the given length (NaN: unknown); over its project's share it
   * waits first.
   * @throws AssayError unavailable (the process is full), rate_limited (this project is over its
   * share)
   */
  enter(projectId: string, declaredBytes: number): Promise<Place>;
}

interface InHand {
  requests: number;
  bytes: number;
}

const overShare = 'this project sends more than its share; send it again later';

/**
 * Bounds the memory of the intake: bodies in hand are counted before they are read, and as they
 * grow beyond what they said.
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

  function open(projectId: string, size: number): Place {
    const own = byProject.get(projectId) ?? { requests: 0, bytes: 0 };
    byProject.set(projectId, own);
    own.requests++;
    requests++;
    let held = 0;
    let left = false;
    const hold = (now: number): void => {
      const more = now - held;
      if (more <= 0 || left) return;
      check(projectId, own, more);
      held = now;
      own.bytes += more;
      bytes += more;
    };
    const leave = (): void => {
      if (left) return;
      left = true;
      requests--;
      bytes -= held;
      own.requests--;
      own.bytes -= held;
      if (own.requests === 0) byProject.delete(projectId);
      room.look();
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
      // A body that says it is over the limit is refused without being kept: it weighs nothing,
      // whatever it says.
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
  /** Something has left: whoever waits looks again. */
  look(): void;
  /** Resolves when `isOver` is false, or the time is over. */
  waitWhile(isOver: () => boolean): Promise<void>;
}

function createRoom(mostMs: number): Room {
  const waiting = new Set<() => void>();
  return {
    look() {
      for (const look of waiting) look();
    },
    waitWhile(isOver) {
      if (waiting.size >= requestsMax) return Promise.resolve();
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve();
        };
        const look = (): void => {
          if (!isOver()) end();
        };
        const timer = setTimeout(end, mostMs);
        waiting.add(look);
      });
    },
  };
}
