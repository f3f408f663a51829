import { intakeLimits } from '../domain';
import { rateLimited, unavailable } from '../platform';

/** What one process has in hand at once; more is turned away before it is read (I6). */
const requestsMax = 1_000;
const bytesMax = 128 * 1024 * 1024;
/** Of a body whose length is not told, until more of it has come. */
const unknownBytes = 256 * 1024;
/** One project may have so much of it while others are at work too. */
const projectShare = 0.5;

/** A request that was let in. */
export interface Place {
  /** So many bytes of it are in hand now. @throws AssayError as `enter`, and then what is in hand must be let go */
  readonly hold: (bytes: number) => void;
  /** Must be called at its end. */
  readonly leave: () => void;
}

export interface Admission {
  /**
   * Lets a request in that says how long its body is (NaN: it does not).
   * @throws AssayError unavailable (the process has its hands full), rate_limited (this project has more than its share)
   */
  enter(projectId: string, declaredBytes: number): Place;
}

/** Bounds the memory of the intake: bodies in hand are counted before they are read, and as they grow beyond what they said. */
export function createAdmission(): Admission {
  const byProject = new Map<string, { requests: number; bytes: number }>();
  let requests = 0;
  let bytes = 0;

  function check(projectId: string, own: { readonly requests: number; readonly bytes: number }, more: number): void {
    if (requests > requestsMax || bytes + more > bytesMax) throw unavailable('more arrives than can be taken; send it again later', 1);
    const isAlone = byProject.size === 1 && byProject.has(projectId);
    if (!isAlone && (own.requests > requestsMax * projectShare || own.bytes + more > bytesMax * projectShare)) {
      throw rateLimited('this project sends more than its share; send it again later', 1);
    }
  }

  return {
    enter(projectId, declaredBytes) {
      // A body that says it is over the limit is refused without being kept: it weighs nothing, whatever it says.
      const declared = declaredBytes > intakeLimits.bodyBytes ? 0 : declaredBytes;
      let size = 0;
      let left = false;
      const own = byProject.get(projectId) ?? { requests: 0, bytes: 0 };
      byProject.set(projectId, own);
      own.requests++;
      requests++;
      const hold = (now: number): void => {
        if (left || now <= size) return;
        check(projectId, own, now - size);
        own.bytes += now - size;
        bytes += now - size;
        size = now;
      };
      const leave = (): void => {
        if (left) return;
        left = true;
        requests--;
        bytes -= size;
        own.requests--;
        own.bytes -= size;
        if (own.requests === 0) byProject.delete(projectId);
      };
      try {
        check(projectId, own, 0);
        hold(Number.isFinite(declared) ? declared : unknownBytes);
      } catch (error) {
        leave();
        throw error;
      }
      return { hold, leave };
    },
  };
}
