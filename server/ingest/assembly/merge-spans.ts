/**
 * Merges all contents received under one span id. The result is a function of the *set* of
 * contents: their order of arrival, repeats and distribution over requests do not matter. A
 * merged span keeps all the contents it was merged from, so that merging again with more equals
 * merging everything at once.
 *
 * Contents are ordered by the time of the update (`updateTimeKey`), end, start, then hash. Field by
 * field and attribute by attribute the last non-empty value wins; events are the union.
 *
 * Log records arrive as contents with events only (`isFromLogs`). They have the lowest precedence
 * and never conflict; their events are added to those of the span.
 */
import { sha256 } from '../../platform';
import {
  type Attributes,
  type AttributeValue,
  isFromLogs,
  logsAttribute,
  type Span,
  type SpanEvent,
} from '../span';
import { attributeText } from '../conventions/read-attribute';
import { compareNs, compareText, isTime, updateTimeKey } from '../span-time';

export interface MergedSpan extends Span {
  /**
   * Each distinct content once, in order; the last has precedence. One entry: nothing was merged.
   */
  readonly versions: readonly Span[];
}

const CONFLICT = 'conflict';

/** Spans of one trace, sorted by start and id. `conflict`: some id has more than one content. */
export function mergeSpans(spans: readonly (Span | MergedSpan)[]): {
  readonly spans: readonly MergedSpan[];
  readonly conflict: boolean;
} {
  const byId = new Map<string, Span[]>();
  for (const span of spans) {
    const contents = byId.get(span.spanId);
    const versions = 'versions' in span ? span.versions : [span];
    if (contents === undefined) byId.set(span.spanId, [...versions]);
    else for (const version of versions) contents.push(version);
  }
  const merged = [...byId.values()].map(mergeVersions);
  merged.sort((a, b) => compareNs(a.startNs, b.startNs) || compareText(a.spanId, b.spanId));
  return { spans: merged, conflict: merged.some(({ versions }) => isConflict(versions)) };
}

/** Number of distinct contents of the span itself, without those of log records. */
export function countContents({ versions }: MergedSpan): number {
  return versions.length < 2 ? versions.length : versions.filter((one) => !isFromLogs(one)).length;
}

/** Whether a span was sent with several contents of which not all are updates. */
function isConflict(versions: readonly Span[]): boolean {
  if (versions.length < 2) return false;
  const sent = versions.filter((version) => !isFromLogs(version));
  return sent.length > 1 && !sent.every((version) => updateTime(version) !== '0');
}

/** When a span was updated; "0" for a span that is not an update. */
function updateTime({ attributes }: Span): string {
  const digits = attributeText(attributes, updateTimeKey) ?? '';
  return /^\d{1,20}$/.test(digits) ? digits : '0';
}

interface Version {
  readonly span: Span;
  readonly hash: string;
}

function mergeVersions(spans: readonly Span[]): MergedSpan {
  const [only] = spans;
  if (spans.length === 1 && only !== undefined) return { ...only, versions: [only] };
  const distinct = new Map<string, Version>();
  for (const span of spans) {
    const hash = sha256(canonicalSpan(span));
    if (!distinct.has(hash)) distinct.set(hash, { span, hash });
  }
  const versions = [...distinct.values()]
    .sort(
      (a, b) =>
        compareNs(updateTime(a.span), updateTime(b.span)) ||
        compareNs(a.span.endNs, b.span.endNs) ||
        compareNs(a.span.startNs, b.span.startNs) ||
        compareText(a.hash, b.hash),
    )
    .map(({ span }) => span);
  const [first, ...later] = versions;
  if (first === undefined) throw new Error('a span id without a span');
  if (later.length === 0) return { ...first, versions };
  const logs = versions.filter(isFromLogs);
  const sent = versions.filter((version) => !isFromLogs(version));
  const flags = versions.flatMap((version) => version.flags);
  return {
    ...mergeLogs(sent.length === 0 ? null : mergeContents(sent), logs),
    flags: [...new Set(isConflict(versions) ? [...flags, CONFLICT] : flags)].sort(),
    versions,
  };
}

