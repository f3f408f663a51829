import type { Actor } from '../../access';

/**
 * Messages between a process and its threads for one request: plain data, bodies as transferred
 * memory.
 */

export interface ThreadProject {
  readonly id: string;
  readonly slug: string;
  readonly simulated: boolean;
  readonly actor: Actor;
}

export interface ThreadRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer>;
  readonly project: ThreadProject;
}

/** A request without a body; a HEAD runs the route of the GET. */
export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

export interface ThreadAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  /** If it awaits a job: the body of the request, which runs again. */
  readonly body: Uint8Array<ArrayBuffer>;
  /** Work that a worker will finish, and how long the caller waits for it, in milliseconds. */
  readonly awaits: Awaits | null;
}

export interface Awaits {
  readonly kind: 'verification' | 'job';
  readonly id: string;
  readonly waitMs: number;
}

/**
 * Header with which a handler in a thread makes its process wait for a verdict or a job; it never
 * leaves the process.
 */
export const AWAITS_HEADER = 'x-assay-awaits';
/** Header of a request that runs again because its job has ended; clients cannot send it. */
export const CONTINUES_HEADER = 'x-assay-continues';

export const awaitsHeader = ({ kind, id, waitMs }: Awaits): Record<string, string> => ({
  [AWAITS_HEADER]: `${waitMs} ${kind} ${id}`,
});

export function readAwaits(header: string | null): Awaits | null {
  const [, waitMs, kind, id] = /^(\d+) (verification|job) (\S+)$/.exec(header ?? '') ?? [];
  if (waitMs === undefined || id === undefined) return null;
  return { kind: kind === 'job' ? 'job' : 'verification', id, waitMs: Number(waitMs) };
}

/** The bytes in transferable memory: without a copy where they already have their own buffer. */
export function joined(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength)
    return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}
