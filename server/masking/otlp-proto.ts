import { maskedValue, maskTextBytes } from './mask-json';
import type { Masker } from './masker';
import { attributePaths, type AttributeJson } from './otlp-json';
import { followPaths, type PathStates } from './paths';

/**
 * Masks a request of OTLP in protobuf (protobuf.dev, "Encoding"; opentelemetry-proto: trace.proto,
 * logs.proto, common.proto, resource.proto). Texts and attributes at a path are written again with
 * the lengths around them; all other fields, unknown ones too, stay byte for byte.
 */
export type MaskableSignal = 'traces' | 'logs';

type Kind = 'text' | Message;
type Message =
  | 'TracesRequest'
  | 'ResourceSpans'
  | 'ScopeSpans'
  | 'Span'
  | 'Event'
  | 'Link'
  | 'Status'
  | 'LogsRequest'
  | 'ResourceLogs'
  | 'ScopeLogs'
  | 'LogRecord'
  | 'Resource'
  | 'Scope'
  | 'KeyValue'
  | 'AnyValue'
  | 'ArrayValue'
  | 'KeyValueList';

/** The fields that hold texts or messages, by number. */
const fields: Readonly<Record<Message, Readonly<Record<number, Kind>>>> = {
  TracesRequest: { 1: 'ResourceSpans' },
  ResourceSpans: { 1: 'Resource', 2: 'ScopeSpans', 3: 'text' },
  ScopeSpans: { 1: 'Scope', 2: 'Span', 3: 'text' },
  Span: { 3: 'text', 5: 'text', 9: 'KeyValue', 11: 'Event', 13: 'Link', 15: 'Status' },
  Event: { 2: 'text', 3: 'KeyValue' },
  Link: { 3: 'text', 4: 'KeyValue' },
  Status: { 2: 'text' },
  LogsRequest: { 1: 'ResourceLogs' },
  ResourceLogs: { 1: 'Resource', 2: 'ScopeLogs', 3: 'text' },
  ScopeLogs: { 1: 'Scope', 2: 'LogRecord', 3: 'text' },
  LogRecord: { 3: 'text', 5: 'AnyValue', 6: 'KeyValue', 12: 'text' },
  Resource: { 1: 'KeyValue' },
  Scope: { 1: 'text', 2: 'text', 3: 'KeyValue' },
  KeyValue: { 1: 'text', 2: 'AnyValue' },
  AnyValue: { 1: 'text', 5: 'ArrayValue', 6: 'KeyValueList', 7: 'text' },
  ArrayValue: { 1: 'AnyValue' },
  KeyValueList: { 1: 'KeyValue' },
};

/** Messages nested deeper are refused later; their bytes are masked as text. */
const DEPTH_MAX = 250;

/** What is known of a value: how far paths lead to it, and the key that names it. */
interface Place {
  /** Null: the whole value is masked. */
  readonly states: PathStates | null;
  readonly label: string;
}

/** The same bytes if nothing is to be masked. */
export function maskOtlpProto(bytes: Buffer, masker: Masker, signal: MaskableSignal): Buffer {
  const root = signal === 'traces' ? 'TracesRequest' : 'LogsRequest';
  return new ProtoMasking(masker).mask(root, bytes, { states: [], label: '' }, 0);
}

class ProtoMasking {
  private readonly attributes: PathStates;

  constructor(private readonly masker: Masker) {
    this.attributes = attributePaths(masker);
  }

  mask(message: Message, body: Buffer, place: Place, depth: number): Buffer {
    const read = depth > DEPTH_MAX ? { fields: [], end: 0 } : readFields(body);
    const key = message === 'KeyValue' ? textOf(read.fields, 1) : '';
    const pieces: Buffer[] = [];
    let copied = 0;
    let index = 0;
    for (const field of read.fields) {
      const kind = fields[message][field.number];
      if (kind === undefined || field.value === null) continue;
      const at = placeOf(message, kind, { place, key, index: index++ }, this.attributes);
      const masked = this.maskField(kind, field.value, at, depth);
      if (masked === field.value) continue;
      pieces.push(body.subarray(copied, field.lengthAt), varint(masked.length), masked);
      copied = field.end;
    }
    const rest = body.subarray(read.end);
    const masked = this.maskUnread(rest);
    if (masked === rest && copied === 0) return body;
    return Buffer.concat([...pieces, body.subarray(copied, read.end), masked]);
  }

  private maskField(kind: Kind, value: Buffer, place: Place, depth: number): Buffer {
    const { masker } = this;
    const { states, label } = place;
    if (states === null) {
      const plain = plainOf(value, depth);
      return plain === null ? value : textValue(maskedValue(masker, plain));
    }
    if (kind === 'text') return maskTextBytes(value, { masker, states, nesting: 0 }, label);
    return this.mask(kind, value, place, depth + 1);
  }

