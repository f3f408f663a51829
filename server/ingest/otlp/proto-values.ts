import { isUtf8 } from 'node:buffer';
import { intakeLimits } from '../../domain';
import type { AttributeValue } from '../span';
import { listFields, pairFields, valueFields } from './proto-fields';
import {
  truncateKey,
  cleanString,
  createAttributeBuffer,
  doubleText,
  type DecodeFlags,
  type AttributeBuffer,
} from './span-draft';
import { TooDeep } from './span-rules';
import { bytesAt, enter, leave, type Reader, readInt64, skipOther, wireText } from './wire';

/** A string. Invalid UTF-8 in it is replaced and flagged. */
export function readText(reader: Reader, decodeFlags: DecodeFlags): string {
  const length = reader.size();
  const start = reader.pos;
  reader.skip(length);
  if (length === 0) return '';
  const text = wireText(reader, start, reader.pos);
  if (text.includes('\ufffd') && !isUtf8(bytesAt(reader, start, reader.pos)))
    decodeFlags.invalidUtf8 = true;
  return cleanString(text, decodeFlags);
}

/**
 * One KeyValue. Beyond the limit it is only counted. `depth`: lists that enclose it.
 * @throws TooDeep, Error for damaged bytes
 */
export function addPair(
  reader: Reader,
  into: AttributeBuffer,
  decodeFlags: DecodeFlags,
  limit: number,
  depth: number,
): void {
  const outer = enter(reader);
  const taken = into.count++ < limit;
  let key = '';
  let value: AttributeValue = null;
  while (taken && reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) key = readText(reader, decodeFlags);
    else if (tag === 0x12) value = readValue(reader, decodeFlags, depth);
    else skipOther(reader, tag, pairFields);
  }
  leave(reader, outer);
  if (taken) into.pairs.set(truncateKey(key, decodeFlags), value);
}

function readValue(reader: Reader, decodeFlags: DecodeFlags, depth: number): AttributeValue {
  const outer = enter(reader);
  let value: AttributeValue = null;
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) value = readText(reader, decodeFlags);
    else if (tag === 0x10) value = reader.bool();
    else if (tag === 0x18) value = { raw: readInt64(reader) };
    else if (tag === 0x21) value = { raw: doubleText(reader.double()) };
    else if (tag === 0x2a) value = readArray(reader, decodeFlags, depth + 1);
    else if (tag === 0x32) value = readPairs(reader, decodeFlags, depth + 1);
    else if (tag === 0x3a) value = { bytes: readBytes(reader) };
    else skipOther(reader, tag, valueFields);
  }
  leave(reader, outer);
  return value;
}

function readArray(reader: Reader, decodeFlags: DecodeFlags, depth: number): AttributeValue[] {
  const items: AttributeValue[] = [];
  readList(reader, depth, () => items.push(readValue(reader, decodeFlags, depth)));
  return items;
}

function readPairs(
  reader: Reader,
  decodeFlags: DecodeFlags,
  depth: number,
): ReadonlyMap<string, AttributeValue> {
  const list = createAttributeBuffer();
  readList(reader, depth, () => addPair(reader, list, decodeFlags, Infinity, depth));
  return list.pairs;
}

function readList(reader: Reader, depth: number, readItem: () => void): void {
  if (depth > intakeLimits.depth) throw new TooDeep();
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) readItem();
    else skipOther(reader, tag, listFields);
  }
  leave(reader, outer);
}

function readBytes(reader: Reader): string {
  const length = reader.size();
  const start = reader.pos;
  reader.skip(length);
  return bytesAt(reader, start, reader.pos).toString('base64');
}
