import { intakeLimits } from '../../domain';
import { invalid } from '../../platform';
import type { Span } from '../span';
import {
  eventFields,
  groupFields,
  listFields,
  resourceFields,
  scopeFields,
  spanFields,
  statusFields,
} from './proto-fields';
import { addPair, readText } from './proto-values';
import { parentAt, idAt } from './read-proto';
import {
  createDecodeFlags,
  createAttributeBuffer,
  createSpanDraft,
  finishSpan,
  type DecodeFlags,
  countExcess,
  type AttributeMap,
  type SharedSpanParts,
  type SpanDraft,
} from './span-draft';
import { TooDeep } from './span-rules';
import {
  damageOf,
  enter,
  hexAt,
  leave,
  type Reader,
  readerOf,
  readFixed64,
  skipOther,
} from './wire';

/**
 * The spans of OTLP/protobuf bytes; those that `readProto` rejects are omitted.
 * @throws AssayError invalid_request for bytes that are not an export request
 */
export function decodeProto(body: Buffer): Span[] {
  const spans: Span[] = [];
  const reader = readerOf(body);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      if (tag === 0x0a) readResourceSpans(reader, spans);
      else skipOther(reader, tag, listFields);
    }
  } catch (error) {
    throw invalid(`the body is not an ExportTraceServiceRequest in protobuf: ${damageOf(error)}`);
  }
  return spans;
}

/** The resource is read before the spans, regardless of its position. */
function readResourceSpans(reader: Reader, spans: Span[]): void {
  const outer = enter(reader);
  const start = reader.pos;
  const decodeFlags = createDecodeFlags(false);
  let resource: AttributeMap | null = new Map();
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) resource = readResource(reader, decodeFlags);
    else skipOther(reader, tag, 0);
  }
  reader.pos = start;
  while (resource !== null && reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x12) readScopeSpans(reader, resource, decodeFlags, spans);
    else if (tag === 0x0a || tag === 0x1a) reader.skip(reader.size());
    else skipOther(reader, tag, groupFields);
  }
  leave(reader, outer);
}

/** Null when it nests too deep: none of its spans was accepted. */
function readResource(reader: Reader, decodeFlags: DecodeFlags): AttributeMap | null {
  const outer = enter(reader);
  const end = reader.len;
  const list = createAttributeBuffer();
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      if (tag === 0x0a) addPair(reader, list, decodeFlags, intakeLimits.attributesPerSpan, 0);
      else if (tag === 0x10) reader.skip();
      else skipOther(reader, tag, resourceFields);
    }
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    reader.len = end;
    leave(reader, outer);
    return null;
  }
  countExcess(list.count, intakeLimits.attributesPerSpan, decodeFlags);
  leave(reader, outer);
  return list.pairs;
}

function readScopeSpans(
  reader: Reader,
  resource: AttributeMap,
  ofResource: DecodeFlags,
  spans: Span[],
): void {
  const outer = enter(reader);
  const start = reader.pos;
  const decodeFlags = createDecodeFlags(false);
  let scope = { name: '', version: '' };
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) scope = readScope(reader, decodeFlags);
    else skipOther(reader, tag, 0);
  }
  const shared = { resource, scope, decodeFlags: [ofResource, decodeFlags] };
  reader.pos = start;
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x12) addSpan(reader, shared, spans);
    else if (tag === 0x0a || tag === 0x1a) reader.skip(reader.size());
    else skipOther(reader, tag, groupFields);
  }
  leave(reader, outer);
}

function readScope(reader: Reader, decodeFlags: DecodeFlags): Span['scope'] {
  const outer = enter(reader);
  let name = '';
  let version = '';
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) name = readText(reader, decodeFlags);
    else if (tag === 0x12) version = readText(reader, decodeFlags);
    else if (tag === 0x1a) reader.skip(reader.size());
    else if (tag === 0x20) reader.skip();
    else skipOther(reader, tag, scopeFields);
  }
  leave(reader, outer);
  return { name, version };
}

