import { intakeLimits } from '../../domain';
import type { AttributeValue, Span } from '../span';
import { quoteLostNumbers } from './json-digits';
import { isJsonObject, type JsonObject, resourceFault, scopeFault, spanFault } from './json-rules';
import { listIn, objectsOf, parseExport } from './read-json';
import {
  cappedKey,
  cleaned,
  createNotes,
  createPairs,
  createSpanDraft,
  doubleText,
  finishSpan,
  type Notes,
  overLimit,
  type PairList,
  type Pairs,
  type Shared,
  type SpanDraft,
} from './span-draft';
import { parentIdOf, spanIdOf, traceIdOf } from './span-rules';

/**
 * The spans of OTLP/JSON text. `replaced`: U+FFFD in it replaces invalid UTF-8.
 * @throws AssayError invalid_request for text that is not an export request
 */
export function decodeJson(text: string, replaced: boolean): Span[] {
  const spans: Span[] = [];
  for (const group of objectsOf(parseExport(quoteLostNumbers(text)), 'resourceSpans')) {
    if (resourceFault(group.resource) !== null) continue;
    const ofResource = createNotes(replaced);
    const resource = createPairs();
    if (isJsonObject(group.resource))
      addPairs(group.resource.attributes, resource, ofResource, intakeLimits.attributesPerSpan);
    overLimit(resource.count, intakeLimits.attributesPerSpan, ofResource);
    for (const member of objectsOf(group, 'scopeSpans')) {
      if (scopeFault(member.scope) !== null) continue;
      const ofScope = createNotes(replaced);
      const scope = isJsonObject(member.scope)
        ? {
            name: readText(member.scope.name, ofScope),
            version: readText(member.scope.version, ofScope),
          }
        : { name: '', version: '' };
      const shared = { resource: resource.pairs, scope, notes: [ofResource, ofScope] };
      for (const span of listIn(member, 'spans')) {
        if (isJsonObject(span) && spanFault(span) === null)
          spans.push(readSpan(span, shared, replaced));
      }
    }
  }
  return spans;
}

function readSpan(span: JsonObject, shared: Shared, replaced: boolean): Span {
  const draft = createSpanDraft(replaced);
  const { notes, dropped } = draft;
  draft.traceId = traceIdOf(span.traceId) ?? '';
  draft.spanId = spanIdOf(span.spanId) ?? '';
  draft.parentSpanId = parentIdOf(span.parentSpanId) ?? '';
  draft.flags = readNumber(span.flags);
  draft.name = readText(span.name, notes);
  draft.kind = readNumber(span.kind);
  draft.startNs = readInteger(span.startTimeUnixNano);
  draft.endNs = readInteger(span.endTimeUnixNano);
  if (isJsonObject(span.status)) {
    draft.statusCode = readNumber(span.status.code);
    draft.statusMessage = readText(span.status.message, notes);
  }
  addPairs(span.attributes, draft.attributes, notes, intakeLimits.attributesPerSpan);
  dropped.attributes = readNumber(span.droppedAttributesCount);
  dropped.events = readNumber(span.droppedEventsCount);
  dropped.links = readNumber(span.droppedLinksCount);
  draft.linkCount = itemsOf(span.links).length;
  for (const event of itemsOf(span.events)) {
    if (draft.eventCount++ < intakeLimits.eventsPerSpan && isJsonObject(event))
      addEvent(event, draft);
  }
  return finishSpan(draft, shared);
}

function addEvent(event: JsonObject, draft: SpanDraft): void {
  const { notes } = draft;
  const list = createPairs();
  addPairs(event.attributes, list, notes, intakeLimits.attributesPerSpan);
  draft.dropped.attributes +=
    readNumber(event.droppedAttributesCount) +
    overLimit(list.count, intakeLimits.attributesPerSpan, notes);
  draft.events.push({
    name: readText(event.name, notes),
    timeNs: readInteger(event.timeUnixNano),
    attributes: list.pairs,
  });
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function addPairs(list: unknown, into: PairList, notes: Notes, limit: number): void {
  const items = itemsOf(list);
  const taken = Math.min(items.length, limit);
  into.count = items.length;
  for (let i = 0; i < taken; i++) {
    const item = items[i];
    if (isJsonObject(item))
      into.pairs.set(cappedKey(readText(item.key, notes), notes), readValue(item.value, notes));
  }
}

function readList(member: unknown, notes: Notes): Pairs {
  const list = createPairs();
  addPairs(valuesOf(member), list, notes, Infinity);
  return list.pairs;
}

/** `spanFault` and `resourceFault` have bounded the depth. */
function readValue(value: unknown, notes: Notes): AttributeValue {
  if (!isJsonObject(value)) return null;
  let read: AttributeValue = null;
  for (const name in value) {
    const member = value[name];
    if (member === null) continue;
    if (name === 'stringValue') read = readText(member, notes);
    else if (name === 'boolValue') read = member === true;
    else if (name === 'intValue') read = { raw: readInteger(member) };
    else if (name === 'doubleValue')
      read = { raw: typeof member === 'number' ? doubleText(member) : stringOf(member) };
    else if (name === 'bytesValue')
      read = { bytes: Buffer.from(stringOf(member), 'base64').toString('base64') };
    else if (name === 'arrayValue')
      read = itemsOf(valuesOf(member)).map((item) => readValue(item, notes));
    else if (name === 'kvlistValue') read = readList(member, notes);
  }
  return read;
}

function valuesOf(member: unknown): unknown {
  return isJsonObject(member) ? member.values : null;
}

function readText(value: unknown, notes: Notes): string {
  return typeof value === 'string' ? cleaned(value, notes) : '';
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readNumber(value: unknown): number {
  // Adding zero turns -0 into 0, as in protobuf.
  return value === undefined || value === null ? 0 : Number(value) + 0;
}

const canonicalInteger = /^(?:0|-?[1-9]\d*)$/;

/** Decimal digits of a 64-bit integer, for which String() has no exponents; "0" where missing. */
function readInteger(value: unknown): string {
  if (value === undefined || value === null) return '0';
  const digits = typeof value === 'number' ? String(value) : stringOf(value);
  return canonicalInteger.test(digits) ? digits : BigInt(digits).toString();
}
