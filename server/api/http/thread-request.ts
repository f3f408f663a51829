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

export interface ThreadAnswer {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array<ArrayBuffer>;
  /** A verdict that a worker will give, and how long the caller waits for it, in milliseconds. */
  readonly awaits: { readonly verificationId: string; readonly waitMs: number } | null;
}

/**
 * Header with which a handler in a thread asks its process to wait for a verdict; it never leaves
 * the process.
 */
export const AWAITS_HEADER = 'x-assay-awaits';

export function awaitsHeader(verificationId: string, waitMs: number): Record<string, string> {
  return { [AWAITS_HEADER]: `${waitMs} ${verificationId}` };
}

export function readAwaits(header: string | null): ThreadAnswer['awaits'] {
  const [, waitMs, verificationId] = /^(\d+) (\S+)$/.exec(header ?? '') ?? [];
  return waitMs === undefined || verificationId === undefined
    ? null
    : { verificationId, waitMs: Number(waitMs) };
}

/** The bytes in transferable memory: without a copy where they already have their own buffer. */
export function joined(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = bytes;
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength)
    return new Uint8Array(buffer);
  return new Uint8Array(bytes);
}
