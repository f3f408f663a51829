import { intakeLimits } from '../../domain';
import type { AttributeValue, Span } from '../span';
import { quoteLostNumbers } from './json-digits';
import { isJsonObject, type JsonObject, resourceFault, scopeFault, spanFault } from './json-rules';
import { listIn, objectsOf, parseExport } from './read-json';
import {
  truncateKey,
  cleanString,
  createDecodeFlags,
  createAttributeBuffer,
  createSpanDraft,
  doubleText,
  finishSpan,
  type DecodeFlags,
  countExcess,
  type AttributeBuffer,
  type AttributeMap,
  type SharedSpanParts,
  type SpanDraft,
} from './span-draft';
import { parentIdOf, spanIdOf, traceIdOf } from './span-rules';

/**
 * Decodes the spans of OTLP/JSON text.
 * @param utf8Replaced whether U+FFFD in the text replaces invalid UTF-8
 * @throws AssayError invalid_request for text that is not an export request
 */
export function decodeJson(text: string, utf8Replaced: boolean): Span[] {
  const spans: Span[] = [];
  for (const group of objectsOf(parseExport(quoteLostNumbers(text)), 'resourceSpans')) {
    if (resourceFault(group.resource) !== null) continue;
    const ofResource = createDecodeFlags(utf8Replaced);
    const resource = createAttributeBuffer();
    if (isJsonObject(group.resource))
      addPairs(group.resource.attributes, resource, ofResource, intakeLimits.attributesPerSpan);
    countExcess(resource.count, intakeLimits.attributesPerSpan, ofResource);
    for (const member of objectsOf(group, 'scopeSpans')) {
      if (scopeFault(member.scope) !== null) continue;
      const ofScope = createDecodeFlags(utf8Replaced);
      const scope = isJsonObject(member.scope)
        ? {
            name: readText(member.scope.name, ofScope),
            version: readText(member.scope.version, ofScope),
          }
        : { name: '', version: '' };
      const shared = { resource: resource.pairs, scope, decodeFlags: [ofResource, ofScope] };
      for (const span of listIn(member, 'spans')) {
        if (isJsonObject(span) && spanFault(span) === null)
          spans.push(readSpan(span, shared, utf8Replaced));
      }
    }
  }
  return spans;
}

function readSpan(span: JsonObject, shared: SharedSpanParts, utf8Replaced: boolean): Span {
  const draft = createSpanDraft(utf8Replaced);
  const { decodeFlags, dropped } = draft;
  draft.traceId = traceIdOf(span.traceId) ?? '';
  draft.spanId = spanIdOf(span.spanId) ?? '';
  draft.parentSpanId = parentIdOf(span.parentSpanId) ?? '';
  draft.flags = readNumber(span.flags);
  draft.name = readText(span.name, decodeFlags);
  draft.kind = readNumber(span.kind);
  draft.startNs = readInteger(span.startTimeUnixNano);
  draft.endNs = readInteger(span.endTimeUnixNano);
  if (isJsonObject(span.status)) {
    draft.statusCode = readNumber(span.status.code);
    draft.statusMessage = readText(span.status.message, decodeFlags);
  }
  addPairs(span.attributes, draft.attributes, decodeFlags, intakeLimits.attributesPerSpan);
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
  const { decodeFlags } = draft;
  const list = createAttributeBuffer();
  addPairs(event.attributes, list, decodeFlags, intakeLimits.attributesPerSpan);
  draft.dropped.attributes +=
    readNumber(event.droppedAttributesCount) +
    countExcess(list.count, intakeLimits.attributesPerSpan, decodeFlags);
  draft.events.push({
    name: readText(event.name, decodeFlags),
    timeNs: readInteger(event.timeUnixNano),
    attributes: list.pairs,
  });
}

function itemsOf(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list : [];
}

function addPairs(
  list: unknown,
  into: AttributeBuffer,
  decodeFlags: DecodeFlags,
  limit: number,
): void {
  const items = itemsOf(list);
  const taken = Math.min(items.length, limit);
  into.count = items.length;
  for (let i = 0; i < taken; i++) {
    const item = items[i];
    if (isJsonObject(item))
      into.pairs.set(
        truncateKey(readText(item.key, decodeFlags), decodeFlags),
        readValue(item.value, decodeFlags),
      );
  }
}

function readList(member: unknown, decodeFlags: DecodeFlags): AttributeMap {
  const list = createAttributeBuffer();
  addPairs(valuesOf(member), list, decodeFlags, Infinity);
  return list.pairs;
}

/** `spanFault` and `resourceFault` have bounded the depth. */
function readValue(value: unknown, decodeFlags: DecodeFlags): AttributeValue {
  if (!isJsonObject(value)) return null;
  let read: AttributeValue = null;
  for (const name in value) {
    const member = value[name];
    if (member === null) continue;
    if (name === 'stringValue') read = readText(member, decodeFlags);
    else if (name === 'boolValue') read = member === true;
    else if (name === 'intValue') read = { raw: readInteger(member) };
    else if (name === 'doubleValue')
      read = { raw: typeof member === 'number' ? doubleText(member) : stringOf(member) };
    else if (name === 'bytesValue')
      read = { bytes: Buffer.from(stringOf(member), 'base64').toString('base64') };
    else if (name === 'arrayValue')
      read = itemsOf(valuesOf(member)).map((item) => readValue(item, decodeFlags));
    else if (name === 'kvlistValue') read = readList(member, decodeFlags);
  }
  return read;
}

function valuesOf(member: unknown): unknown {
  return isJsonObject(member) ? member.values : null;
}

function readText(value: unknown, decodeFlags: DecodeFlags): string {
  return typeof value === 'string' ? cleanString(value, decodeFlags) : '';
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
