import type { UpstreamHandler } from './forward';

/**
 * Replaces the stored key with asterisks where an upstream repeats it in headers, trailers or
 * bodies (S-122), one per byte, so that lengths, framing and JSON stay valid. Bodies are masked as
 * they arrive: a possible beginning of the key waits for the next chunk.
 */
export class EchoMask implements UpstreamHandler {
  readonly #handler: UpstreamHandler;
  readonly #secret: Buffer;
  /** A suffix that may be the beginning of the key. */
  #waiting: Buffer | null = null;

  constructor(handler: UpstreamHandler, secret: Buffer) {
    this.#handler = handler;
    this.#secret = secret;
  }

  onConnect(abort: (error?: Error) => void): void {
    this.#handler.onConnect(abort);
  }

  onHeaders(status: number, headers: Buffer[], resume: () => void, statusText: string): boolean {
    this.#maskAll(headers);
    return this.#handler.onHeaders(status, headers, resume, maskedText(statusText, this.#secret));
  }

  onData(chunk: Buffer): boolean {
    const bytes = this.#waiting === null ? chunk : Buffer.concat([this.#waiting, chunk]);
    const masked = maskedIn(bytes, this.#secret);
    const end = keyMayBeginAt(masked, this.#secret);
    this.#waiting = end === masked.length ? null : masked.subarray(end);
    return (
      end === 0 || this.#handler.onData(end === masked.length ? masked : masked.subarray(0, end))
    );
  }

  onComplete(trailers: string[] | null): void {
    this.#letGo();
    // undici's raw form passes bytes, although its type is strings.
    if (trailers !== null) this.#maskAll(trailers as (string | Buffer)[]);
    this.#handler.onComplete(trailers);
  }

  onError(error: Error): void {
    // The answer breaks off here: a possible beginning of the key is not sent.
    this.#handler.onError(error);
  }

  /** The body ended before the key was complete. */
  #letGo(): void {
    if (this.#waiting !== null) this.#handler.onData(this.#waiting);
    this.#waiting = null;
  }

  #maskAll(values: (string | Buffer)[]): void {
    for (let n = 0; n < values.length; n++) {
      const value = values[n];
      if (value === undefined || value.length < this.#secret.length) continue;
      values[n] =
        typeof value === 'string' ? maskedText(value, this.#secret) : maskedIn(value, this.#secret);
    }
  }
}

/**
 * Shorter keys are placeholders for local servers that need none (`ollama`, `EMPTY`). They are not
 * secret, and answers may contain them.
 */
const SECRET_BYTES_MIN = 8;

/** The bytes to mask; null if none. */
export function secretOf(key: string | null): Buffer | null {
  return key === null || key.length < SECRET_BYTES_MIN ? null : Buffer.from(key, 'latin1');
}

/** The same buffer if it does not contain the key, else a masked copy. */
function maskedIn(bytes: Buffer, secret: Buffer): Buffer {
  let at = bytes.indexOf(secret);
  if (at === -1) return bytes;
  const masked = Buffer.from(bytes);
  for (; at !== -1; at = masked.indexOf(secret, at + secret.length))
    masked.fill('*', at, at + secret.length);
  return masked;
}

function maskedText(text: string, secret: Buffer): string {
  return text.length < secret.length
    ? text
    : text.replaceAll(secret.toString('latin1'), '*'.repeat(secret.length));
}

/** The offset of a possible beginning of the key at the end of the bytes, else their length. */
function keyMayBeginAt(bytes: Buffer, secret: Buffer): number {
  const first = secret[0] ?? 0;
  let at = bytes.indexOf(first, Math.max(0, bytes.length - secret.length + 1));
  while (at !== -1) {
    if (bytes.compare(secret, 0, bytes.length - at, at) === 0) return at;
    at = bytes.indexOf(first, at + 1);
  }
  return bytes.length;
}
