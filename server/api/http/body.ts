import { isUtf8 } from 'node:buffer';
import { createGunzip, gunzipSync } from 'node:zlib';
import { intakeLimits } from '../../domain';
import { AssayError, invalid, tooLarge } from '../../platform';

const limit = intakeLimits.bodyBytes;
/**
 * Up to this size decompressing here costs less than handing the body to another thread; at gzip's
 * worst ratio it is 32 MiB, cut at the limit.
 */
const unpackInlineBytes = 32 * 1024;

/** A request as the handlers read it, for any server. */
export interface Incoming {
  header(name: string): string | undefined;
  /** The query string; empty when there is none. */
  readonly query: string;
  /**
   * The body as sent. Keeps at most `maxBytes` bytes; a longer body is read to its end, discarded,
   * and answered with null. `hold` receives the number of bytes kept; an error it throws ends the
   * reading.
   */
  collect(maxBytes: number, hold?: (bytes: number) => void): Promise<Buffer | null>;
}

export interface Body {
  readonly bytes: Buffer;
  readonly validUtf8: boolean;
  /** The received bytes, if they were compressed with gzip. */
  readonly packed: Buffer | null;
  readonly type: string;
}

/** A body as sent. */
export interface Collected {
  readonly sent: Buffer;
  readonly isPacked: boolean;
  readonly type: string;
}

/**
 * Reads a body of one of `types`. The limit applies before and after decompression. Bytes are
 * counted during the read, so that a false or missing length costs no more memory than the limit
 * . `hold` receives the bytes in memory, compressed and decompressed.
 *
 * @throws AssayError too_large, unsupported_media_type, invalid_request
 */
export async function readBody(
  incoming: Incoming,
  types: readonly string[] = ['application/json'],
  hold?: (bytes: number) => void,
): Promise<Body> {
  return openBody(await collectBody(incoming, types, hold), hold);
}

/**
 * The same, without decompression.
 *
 * @throws AssayError
 */
export async function collectBody(
  incoming: Incoming,
  types: readonly string[],
  hold?: (bytes: number) => void,
): Promise<Collected> {
  const type = (incoming.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (!types.includes(type))
    throw new AssayError(
      'unsupported_media_type',
      `the content type is not supported; send "Content-Type: ${types.join('" or "')}"`,
    );
  const encoding = (incoming.header('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new AssayError(
      'unsupported_media_type',
      `the content encoding "${encoding.slice(0, 40)}" is not supported; send gzip or none`,
    );
  }
  const sent = await incoming.collect(limit, hold);
  if (sent === null) throw overLimit();
  // An empty body is empty, even with a content encoding.
  return { sent, isPacked: encoding === 'gzip' && sent.length > 0, type };
}

/**
 * Reads a body of any type, as sent.
 *
 * @throws AssayError too_large
 */
export async function collectAny(
  incoming: Incoming,
  hold: (bytes: number) => void,
): Promise<Buffer> {
  const sent = await incoming.collect(limit, hold);
  if (sent === null) throw overLimit();
  return sent;
}

export async function openBody(
  { sent, isPacked, type }: Collected,
  hold?: (bytes: number) => void,
): Promise<Body> {
  const bytes = isPacked ? await unpack(sent) : sent;
  if (bytes !== sent) hold?.(sent.length + bytes.length);
  return { bytes, validUtf8: isUtf8(bytes), packed: isPacked ? sent : null, type };
}

/**
 * A body of at most `maxBytes` bytes after decompression; null for a larger one, which is
 * decompressed only up to the limit.
 */
export function openSmallBody({ sent, isPacked, type }: Collected, maxBytes: number): Body | null {
  if (sent.length > (isPacked ? unpackInlineBytes : maxBytes)) return null;
  try {
    const bytes = isPacked ? gunzipSync(sent, { maxOutputLength: maxBytes }) : sent;
    return { bytes, validUtf8: isUtf8(bytes), packed: isPacked ? sent : null, type };
  } catch (error) {
    if (isTooLong(error)) return null;
    throw notGzip();
  }
}

function overLimit(): AssayError {
  return tooLarge(
    `the body is larger than ${limit} bytes (20 MiB) after decompression; send less at once`,
  );
}

/**
 * Each body may fill the limit before it is known to be too large; one thread decompresses
 * faster than the event loop reads.
 */
const unpackAtOnce = 1;
let unpacking = 0;
const waiting: (() => void)[] = [];
/**
 * One buffer for decompressed bytes: V8 would free the separate pieces of a refused body only after
 * collecting the old generation.
 */
let gathered: Buffer | null = null;

/** Waits for a slot, and passes it on afterwards. */
async function unpackInThread(sent: Buffer): Promise<Buffer> {
  if (unpacking >= unpackAtOnce) await new Promise<void>((go) => waiting.push(go));
  else unpacking++;
  try {
    gathered ??= Buffer.allocUnsafeSlow(limit);
    const length = await inflateInto(gathered, sent);
    return Buffer.from(gathered.subarray(0, length));
  } finally {
    const next = waiting.shift();
    if (next === undefined) unpacking--;
    else next();
  }
}

/** @throws Error with the code ERR_BUFFER_TOO_LARGE when `target` is too small, or that of zlib */
async function inflateInto(target: Buffer, sent: Buffer): Promise<number> {
  let length = 0;
  const inflating = createGunzip({ chunkSize: 64 * 1024 });
  inflating.end(sent);
  for await (const piece of inflating as AsyncIterable<Buffer>) {
    if (length + piece.length > target.length) throw tooLong();
    length += piece.copy(target, length);
  }
  return length;
}

const tooLong = (): Error =>
  Object.assign(new Error('larger than the limit'), { code: 'ERR_BUFFER_TOO_LARGE' });

async function unpack(sent: Buffer): Promise<Buffer> {
  try {
    return sent.length <= unpackInlineBytes
      ? gunzipSync(sent, { maxOutputLength: limit })
      : await unpackInThread(sent);
  } catch (error) {
    throw isTooLong(error) ? overLimit() : notGzip();
  }
}

const isTooLong = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';

const notGzip = (): AssayError =>
  invalid('the body is not gzip, although its Content-Encoding is gzip');