/** The span with the events of its log records; without a span, one that lasts as long as they. */
function mergeLogs(span: Span | null, logs: readonly Span[]): Span {
  if (logs.length === 0 && span !== null) return span;
  const events = uniteLogs(logs);
  const under = mergeContents(logs.map((log) => ({ ...log, events: [] })));
  if (span === null) {
    const starts = logs.map(({ startNs }) => startNs).filter(isTime);
    return { ...under, startNs: starts.sort(compareNs)[0] ?? '0', events };
  }
  const attributes = new Map([...under.attributes, ...span.attributes]);
  attributes.delete(logsAttribute);
  return { ...span, attributes, events: byTime([...span.events, ...events]) };
}

/**
 * The events of log records, each as often as in the content that has it most often: a conversation
 * may repeat a message within one millisecond, and a client may send a request twice.
 */
function uniteLogs(logs: readonly Span[]): SpanEvent[] {
  const united: SpanEvent[] = [];
  const maxCounts = new Map<string, number>();
  for (const { events } of logs) {
    const counts = new Map<string, number>();
    for (const event of events) {
      const key = canonicalEvent(event);
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count <= (maxCounts.get(key) ?? 0)) continue;
      maxCounts.set(key, count);
      united.push(event);
    }
  }
  return byTime(united);
}

function byTime(events: readonly SpanEvent[]): SpanEvent[] {
  return [...events].sort((a, b) => compareNs(a.timeNs, b.timeNs));
}

/**
 * One span from several contents, in the order of their precedence: later values win, and missing
 * values are taken from earlier ones. Time and memory are linear in the contents.
 */
function mergeContents(contents: readonly Span[]): Span {
  const [first, ...later] = contents;
  if (first === undefined) throw new Error('a span id without a span');
  if (later.length === 0) return first;
  return {
    ...later.reduce(overlay, first),
    attributes: new Map(contents.flatMap(({ attributes }) => [...attributes])),
    resource: new Map(contents.flatMap(({ resource }) => [...resource])),
    events: uniteEvents(contents),
  };
}

/** `over` applied to `under`, without the members that `mergeContents` merges at once. */
function overlay(under: Span, over: Span): Span {
  const hasParent = over.parentSpanId !== null;
  return {
    ...over,
    parentSpanId: over.parentSpanId ?? under.parentSpanId,
    parentIsRemote: hasParent ? over.parentIsRemote : under.parentIsRemote,
    name: over.name === '' ? under.name : over.name,
    kind: over.kind === 0 ? under.kind : over.kind,
    startNs: isTime(over.startNs) ? over.startNs : under.startNs,
    endNs: isTime(over.endNs) ? over.endNs : under.endNs,
    status: over.status.code === 0 ? under.status : over.status,
    links: Math.max(under.links, over.links),
    dropped: {
      attributes: Math.max(under.dropped.attributes, over.dropped.attributes),
      events: Math.max(under.dropped.events, over.dropped.events),
      links: Math.max(under.dropped.links, over.dropped.links),
    },
    scope: over.scope.name === '' ? under.scope : over.scope,
    flags: under.flags,
  };
}

/**
 * Each distinct event once, by time; events of one time in the order of the last content that has
 * them, later contents first.
 */
function uniteEvents(contents: readonly Span[]): SpanEvent[] {
  const events = new Map<string, SpanEvent>();
  for (const { events: own } of contents.toReversed())
    for (const event of own) {
      const key = canonicalEvent(event);
      if (!events.has(key)) events.set(key, event);
    }
  return byTime([...events.values()]);
}

/**
 * The same text for equal contents. The order of attributes is irrelevant; the order inside a value
 * may not be (readers see JSON text).
 */
function canonicalSpan(span: Span): string {
  const { attributes, resource, events, ...rest } = span;
  const plain = Object.entries(rest).sort(([a], [b]) => compareText(a, b));
  return JSON.stringify([
    plain,
    canonicalAttributes(attributes),
    canonicalAttributes(resource),
    events.map(canonicalEvent),
  ]);
}

function canonicalEvent({ name, timeNs, attributes }: SpanEvent): string {
  return JSON.stringify([name, timeNs, canonicalAttributes(attributes)]);
}

function canonicalAttributes(attributes: Attributes): unknown {
  return [...attributes]
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => [key, canonicalValue(value)]);
}

/** Tagged, so that a list of pairs is not confused with a map. */
function canonicalValue(value: AttributeValue): unknown {
  if (value instanceof Map)
    return {
      map: [...value].map(([key, member]) => [key, canonicalValue(member as AttributeValue)]),
    };
  if (Array.isArray(value))
    return { list: value.map((item: AttributeValue) => canonicalValue(item)) };
  return value;
}
