/**
 * Protobuf's wire format, as far as OTLP needs it, based on the library's Reader. A message is a
 * sequence of fields: a tag (field number << 3 | wire type: 0 varint, 1 eight bytes, 2 length and
 * bytes, 5 four bytes), then the value. Groups (3, 4) are refused: OTLP has none. While a nested
 * message is read, `reader.len` is its end, so nothing in it can reach beyond.
 */
import protobuf from 'protobufjs/minimal.js';

export type Reader = protobuf.Reader;

export function readerOf(bytes: Buffer): Reader {
  return protobuf.Reader.create(bytes);
}

/**
 * Enters the message whose length comes next. Returns the value that `leave` needs. @throws Error
 * when it would end beyond its parent
 */
export function enter(reader: Reader): number {
  const outer = reader.len;
  const length = reader.size();
  if (length > outer - reader.pos)
    throw new RangeError(`a message of ${length} bytes ends beyond its owner`);
  reader.len = reader.pos + length;
  return outer;
}

export function leave(reader: Reader, outer: number): void {
  reader.pos = reader.len;
  reader.len = outer;
}

/**
 * Describes the damage to the bytes, from an error of the Reader or of the functions here. Rethrows
 * any other error.
 */
export function damageOf(error: unknown): string {
  if (error instanceof Error && !(error instanceof TypeError || error instanceof ReferenceError))
    return error.message;
  throw error;
}

/** Bit mask of field numbers, 1 to 31, for `skipOther`. */
export function fieldMask(...fields: readonly number[]): number {
  return fields.reduce((mask, field) => mask | (1 << field), 0);
}

/** Skips an unknown field. @throws Error for a known field of another wire type, and for groups */
export function skipOther(reader: Reader, tag: number, known: number): void {
  const field = tag >>> 3;
  if (field === 0) throw new Error('field number 0');
  if (field < 32 && (known & (1 << field)) !== 0)
    throw new Error(`field ${field} has wire type ${tag & 7}`);
  switch (tag & 7) {
    case 0:
      reader.skip();
      break;
    case 1:
      reader.skip(8);
      break;
    case 2:
      reader.skip(reader.size());
      break;
    case 5:
      reader.skip(4);
      break;
    default:
      throw new Error(`wire type ${tag & 7}`);
  }
}

/** The bytes from `start` to `end`, not copied. */
export function bytesAt(reader: Reader, start: number, end: number): Buffer {
  const { buf } = reader;
  return Buffer.isBuffer(buf)
    ? buf.subarray(start, end)
    : Buffer.from(buf.buffer, buf.byteOffset + start, end - start);
}

/** Lower-case hex. */
export function hexAt(reader: Reader, start: number, end: number): string {
  const { buf } = reader;
  return Buffer.isBuffer(buf)
    ? buf.toString('hex', start, end)
    : bytesAt(reader, start, end).toString('hex');
}

/** UTF-8, with U+FFFD for invalid bytes. */
export function wireText(reader: Reader, start: number, end: number): string {
  const { buf } = reader;
  return Buffer.isBuffer(buf)
    ? buf.toString('utf8', start, end)
    : bytesAt(reader, start, end).toString('utf8');
}

/** A varint as decimal digits of a signed 64-bit integer. */
export function readInt64(reader: Reader): string {
  const { buf } = reader;
  let value = 0;
  let scale = 1;
  for (let i = 0; i < 10; i++) {
    if (reader.pos >= reader.len) throw new RangeError('a varint is cut');
    const byte = buf[reader.pos++] ?? 0;
    if (i >= 7) return readLong(reader, reader.pos - 8);
    value += (byte & 127) * scale;
    if (byte < 128) return String(value);
    scale *= 128;
  }
  throw new RangeError('a varint is too long');
}

/** Over 49 bits: uses BigInt to be exact. */
function readLong(reader: Reader, start: number): string {
  let value = 0n;
  for (let i = 0; i < 10; i++) {
    if (start + i >= reader.len) throw new RangeError('a varint is cut');
    const byte = reader.buf[start + i] ?? 0;
    value |= BigInt(byte & 127) << BigInt(7 * i);
    if (byte < 128) {
      reader.pos = start + i + 1;
      return BigInt.asIntN(64, value).toString();
    }
  }
  throw new RangeError('a varint is too long');
}

/** Eight bytes as decimal digits of an unsigned integer. */
export function readFixed64(reader: Reader): string {
  const low = reader.fixed32();
  const high = reader.fixed32();
  return high < 0x20_0000
    ? String(high * 0x1_0000_0000 + low)
    : ((BigInt(high) << 32n) | BigInt(low)).toString();
}
