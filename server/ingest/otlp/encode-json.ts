/** OTLP/JSON from plain objects: for exports to other tools, and for tests. */

export type PlainValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly PlainValue[]
  | PlainPairs;
/** Use a `Map` for keys chosen by clients. */
export type PlainPairs = ReadonlyMap<string, PlainValue> | { readonly [key: string]: PlainValue };

export interface PlainSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name?: string;
  /** OTLP SpanKind; 1 (internal) when missing. */
  readonly kind?: number;
  /** Nanoseconds since 1970, decimal digits. */
  readonly startNs?: string;
  readonly endNs?: string;
  readonly status?: { readonly code: number; readonly message?: string };
  readonly attributes?: PlainPairs;
  readonly events?: readonly {
    readonly name: string;
    readonly timeNs?: string;
    readonly attributes?: PlainPairs;
  }[];
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly flags?: number;
}

export interface PlainExport {
  readonly resource?: PlainPairs;
  readonly scope?: { readonly name: string; readonly version?: string };
  readonly spans: readonly PlainSpan[];
}

/**
 * An ExportTraceServiceRequest with one resource and one scope, as JSON text. Integers become
 * intValue, other numbers doubleValue.
 */
export function exportJson({ resource = {}, scope = { name: '' }, spans }: PlainExport): string {
  return JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: pairs(resource) },
        scopeSpans: [{ scope, spans: spans.map(span) }],
      },
    ],
  });
}

function span({
  startNs = '0',
  endNs = '0',
  attributes = {},
  events = [],
  kind = 1,
  ...rest
}: PlainSpan): object {
  return {
    ...rest,
    kind,
    startTimeUnixNano: startNs,
    endTimeUnixNano: endNs,
    attributes: pairs(attributes),
    events: events.map((event) => ({
      name: event.name,
      timeUnixNano: event.timeNs ?? '0',
      attributes: pairs(event.attributes ?? {}),
    })),
  };
}

function pairs(from: PlainPairs): object[] {
  const entries = isMap(from) ? [...from] : Object.entries(from);
  return entries.map(([key, each]) => ({ key, value: value(each) }));
}

function value(from: PlainValue): object {
  if (from === null) return {};
  if (typeof from === 'string') return { stringValue: from };
  if (typeof from === 'boolean') return { boolValue: from };
  if (typeof from === 'bigint') return { intValue: String(from) };
  if (typeof from === 'number')
    return Number.isSafeInteger(from) ? { intValue: String(from) } : double(from);
  if (isList(from)) return { arrayValue: { values: from.map(value) } };
  return { kvlistValue: { values: pairs(from) } };
}

function double(from: number): object {
  return { doubleValue: Number.isFinite(from) ? from : String(from) };
}

function isMap(from: PlainPairs): from is ReadonlyMap<string, PlainValue> {
  return from instanceof Map;
}

function isList(from: readonly PlainValue[] | PlainPairs): from is readonly PlainValue[] {
  return Array.isArray(from);
}