  /** Bytes that are no fields: the request is refused, and may be stored with the reason. */
  private maskUnread(bytes: Buffer): Buffer {
    const text = bytes.toString('latin1');
    const masked = this.masker.text(text);
    return masked === text ? bytes : Buffer.from(masked, 'latin1');
  }
}

/** The place of a field within a message. */
function placeOf(
  message: Message,
  kind: Kind,
  { place, key, index }: { readonly place: Place; readonly key: string; readonly index: number },
  attributes: PathStates,
): Place {
  const states = place.states ?? [];
  if (message === 'AnyValue' || message === 'KeyValueList') return place;
  if (message === 'ArrayValue') return { states: followPaths(states, index), label: place.label };
  if (message === 'KeyValue' && kind !== 'text')
    return { states: followPaths(states, key), label: key };
  return { states: kind === 'KeyValue' ? attributes : [], label: '' };
}

interface Field {
  readonly number: number;
  /** Offset of the length; the field ends at `end`. */
  readonly lengthAt: number;
  readonly end: number;
  /** The bytes of a field with a length; null for any other. */
  readonly value: Buffer | null;
  /** The number of a varint, or the bits of a double. */
  readonly scalar: bigint;
}

/** The fields of a message, to the first byte that cannot be one. */
function readFields(body: Buffer): { readonly fields: readonly Field[]; readonly end: number } {
  const found: Field[] = [];
  let at = 0;
  while (at < body.length) {
    const tag = readVarint(body, at);
    if (tag === null) break;
    const number = Number(tag.value >> 3n);
    const field = readField(body, number, Number(tag.value & 7n), tag.end);
    if (number === 0 || field === null) break;
    found.push(field);
    at = field.end;
  }
  return { fields: found, end: at };
}

function readField(body: Buffer, number: number, wireType: number, at: number): Field | null {
  if (wireType === 1 || wireType === 5) {
    const end = at + (wireType === 1 ? 8 : 4);
    if (end > body.length) return null;
    const scalar = wireType === 1 ? body.readBigUInt64LE(at) : BigInt(body.readUInt32LE(at));
    return { number, lengthAt: at, end, value: null, scalar };
  }
  const read = wireType === 0 || wireType === 2 ? readVarint(body, at) : null;
  if (read === null) return null;
  if (wireType === 0)
    return { number, lengthAt: at, end: read.end, value: null, scalar: read.value };
  const end = read.end + Number(read.value);
  if (end > body.length) return null;
  return { number, lengthAt: at, end, value: body.subarray(read.end, end), scalar: 0n };
}

const VARINT_BYTES_MAX = 10;

function readVarint(
  body: Buffer,
  start: number,
): { readonly value: bigint; readonly end: number } | null {
  let value = 0n;
  for (let at = start; at < body.length && at < start + VARINT_BYTES_MAX; at++) {
    const byte = body[at] ?? 0;
    value |= BigInt(byte & 0x7f) << BigInt(7 * (at - start));
    if (byte < 0x80) return { value: BigInt.asUintN(64, value), end: at + 1 };
  }
  return null;
}

function varint(number: number): Buffer {
  const bytes: number[] = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) | 0x80);
  }
}

/** An AnyValue with a text. */
function textValue(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x0a]), varint(bytes.length), bytes]);
}

const textOf = (found: readonly Field[], number: number): string =>
  found.findLast((each) => each.number === number)?.value?.toString('utf8') ?? '';

/** The value of an AnyValue, whose last field is the one that counts. */
function plainOf(body: Buffer, depth: number): AttributeJson {
  const field = readFields(body).fields.findLast(({ number }) => number >= 1 && number <= 7);
  if (field === undefined || depth > DEPTH_MAX) return null;
  const { number, value, scalar } = field;
  if (number === 2) return scalar !== 0n;
  if (number === 3) return String(BigInt.asIntN(64, scalar));
  if (number === 4) return doubleOf(scalar);
  if (value === null) return null;
  if (number === 1) return value.toString('utf8');
  if (number === 7) return value.toString('base64');
  const items = readFields(value).fields.flatMap((each) => each.value ?? []);
  if (number === 5) return items.map((item) => plainOf(item, depth + 1));
  return Object.fromEntries(
    items.map((pair) => {
      const parts = readFields(pair).fields;
      const of = parts.findLast((each) => each.number === 2)?.value ?? Buffer.alloc(0);
      return [textOf(parts, 1), plainOf(of, depth + 1)];
    }),
  );
}

function doubleOf(bits: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(bits);
  return bytes.readDoubleLE();
}
