import { rateLimited, unavailable } from '../platform';

/** What one process has in hand at once; more is turned away before it is read (I6). */
const requestsMax = 1_000;
const bytesMax = 128 * 1024 * 1024;
/** Of a body whose length is not told. */
const unknownBytes = 256 * 1024;
/** One project may have so much of it while others are at work too. */
const projectShare = 0.5;

export interface Admission {
  /**
   * Lets a request in, and gives what must be called at its end.
   * @throws AssayError unavailable (the process has its hands full), rate_limited (this project has more than its share)
   */
  enter(projectId: string, declaredBytes: number): () => void;
}

/** Bounds the memory of the intake: bodies in hand are counted before they are read. */
export function createAdmission(): Admission {
  const byProject = new Map<string, { requests: number; bytes: number }>();
  let requests = 0;
  let bytes = 0;
  return {
    enter(projectId, declaredBytes) {
      const size = Number.isFinite(declaredBytes) ? declaredBytes : unknownBytes;
      if (requests >= requestsMax || bytes + size > bytesMax) throw unavailable('more arrives than can be taken; send it again later', 1);
      const own = byProject.get(projectId) ?? { requests: 0, bytes: 0 };
      const isAlone = byProject.size === 0 || (byProject.size === 1 && byProject.has(projectId));
      if (!isAlone && (own.requests >= requestsMax * projectShare || own.bytes + size > bytesMax * projectShare)) {
        throw rateLimited('this project sends more than its share; send it again later', 1);
      }
      byProject.set(projectId, own);
      own.requests++;
      own.bytes += size;
      requests++;
      bytes += size;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        requests--;
        bytes -= size;
        own.requests--;
        own.bytes -= size;
        if (own.requests === 0) byProject.delete(projectId);
      };
    },
  };
}
