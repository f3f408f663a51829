import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { intakeLimits } from '../domain';
import { AssayError, invalid, tooLarge } from '../platform';

const gunzipAsync = promisify(gunzip);
const limit = intakeLimits.bodyBytes;

export interface Body {
  readonly bytes: Buffer;
  readonly validUtf8: boolean;
}

/**
 * A JSON body within the limit, before and after decompression; counted while it is read, so that a false or missing length
 * costs no more memory than the limit.
 * @throws AssayError too_large, unsupported_media_type, invalid_request
 */
export async function readBody(request: Request): Promise<Body> {
  const type = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new AssayError('unsupported_media_type', 'send "Content-Type: application/json"');
  const encoding = (request.headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  if (encoding !== 'identity' && encoding !== 'gzip') {
    throw new AssayError('unsupported_media_type', `content encoding "${encoding.slice(0, 40)}" is not read: send gzip or none`);
  }
  const length = request.headers.get('content-length');
  if (length !== null && Number(length) > limit) {
    await discard(request.body?.getReader(), 0);
    throw overLimit();
  }
  const sent = length !== null ? Buffer.from(await request.arrayBuffer()) : await readCounted(request);
  const bytes = encoding === 'gzip' ? await unpack(sent) : sent;
  if (bytes.length > limit) throw overLimit();
  return { bytes, validUtf8: isUtf8(bytes) };
}

function overLimit(): AssayError {
  return tooLarge(`a body has at most ${limit} bytes (20 MiB), after decompression`);
}

async function readCounted(request: Request): Promise<Buffer> {
  if (request.body === null) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = request.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, size);
    size += value.length;
    if (size > limit) {
      chunks.length = 0;
      await discard(reader, size);
      throw overLimit();
    }
    chunks.push(value);
  }
}

/** So much of a body that is too large is read and forgotten: most clients read an answer only after they have sent. */
const discardBytes = 2 * limit;

async function discard(reader: ReadableStreamDefaultReader<Uint8Array> | undefined, read: number): Promise<void> {
  if (reader === undefined) return;
  for (let size = read; size <= discardBytes; ) {
    const { done, value } = await reader.read();
    if (done) return;
    size += value.length;
  }
  await reader.cancel();
}

async function unpack(sent: Buffer): Promise<Buffer> {
  try {
    return await gunzipAsync(sent, { maxOutputLength: limit });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE') throw overLimit();
    throw invalid('the body is not gzip, although its content encoding says so');
  }
}
