import { promisify } from 'node:util';
import {
  brotliDecompress,
  type BrotliOptions,
  constants,
  gunzip,
  inflate,
  type ZlibOptions,
} from 'node:zlib';

/** Limit of the decompressed bytes of a captured answer, which is at most 1 MiB compressed. */
const UNPACKED_MAX = 16 * 1024 * 1024;
const CODINGS_MAX = 3;

type Decode = (packed: Buffer) => Promise<Buffer>;

const bounded = { maxOutputLength: UNPACKED_MAX };
/** The capture may end anywhere: keep the part decompressed so far. */
const cut = { ...bounded, finishFlush: constants.Z_SYNC_FLUSH };

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', (packed) => promisify<Buffer, ZlibOptions, Buffer>(gunzip)(packed, cut)],
  ['x-gzip', (packed) => promisify<Buffer, ZlibOptions, Buffer>(gunzip)(packed, cut)],
  ['deflate', (packed) => promisify<Buffer, ZlibOptions, Buffer>(inflate)(packed, cut)],
  [
    'br',
    (packed) =>
      promisify<Buffer, BrotliOptions, Buffer>(brotliDecompress)(packed, {
        ...bounded,
        finishFlush: constants.BROTLI_OPERATION_FLUSH,
      }),
  ],
]);

/**
 * The body without its `Content-Encoding`, at most 16 MiB; null if it cannot be decompressed. Does
 * not run on the event loop.
 */
export async function decodeContent(
  chunks: readonly Buffer[],
  contentEncoding: string | null,
): Promise<readonly Buffer[] | null> {
  if (contentEncoding === null) return chunks;
  const codings = contentEncoding.split(',').map((each) => each.trim().toLowerCase());
  const applied = codings.filter((each) => each !== '' && each !== 'identity');
  if (applied.length === 0) return chunks;
  if (applied.length > CODINGS_MAX) return null;
  let body = Buffer.concat(chunks);
  try {
    for (const coding of applied.reverse()) {
      const decode = decoders.get(coding);
      if (decode === undefined) return null;
      body = Buffer.from(await decode(body));
    }
    return [body];
  } catch {
    return null;
  }
}
