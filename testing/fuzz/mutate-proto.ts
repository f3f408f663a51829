import type { Random } from '../seed';
import { pick, sizeOf } from './mutate';

/** Fields of protobuf's wire format (protobuf.dev, Encoding), for mutations of whole fields. */
interface Field {
  number: number;
  wire: number;
  /** Bytes of the value, without a length; null means `nested`. */
  bytes: Buffer;
  nested: Field[] | null;
}

function readVarint(bytes: Buffer, from: number): { value: number; to: number } | null {
  let value = 0;
  for (let at = from; at < Math.min(bytes.length, from + 10); at++) {
    const byte = bytes[at] ?? 0;
    value += (byte & 0x7f) * 2 ** (7 * (at - from));
    if (byte < 0x80) return { value, to: at + 1 };
  }
  return null;
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) | 0x80);
  return Buffer.from([...bytes, left]);
}

/** Null if it is not a message. */
function readFields(bytes: Buffer, depth = 0): Field[] | null {
  const fields: Field[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = readVarint(bytes, at);
    if (tag === null || tag.value < 8 || tag.value > 8_000) return null;
    const field = { number: Math.floor(tag.value / 8), wire: tag.value % 8, nested: null };
    let from = tag.to;
    let to = from;
    if (field.wire === 0) to = readVarint(bytes, from)?.to ?? Number.NaN;
    else if (field.wire === 1) to = from + 8;
    else if (field.wire === 5) to = from + 4;
    else if (field.wire === 2) {
      const length = readVarint(bytes, from);
      from = length?.to ?? Number.NaN;
      to = from + (length?.value ?? 0);
    } else return null;
    if (!(to <= bytes.length)) return null;
    const value = bytes.subarray(from, to);
    const nested =
      field.wire === 2 && depth < 12 && value.length > 1 ? readFields(value, depth + 1) : null;
    fields.push({ ...field, bytes: value, nested });
    at = to;
  }
  return fields;
}

function writeFields(fields: readonly Field[]): Buffer {
  return Buffer.concat(
    fields.flatMap(({ number, wire, bytes, nested }) => {
      const value = nested === null ? bytes : writeFields(nested);
      const tag = varint(number * 8 + wire);
      return wire === 2 ? [tag, varint(value.length), value] : [tag, value];
    }),
  );
}

function placesOf(fields: Field[], found: { list: Field[]; at: number }[] = []): typeof found {
  for (const [at, { nested }] of fields.entries()) {
    found.push({ list: fields, at });
    if (nested !== null) placesOf(nested, found);
  }
  return found;
}

const oddValues = [
  [],
  [0],
  [0x01],
  [0x80, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
  [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
  [0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
  [0, 0, 0, 0, 0, 0, 0xf0, 0xff],
  [0xed, 0xa0, 0x80],
  [0xc0, 0x80],
  [0x61, 0x00, 0x62],
  Array<number>(16).fill(0),
  Array<number>(300).fill(0x61),
].map((bytes) => Buffer.from(bytes));

function change(fields: Field[], random: Random): void {
  const places = placesOf(fields);
  if (places.length === 0) return;
  const { list, at } = pick(places, random);
  const field = list[at];
  if (field === undefined) return;
  const copy = (): Field => ({ ...field, nested: field.nested && [...field.nested] });
  const kind = random.between(0, 7);
  if (kind === 0) list.splice(at, 1);
  else if (kind === 1) list.splice(at, 0, copy());
  else if (kind === 2) list[at] = { ...field, bytes: pick(oddValues, random), nested: null };
  else if (kind === 3)
    field.number = pick([0, 1, 2, 3, 7, 15, 16, 999, 19_000, 536_870_911], random);
  else if (kind === 4) field.wire = pick([0, 1, 2, 3, 4, 5, 6, 7], random);
  else if (kind === 5)
    list[at] = { number: field.number, wire: 2, bytes: field.bytes, nested: [copy()] };
  else if (kind === 6)
    list.splice(at, 0, ...Array.from({ length: sizeOf([2, 50], [1_000], random) }, copy));
  else {
    const depth = sizeOf([10, 60, 200], [2_000], random);
    // Encoded as bytes, since a tree of several such depths would exhaust the stack of
    // `writeFields`.
    let bytes = writeFields([field]);
    for (let level = 1; level < depth; level++)
      bytes = writeFields([{ number: field.number, wire: 2, bytes, nested: null }]);
    list[at] = { number: field.number, wire: 2, bytes, nested: null };
  }
}

/** One to three changes of whole fields of a message, whose lengths stay correct. */
export function mutateProto(message: Buffer, random: Random): Buffer {
  const fields = readFields(message) ?? [];
  for (let left = random.between(1, 3); left > 0; left--) change(fields, random);
  const written = writeFields(fields);
  return written.length > 300_000 ? written.subarray(0, 300_000) : written;
}
