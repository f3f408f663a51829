import { intakeLimits } from '../../domain';
import { AssayError, invalid } from '../../platform';
import type { JsonObject } from './json-rules';
import {
  groupFields,
  listFields,
  logFields,
  pairFields,
  resourceFields,
  scopeFields,
  valueFields,
} from './proto-fields';
import type { LogShared, RawLog } from './read-logs';
import { doubleText } from './span-draft';
import { TooDeep } from './span-rules';
import {
  bytesAt,
  damageOf,
  enter,
  hexAt,
  leave,
  type Reader,
  readerOf,
  readFixed64,
  readInt64,
  skipOther,
  wireText,
} from './wire';

/**
 * The log records of OTLP/protobuf as objects of OTLP/JSON. Damage inside a record of valid length
 * concerns that record only.
 * @throws AssayError invalid_request for bytes that are not an export request
 */
export function readLogsProto(body: Buffer): RawLog[] {
  const records: RawLog[] = [];
  const reader = readerOf(body);
  try {
    eachField(reader, listFields, (tag) => {
      if (tag !== 0x0a) return false;
      inMessage(reader, () => readResourceLogs(reader, records));
      return true;
    });
  } catch (error) {
    if (error instanceof AssayError) throw error;
    throw invalid(`the body is not an ExportLogsServiceRequest in protobuf: ${damageOf(error)}`);
  }
  return records;
}

/** The resource is read before the records, regardless of its position. */
function readResourceLogs(reader: Reader, records: RawLog[]): void {
  const start = reader.pos;
  const resource = firstMessage(reader, () => readShared(reader, 'resource'));
  reader.pos = start;
  eachField(reader, groupFields, (tag) => {
    if (tag === 0x12) inMessage(reader, () => readScopeLogs(reader, resource, records));
    else if (tag === 0x0a || tag === 0x1a) reader.skip(reader.size());
    else return false;
    return true;
  });
}

function readScopeLogs(reader: Reader, resource: Owner, records: RawLog[]): void {
  const start = reader.pos;
  const scope = firstMessage(reader, () => readShared(reader, 'scope'));
  reader.pos = start;
  const shared: LogShared = { resource: resource.fields, scope: scope.fields };
  eachField(reader, groupFields, (tag) => {
    if (tag === 0x12)
      inMessage(reader, () => records.push(readRecord(reader, shared, resource.damage)));
    else if (tag === 0x0a || tag === 0x1a) reader.skip(reader.size());
    else return false;
    return true;
  });
}

/** A resource or a scope. `damage`: why none of its records can be accepted. */
interface Owner {
  readonly fields: JsonObject | undefined;
  readonly damage: string | null;
}

/** Reads field 1 of a group and skips the others; the last one counts. */
function firstMessage(reader: Reader, read: () => Owner): Owner {
  let found: Owner = { fields: undefined, damage: null };
  eachField(reader, 0, (tag) => {
    if (tag !== 0x0a) return false;
    inMessage(reader, () => {
      found = read();
    });
    return true;
  });
  return found;
}

function readShared(reader: Reader, kind: 'resource' | 'scope'): Owner {
  const attributes: JsonObject[] = [];
  const texts: { name?: string; version?: string } = {};
  try {
    eachField(reader, kind === 'resource' ? resourceFields : scopeFields, (tag) => {
      if (kind === 'resource' && tag === 0x0a) attributes.push(readPair(reader, 0));
      else if (kind === 'resource' && tag === 0x10) reader.skip();
      else if (kind === 'scope' && tag === 0x0a) texts.name = readString(reader);
      else if (kind === 'scope' && tag === 0x12) texts.version = readString(reader);
      else if (kind === 'scope' && tag === 0x1a) reader.skip(reader.size());
      else if (kind === 'scope' && tag === 0x20) reader.skip();
      else return false;
      return true;
    });
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    return { fields: undefined, damage: `${kind}: ${error.message}` };
  }
  return { fields: kind === 'resource' ? { attributes } : texts, damage: null };
}

