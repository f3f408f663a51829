/**
 * First pass over OTLP/protobuf (opentelemetry/proto/trace/v1/trace.proto, common/v1/common.proto,
 * resource/v1/resource.proto). Only ids, flags and the shape of attributes are read; everything
 * else is skipped by its length. Damage inside a span of valid length rejects that span; any other
 * damage rejects the body.
 */
import { intakeLimits } from '../../domain';
import { AssayError, invalid } from '../../platform';
import {
  eventFields,
  groupFields,
  listFields,
  pairFields,
  resourceFields,
  scopeFields,
  spanFields,
  statusFields,
  valueFields,
} from './proto-fields';
import { faults, parentIsRemote, TooDeep } from './span-rules';
import { countFault, countSpan, createSpanTally, type Tally } from './tally';
import { damageOf, enter, hexAt, leave, type Reader, readerOf, skipOther } from './wire';

/**
 * @throws AssayError invalid_request (the body as a whole), too_large
 */
export function readProto(body: Buffer): Tally {
  const tally = createSpanTally();
  const reader = readerOf(body);
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      if (tag === 0x0a) readResourceSpans(reader, tally);
      else skipOther(reader, tag, listFields);
    }
  } catch (error) {
    if (error instanceof AssayError) throw error;
    throw invalid(`the body is not an ExportTraceServiceRequest in protobuf: ${damageOf(error)}`);
  }
  return tally;
}

/** The resource is read before the spans, regardless of its position. */
function readResourceSpans(reader: Reader, tally: Tally): void {
  const outer = enter(reader);
  const start = reader.pos;
  let fault: string | null = null;
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) fault = checkResource(reader) ?? fault;
    else if (tag === 0x12 || tag === 0x1a) reader.skip(reader.size());
    else skipOther(reader, tag, groupFields);
  }
  reader.pos = start;
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x12) readScopeSpans(reader, tally, fault);
    else skipOther(reader, tag, 0);
  }
  leave(reader, outer);
}

function readScopeSpans(reader: Reader, tally: Tally, fault: string | null): void {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x12) readSpan(reader, tally, fault);
    else if (tag === 0x0a) checkScope(reader);
    else if (tag === 0x1a) reader.skip(reader.size());
    else skipOther(reader, tag, groupFields);
  }
  leave(reader, outer);
}

function checkResource(reader: Reader): string | null {
  const outer = enter(reader);
  const end = reader.len;
  try {
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      if (tag === 0x0a) checkPair(reader, 0);
      else if (tag === 0x10) reader.skip();
      else skipOther(reader, tag, resourceFields);
    }
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    reader.len = end;
    leave(reader, outer);
    return `resource: ${error.message}`;
  }
  leave(reader, outer);
  return null;
}

function checkScope(reader: Reader): void {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a || tag === 0x12 || tag === 0x1a) reader.skip(reader.size());
    else if (tag === 0x20) reader.skip();
    else skipOther(reader, tag, scopeFields);
  }
  leave(reader, outer);
}

function readSpan(reader: Reader, tally: Tally, shared: string | null): void {
  const outer = enter(reader);
  const end = reader.len;
  let fault = shared;
  try {
    const marks = readMarks(reader);
    fault ??= marks.fault;
    if (fault === null) countSpan(tally, marks.traceId, marks.isRoot);
  } catch (error) {
    if (error instanceof AssayError) throw error;
    fault ??= error instanceof TooDeep ? error.message : `the span is damaged: ${damageOf(error)}`;
  }
  if (fault !== null) countFault(tally, fault);
  reader.len = end;
  leave(reader, outer);
}

interface Marks {
  readonly fault: string | null;
  readonly traceId: string;
  readonly isRoot: boolean;
}