function addSpan(reader: Reader, shared: SharedSpanParts, spans: Span[]): void {
  const outer = enter(reader);
  const end = reader.len;
  const draft = createSpanDraft(false);
  try {
    while (reader.pos < reader.len) readField(reader, reader.tag(), draft);
    if (draft.traceId !== '' && draft.spanId !== '') spans.push(finishSpan(draft, shared));
  } catch (error) {
    // A damaged span was rejected on arrival: `readProto` has reported the reason to the client.
    damageOf(error);
  }
  reader.len = end;
  leave(reader, outer);
}

function readField(reader: Reader, tag: number, draft: SpanDraft): void {
  switch (tag) {
    case 0x4a:
      addPair(reader, draft.attributes, draft.decodeFlags, intakeLimits.attributesPerSpan, 0);
      break;
    case 0x5a:
      addEvent(reader, draft);
      break;
    case 0x6a:
      reader.skip(reader.size());
      draft.linkCount++;
      break;
    case 0x0a:
      draft.traceId = readId(reader, 16);
      break;
    case 0x12:
      draft.spanId = readId(reader, 8);
      break;
    case 0x1a:
      reader.skip(reader.size());
      break;
    case 0x22:
      draft.parentSpanId = readParent(reader);
      break;
    case 0x2a:
      draft.name = readText(reader, draft.decodeFlags);
      break;
    case 0x39:
      draft.startNs = readFixed64(reader);
      break;
    case 0x41:
      draft.endNs = readFixed64(reader);
      break;
    case 0x7a:
      readStatus(reader, draft);
      break;
    case 0x85:
      draft.flags = reader.fixed32();
      break;
    default:
      readCount(reader, tag, draft);
  }
}

function readCount(reader: Reader, tag: number, draft: SpanDraft): void {
  if (tag === 0x30) draft.kind = reader.int32();
  else if (tag === 0x50) draft.dropped.attributes += reader.uint32();
  else if (tag === 0x60) draft.dropped.events = reader.uint32();
  else if (tag === 0x70) draft.dropped.links = reader.uint32();
  else skipOther(reader, tag, spanFields);
}

/** Empty when the id is invalid. */
function readId(reader: Reader, bytes: number): string {
  const start = idAt(reader, bytes);
  return start === -1 ? '' : hexAt(reader, start, start + bytes);
}

function readParent(reader: Reader): string {
  const start = parentAt(reader);
  if (start === null) throw new Error('no parent id');
  return start === -1 ? '' : hexAt(reader, start, start + 8);
}

function readStatus(reader: Reader, draft: SpanDraft): void {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x12) draft.statusMessage = readText(reader, draft.decodeFlags);
    else if (tag === 0x18) draft.statusCode = reader.int32();
    else skipOther(reader, tag, statusFields);
  }
  leave(reader, outer);
}

function addEvent(reader: Reader, draft: SpanDraft): void {
  const outer = enter(reader);
  if (draft.eventCount++ >= intakeLimits.eventsPerSpan) {
    leave(reader, outer);
    return;
  }
  const { decodeFlags } = draft;
  const list = createAttributeBuffer();
  let name = '';
  let timeNs = '0';
  let dropped = 0;
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x09) timeNs = readFixed64(reader);
    else if (tag === 0x12) name = readText(reader, decodeFlags);
    else if (tag === 0x1a) addPair(reader, list, decodeFlags, intakeLimits.attributesPerSpan, 0);
    else if (tag === 0x20) dropped = reader.uint32();
    else skipOther(reader, tag, eventFields);
  }
  leave(reader, outer);
  draft.dropped.attributes +=
    dropped + countExcess(list.count, intakeLimits.attributesPerSpan, decodeFlags);
  draft.events.push({ name, timeNs, attributes: list.pairs });
}
