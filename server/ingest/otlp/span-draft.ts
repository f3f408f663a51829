/**
 * The common part of decoding a span from JSON and from protobuf. It cleans strings, truncates keys
 * and flags every change and omission.
 */
import { cleanText, intakeLimits } from '../../domain';
import type { AttributeValue, Span, SpanEvent } from '../span';
import { spanKindOf, parentIsRemote, statusCodeOf } from './span-rules';

/** What was changed or dropped while decoding a span or its shared parts. */
export interface DecodeFlags {
  /** Whether U+FFFD in the input replaces invalid UTF-8. */
  readonly utf8Replaced: boolean;
  cleaned: boolean;
  invalidUtf8: boolean;
  dropped: boolean;
  truncated: boolean;
}

export function createDecodeFlags(utf8Replaced: boolean): DecodeFlags {
  return { utf8Replaced, cleaned: false, invalidUtf8: false, dropped: false, truncated: false };
}

/** The flags of a stored span: those of its own strings and of its resource and scope. */
function flagsOf(ofSpan: DecodeFlags, shared: readonly DecodeFlags[]): string[] {
  const all = [ofSpan, ...shared];
  const flags: string[] = [];
  if (all.some(({ cleaned }) => cleaned)) flags.push('cleaned');
  if (all.some(({ invalidUtf8 }) => invalidUtf8)) flags.push('invalid_utf8');
  if (all.some(({ dropped }) => dropped)) flags.push('dropped');
  if (all.some(({ truncated }) => truncated)) flags.push('cut');
  return flags;
}

export function cleanString(text: string, decodeFlags: DecodeFlags): string {
  const clean = cleanText(text);
  if (clean.changed) decodeFlags.cleaned = true;
  if (decodeFlags.utf8Replaced && clean.text.includes('\ufffd')) decodeFlags.invalidUtf8 = true;
  return clean.text;
}

/** Truncates a key to `intakeLimits.keyBytes` bytes of UTF-8, between code points. */
export function truncateKey(key: string, decodeFlags: DecodeFlags): string {
  if (key.length * 3 <= intakeLimits.keyBytes) return key;
  const bytes = Buffer.from(key);
  if (bytes.length <= intakeLimits.keyBytes) return key;
  decodeFlags.truncated = true;
  let end: number = intakeLimits.keyBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

export type AttributeMap = Map<string, AttributeValue>;

/** Attributes while they are read. */
export interface AttributeBuffer {
  readonly pairs: AttributeMap;
  /** The number of attributes sent, including those over the limit. */
  count: number;
}

export function createAttributeBuffer(): AttributeBuffer {
  return { pairs: new Map(), count: 0 };
}

/** Returns by how much `count` exceeds `limit`. Sets `dropped` if it does. */
export function countExcess(count: number, limit: number, decodeFlags: DecodeFlags): number {
  if (count <= limit) return 0;
  decodeFlags.dropped = true;
  return count - limit;
}

/** The parts that all spans of one resource and scope share. */
export interface SharedSpanParts {
  readonly resource: AttributeMap;
  readonly scope: Span['scope'];
  readonly decodeFlags: readonly DecodeFlags[];
}

/** The fields of a span while they are read, in any order. */
export interface SpanDraft {
  traceId: string;
  spanId: string;
  /** '' if there is none. */
  parentSpanId: string;
  /** The field `flags` of OTLP. */
  flags: number;
  name: string;
  kind: number;
  startNs: string;
  endNs: string;
  statusCode: number;
  statusMessage: string;
  readonly attributes: AttributeBuffer;
  readonly events: SpanEvent[];
  /** The number of events sent, including those over the limit. */
  eventCount: number;
  linkCount: number;
  /** The client's own counts of dropped items; for attributes, including those of the events. */
  readonly dropped: { attributes: number; events: number; links: number };
  readonly decodeFlags: DecodeFlags;
}

export function createSpanDraft(utf8Replaced: boolean): SpanDraft {
  return {
    traceId: '',
    spanId: '',
    parentSpanId: '',
    flags: 0,
    name: '',
    kind: 0,
    startNs: '0',
    endNs: '0',
    statusCode: 0,
    statusMessage: '',
    attributes: createAttributeBuffer(),
    events: [],
    eventCount: 0,
    linkCount: 0,
    dropped: { attributes: 0, events: 0, links: 0 },
    decodeFlags: createDecodeFlags(utf8Replaced),
  };
}

export function finishSpan(draft: SpanDraft, shared: SharedSpanParts): Span {
  const { decodeFlags, dropped } = draft;
  const excess = {
    attributes: countExcess(draft.attributes.count, intakeLimits.attributesPerSpan, decodeFlags),
    events: countExcess(draft.eventCount, intakeLimits.eventsPerSpan, decodeFlags),
    links: countExcess(draft.linkCount, intakeLimits.linksPerSpan, decodeFlags),
  };
  return {
    traceId: draft.traceId,
    spanId: draft.spanId,
    parentSpanId: draft.parentSpanId === '' ? null : draft.parentSpanId,
    parentIsRemote: parentIsRemote(draft.flags),
    name: draft.name,
    kind: spanKindOf(draft.kind),
    startNs: draft.startNs,
    endNs: draft.endNs,
    status: { code: statusCodeOf(draft.statusCode), message: draft.statusMessage },
    attributes: draft.attributes.pairs,
    events: draft.events,
    links: draft.linkCount - excess.links,
    dropped: {
      attributes: dropped.attributes + excess.attributes,
      events: dropped.events + excess.events,
      links: dropped.links + excess.links,
    },
    scope: shared.scope,
    resource: shared.resource,
    flags: flagsOf(decodeFlags, shared.decodeFlags),
  };
}

/**
 * The shortest digits of a double, as in JSON. NaN and the infinities are words, and -0 keeps its
 * sign.
 */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