/** Reads one span to its end. @throws Error when it is damaged, TooDeep */
function readMarks(reader: Reader): Marks {
  let trace = -1;
  let span = -1;
  let parent: number | null = -1;
  let flags = 0;
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    switch (tag) {
      case 0x0a:
        trace = idAt(reader, 16);
        break;
      case 0x12:
        span = idAt(reader, 8);
        break;
      case 0x22:
        parent = parentAt(reader);
        break;
      case 0x4a:
        checkPair(reader, 0);
        break;
      case 0x5a:
        checkEvent(reader);
        break;
      case 0x7a:
        checkStatus(reader);
        break;
      case 0x85:
        flags = reader.fixed32();
        break;
      default:
        skipPlain(reader, tag);
    }
  }
  const fault =
    trace === -1
      ? faults.traceId
      : span === -1
        ? faults.spanId
        : parent === null
          ? faults.parentSpanId
          : null;
  return {
    fault,
    traceId: trace === -1 ? '' : hexAt(reader, trace, trace + 16),
    isRoot: parent === -1 || parentIsRemote(flags),
  };
}

/** Skips fields of a span that need no check: trace_state, name, links; kind and counts; times. */
function skipPlain(reader: Reader, tag: number): void {
  if (tag === 0x1a || tag === 0x2a || tag === 0x6a) reader.skip(reader.size());
  else if (tag === 0x30 || tag === 0x50 || tag === 0x60 || tag === 0x70) reader.skip();
  else if (tag === 0x39 || tag === 0x41) reader.skip(8);
  else skipOther(reader, tag, spanFields);
}

/** Reads an id. Returns the offset of its bytes; -1 when it has another length or is all zero. */
export function idAt(reader: Reader, bytes: number): number {
  const length = reader.size();
  const start = reader.pos;
  reader.skip(length);
  if (length !== bytes) return -1;
  for (let i = 0; i < bytes; i++) if (reader.buf[start + i] !== 0) return start;
  return -1;
}

/**
 * The offset of the parent's id; -1 for no parent (no bytes, or all zero); null when it is not an
 * id.
 */
export function parentAt(reader: Reader): number | null {
  const before = reader.pos;
  const length = reader.size();
  reader.pos = before;
  const start = idAt(reader, 8);
  return start !== -1 || length === 0 || length === 8 ? start : null;
}

function checkEvent(reader: Reader): void {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x09) reader.skip(8);
    else if (tag === 0x12) reader.skip(reader.size());
    else if (tag === 0x1a) checkPair(reader, 0);
    else if (tag === 0x20) reader.skip();
    else skipOther(reader, tag, eventFields);
  }
  leave(reader, outer);
}

function checkStatus(reader: Reader): void {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x12) reader.skip(reader.size());
    else if (tag === 0x18) reader.skip();
    else skipOther(reader, tag, statusFields);
  }
  leave(reader, outer);
}

/** `depth`: lists that enclose the pair. */
function checkPair(reader: Reader, depth: number): void {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a) reader.skip(reader.size());
    else if (tag === 0x12) checkValue(reader, depth);
    else skipOther(reader, tag, pairFields);
  }
  leave(reader, outer);
}

function checkValue(reader: Reader, depth: number): void {
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag === 0x0a || tag === 0x3a) reader.skip(reader.size());
    else if (tag === 0x10 || tag === 0x18) reader.skip();
    else if (tag === 0x21) reader.skip(8);
    else if (tag === 0x2a || tag === 0x32) checkList(reader, tag === 0x32, depth + 1);
    else skipOther(reader, tag, valueFields);
  }
  leave(reader, outer);
}

function checkList(reader: Reader, ofPairs: boolean, depth: number): void {
  if (depth > intakeLimits.depth) throw new TooDeep();
  const outer = enter(reader);
  while (reader.pos < reader.len) {
    const tag = reader.tag();
    if (tag !== 0x0a) skipOther(reader, tag, listFields);
    else if (ofPairs) checkPair(reader, depth);
    else checkValue(reader, depth);
  }
  leave(reader, outer);
}
