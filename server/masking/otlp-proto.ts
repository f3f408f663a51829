import { maskedValue, maskString, maskTextBytes } from './mask-json';
import type { Masker } from './masker';
import { attributePaths, type AttributeJson } from './otlp-json';
import { followPaths, type PathStates } from './paths';

/**
 * Masks a request of OTLP in protobuf (protobuf.dev, "Encoding"; opentelemetry-proto: trace.proto,
 * logs.proto, common.proto, resource.proto). Texts and attributes at a path are written again with
 * the lengths around them. Fields that are not listed here are masked as plain bytes, except ids.
 */
export type MaskableSignal = 'traces' | 'logs';

type Kind = 'text' | 'bytes' | Message;
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
  AnyValue: { 1: 'text', 5: 'ArrayValue', 6: 'KeyValueList', 7: 'bytes' },
  ArrayValue: { 1: 'AnyValue' },
  KeyValueList: { 1: 'KeyValue' },
};

/** The lengths of ids of traces and spans. */
const idBytes: ReadonlySet<number> = new Set([8, 16]);

/** Messages nested deeper are refused later; their bytes are masked as text. */
const DEPTH_MAX = 250;

/** The known position of a value: how far paths match it, and its key. */
interface Place {
  /** Null if the whole value is masked. */
  readonly states: PathStates | null;
  readonly label: string;
  /** The body of a log record: its text becomes the attribute `content`. */
  readonly isBody?: true;
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
    const key = message === 'KeyValue' ? textOf(body, 1) : '';
    const pieces: Buffer[] = [];
    let copied = 0;
    let index = 0;
    let end = 0;
    for (const field of depth > DEPTH_MAX ? [] : readFields(body)) {
      end = field.end;
      const { value } = field;
      if (value === null) continue;
      const kind = fields[message][field.number];
      const masked =
        kind === undefined
          ? this.maskUnlisted(value)
          : this.maskField(
              kind,
              value,
              placeOf(message, kind, { place, key, index: index++ }, this.attributes),
              depth,
            );
      if (masked === value) continue;
      pieces.push(body.subarray(copied, field.lengthAt), varint(masked.length), masked);
      copied = field.end;
    }
    const remaining = body.subarray(end);
    const masked = this.maskUnread(remaining);
    if (masked === remaining && copied === 0) return body;
    return Buffer.concat([...pieces, body.subarray(copied, end), masked]);
  }

  /** A field of a newer version of the format, or an id. */
  private maskUnlisted(value: Buffer): Buffer {
    return idBytes.has(value.length) ? value : this.maskUnread(value);
  }

  private maskField(kind: Kind, value: Buffer, place: Place, depth: number): Buffer {
    const { masker } = this;
    const { states, label } = place;
    if (states === null && kind === 'text')
      return Buffer.from(masker.valueToken(value.toString('utf8')));
    if (states === null) {
      const plain = plainOf(value, depth);
      return plain === null ? value : textValue(maskedValue(masker, plain));
    }
    const masking = { masker, states, nesting: 0 };
    if (kind === 'bytes') return maskTextBytes(value, masking, label);
    if (kind === 'text') {
      // A reader replaces bytes that are not UTF-8, and reads the rest.
      const text = value.toString('utf8');
      const masked = maskString(text, masking, label);
      return masked === text ? value : Buffer.from(masked);
    }
    return this.mask(kind, value, place, depth + 1);
  }

  /** Bytes that are not fields, or whose kind is unknown: they may be stored with the request. */
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
  if (message === 'LogRecord' && kind === 'AnyValue')
    return { states: attributes, label: '', isBody: true };
  if (message === 'AnyValue' && kind === 'text' && place.isBody === true)
    return { states: followPaths(states, 'content'), label: 'content' };
  if (message === 'AnyValue' || message === 'KeyValueList')
    return { states: place.states, label: place.label };
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
function* readFields(body: Buffer): Generator<Field> {
  let at = 0;
  while (at < body.length) {
    const tag = readVarint(body, at);
    if (tag === null) return;
    const number = Number(tag.value >> 3n);
    const field = readField(body, number, Number(tag.value & 7n), tag.end);
    if (number === 0 || field === null) return;
    yield field;
    at = field.end;
  }
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

/** The last field that counts; null if there is none. */
function lastField(body: Buffer, isWanted: (number: number) => boolean): Field | null {
  let last: Field | null = null;
  for (const field of readFields(body)) if (isWanted(field.number)) last = field;
  return last;
}

const textOf = (body: Buffer, wanted: number): string =>
  lastField(body, (number) => number === wanted)?.value?.toString('utf8') ?? '';

/** The value of an AnyValue, whose last field is the one that counts. */
function plainOf(body: Buffer, depth: number): AttributeJson {
  const field = lastField(body, (number) => number >= 1 && number <= 7);
  if (field === null || depth > DEPTH_MAX) return null;
  const { number, value, scalar } = field;
  if (number === 2) return scalar !== 0n;
  if (number === 3) return String(BigInt.asIntN(64, scalar));
  if (number === 4) return doubleOf(scalar);
  if (value === null) return null;
  if (number === 1) return value.toString('utf8');
  if (number === 7) return value.toString('base64');
  const items: Buffer[] = [];
  for (const item of readFields(value)) if (item.value !== null) items.push(item.value);
  if (number === 5) return items.map((item) => plainOf(item, depth + 1));
  return Object.fromEntries(
    items.map((pair) => {
      const of = lastField(pair, (each) => each === 2)?.value ?? Buffer.alloc(0);
      return [textOf(pair, 1), plainOf(of, depth + 1)];
    }),
  );
}

function doubleOf(bits: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(bits);
  return bytes.readDoubleLE();
}
