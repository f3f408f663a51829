/**
 * The common part of decoding a span from either encoding: cleans strings, caps keys and notes
 * every change or omission.
 */
import { cleanText, intakeLimits } from '../../domain';
import type { AttributeValue, Span, SpanEvent } from '../span';
import { spanKindOf, parentIsRemote, statusCodeOf } from './span-rules';

/** Flags that a reader must know about a span, or about its shared parts. */
export interface Notes {
  /** U+FFFD in its strings replaces invalid UTF-8. */
  readonly replaced: boolean;
  cleaned: boolean;
  invalidUtf8: boolean;
  dropped: boolean;
  cut: boolean;
}

export function createNotes(replaced: boolean): Notes {
  return { replaced, cleaned: false, invalidUtf8: false, dropped: false, cut: false };
}

function flagsOf(spanNotes: Notes, shared: readonly Notes[]): string[] {
  const all = [spanNotes, ...shared];
  const flags: string[] = [];
  if (all.some((notes) => notes.cleaned)) flags.push('cleaned');
  if (all.some((notes) => notes.invalidUtf8)) flags.push('invalid_utf8');
  if (all.some((notes) => notes.dropped)) flags.push('dropped');
  if (all.some((notes) => notes.cut)) flags.push('cut');
  return flags;
}

export function cleaned(text: string, notes: Notes): string {
  const clean = cleanText(text);
  if (clean.changed) notes.cleaned = true;
  if (notes.replaced && clean.text.includes('\ufffd')) notes.invalidUtf8 = true;
  return clean.text;
}

/** A key of at most `intakeLimits.keyBytes` bytes in UTF-8, truncated between code points. */
export function cappedKey(key: string, notes: Notes): string {
  if (key.length * 3 <= intakeLimits.keyBytes) return key;
  const bytes = Buffer.from(key);
  if (bytes.length <= intakeLimits.keyBytes) return key;
  notes.cut = true;
  let end: number = intakeLimits.keyBytes;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

export type Pairs = Map<string, AttributeValue>;

/**
 * Attributes while they are read: `count` is how many were sent, including those over the limit.
 */
export interface PairList {
  readonly pairs: Pairs;
  count: number;
}

export function createPairs(): PairList {
  return { pairs: new Map(), count: 0 };
}

/** Returns by how much `count` exceeds `limit`, and notes that items were dropped. */
export function overLimit(count: number, limit: number, notes: Notes): number {
  if (count <= limit) return 0;
  notes.dropped = true;
  return count - limit;
}

/** The shared parts of all spans of one resource and scope. */
export interface Shared {
  readonly resource: Pairs;
  readonly scope: Span['scope'];
  readonly notes: readonly Notes[];
}

/** The fields of a span while they are read, in any order. */
export interface SpanDraft {
  traceId: string;
  spanId: string;
  /** '' for none. */
  parentSpanId: string;
  flags: number;
  name: string;
  kind: number;
  startNs: string;
  endNs: string;
  statusCode: number;
  statusMessage: string;
  readonly attributes: PairList;
  readonly events: SpanEvent[];
  /** How many were sent, including those over the limit. */
  eventCount: number;
  linkCount: number;
  /** The client's own counts of dropped items; for attributes, including those of the events. */
  readonly dropped: { attributes: number; events: number; links: number };
  readonly notes: Notes;
}

export function createSpanDraft(replaced: boolean): SpanDraft {
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
    attributes: createPairs(),
    events: [],
    eventCount: 0,
    linkCount: 0,
    dropped: { attributes: 0, events: 0, links: 0 },
    notes: createNotes(replaced),
  };
}

export function finishSpan(draft: SpanDraft, shared: Shared): Span {
  const { notes, dropped } = draft;
  const over = {
    attributes: overLimit(draft.attributes.count, intakeLimits.attributesPerSpan, notes),
    events: overLimit(draft.eventCount, intakeLimits.eventsPerSpan, notes),
    links: overLimit(draft.linkCount, intakeLimits.linksPerSpan, notes),
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
    links: draft.linkCount - over.links,
    dropped: {
      attributes: dropped.attributes + over.attributes,
      events: dropped.events + over.events,
      links: dropped.links + over.links,
    },
    scope: shared.scope,
    resource: shared.resource,
    flags: flagsOf(notes, shared.notes),
  };
}

/**
 * The shortest digits of a double, as in JSON; NaN and the infinities as words; -0 keeps its sign.
 */
export function doubleText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