function readRecord(reader: Reader, shared: LogShared, damage: string | null): RawLog {
  const start = reader.pos;
  const end = reader.len;
  const body = (): Buffer => bytesAt(reader, start, end);
  const fields: Record<string, unknown> = {};
  const attributes: JsonObject[] = [];
  try {
    eachField(reader, logFields, (tag) => readField(reader, tag, fields, attributes));
  } catch (error) {
    const reason =
      error instanceof TooDeep ? error.message : `the log record is damaged: ${damageOf(error)}`;
    return { fields, shared, damage: damage ?? reason, body };
  }
  return { fields: { ...fields, attributes }, shared, damage, body };
}

function readField(
  reader: Reader,
  tag: number,
  fields: Record<string, unknown>,
  attributes: JsonObject[],
): boolean {
  if (tag === 0x32) attributes.push(readPair(reader, 0));
  else if (tag === 0x2a) fields.body = readValue(reader, 0);
  else if (tag === 0x09) fields.timeUnixNano = readFixed64(reader);
  else if (tag === 0x59) fields.observedTimeUnixNano = readFixed64(reader);
  else if (tag === 0x4a) fields.traceId = readHex(reader);
  else if (tag === 0x52) fields.spanId = readHex(reader);
  else if (tag === 0x62) fields.eventName = readString(reader);
  else if (tag === 0x38) fields.droppedAttributesCount = reader.uint32();
  else if (tag === 0x10) reader.skip();
  else if (tag === 0x1a) reader.skip(reader.size());
  else if (tag === 0x45) reader.skip(4);
  else return false;
  return true;
}

/** `depth`: lists that enclose the pair. @throws TooDeep, Error for damaged bytes */
function readPair(reader: Reader, depth: number): JsonObject {
  const pair: { key: string; value?: JsonObject } = { key: '' };
  inMessage(reader, () =>
    eachField(reader, pairFields, (tag) => {
      if (tag === 0x0a) pair.key = readString(reader);
      else if (tag === 0x12) pair.value = readValue(reader, depth);
      else return false;
      return true;
    }),
  );
  return pair;
}

function readValue(reader: Reader, depth: number): JsonObject {
  let value: JsonObject = {};
  inMessage(reader, () =>
    eachField(reader, valueFields, (tag) => {
      if (tag === 0x0a) value = { stringValue: readString(reader) };
      else if (tag === 0x10) value = { boolValue: reader.bool() };
      else if (tag === 0x18) value = { intValue: readInt64(reader) };
      else if (tag === 0x21) value = { doubleValue: doubleText(reader.double()) };
      else if (tag === 0x2a)
        value = { arrayValue: { values: readItems(reader, depth, readValue) } };
      else if (tag === 0x32)
        value = { kvlistValue: { values: readItems(reader, depth, readPair) } };
      else if (tag === 0x3a) value = { bytesValue: readBase64(reader) };
      else return false;
      return true;
    }),
  );
  return value;
}

function readItems(
  reader: Reader,
  depth: number,
  read: (reader: Reader, depth: number) => JsonObject,
): JsonObject[] {
  if (depth + 1 > intakeLimits.depth) throw new TooDeep();
  const items: JsonObject[] = [];
  inMessage(reader, () =>
    eachField(reader, listFields, (tag) => {
      if (tag !== 0x0a) return false;
      items.push(read(reader, depth + 1));
      return true;
    }),
  );
  return items;
}

/** `visit` reads a field's value, or returns false for a field that it does not know. */
function eachField(reader: Reader, known: number, visit: (tag: number) => boolean): void {
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (!visit(tag)) skipOther(reader, tag, known);
  }
}

/** On an error the reader is left at the end of the message, so that its neighbours can be read. */
function inMessage(reader: Reader, read: () => unknown): void {
  const outer = enter(reader);
  const end = reader.len;
  try {
    read();
  } finally {
    reader.len = end;
    leave(reader, outer);
  }
}

function readRange(reader: Reader): { readonly start: number; readonly end: number } {
  const length = reader.size();
  const start = reader.pos;
  reader.skip(length);
  return { start, end: reader.pos };
}

function readString(reader: Reader): string {
  const { start, end } = readRange(reader);
  return wireText(reader, start, end);
}

function readHex(reader: Reader): string {
  const { start, end } = readRange(reader);
  return hexAt(reader, start, end);
}

function readBase64(reader: Reader): string {
  const { start, end } = readRange(reader);
  return bytesAt(reader, start, end).toString('base64');
}
