import type { Attributes, AttributeValue, Span, SpanEvent } from './span';

/** A value as tests write it: numbers become their digits. */
export type Plain =
  | string
  | number
  | boolean
  | null
  | readonly Plain[]
  | { readonly [key: string]: Plain };

export interface SpanSketch {
  readonly id: number;
  readonly parent?: number;
  readonly name?: string;
  /** Milliseconds after a fixed moment. */
  readonly from?: number;
  readonly to?: number;
  readonly attributes?: Readonly<Record<string, Plain>>;
  readonly resource?: Readonly<Record<string, Plain>>;
  readonly events?: readonly {
    readonly name: string;
    readonly at?: number;
    readonly attributes: Readonly<Record<string, Plain>>;
  }[];
  readonly error?: string;
  readonly scope?: string;
}

export const fixtureTraceId = '0af7651916cd43dd8448eb211c80319c';
const EPOCH_MS = Date.parse('2026-01-05T10:00:00.000Z');

export function spanId(id: number): string {
  return id.toString(16).padStart(16, '0');
}

/** A span for tests; by default 10 ms long and in order of its number. */
export function sketchSpan(sketch: SpanSketch): Span {
  const from = sketch.from ?? sketch.id * 100;
  return {
    traceId: fixtureTraceId,
    spanId: spanId(sketch.id),
    parentSpanId: sketch.parent === undefined ? null : spanId(sketch.parent),
    parentIsRemote: false,
    name: sketch.name ?? `span ${sketch.id}`,
    kind: 1,
    startNs: ns(from),
    endNs: ns(sketch.to ?? from + 10),
    status:
      sketch.error === undefined ? { code: 0, message: '' } : { code: 2, message: sketch.error },
    attributes: attributesOf(sketch.attributes ?? {}),
    events: (sketch.events ?? []).map(
      ({ name, at, attributes }): SpanEvent => ({
        name,
        timeNs: ns(at ?? from),
        attributes: attributesOf(attributes),
      }),
    ),
    links: 0,
    dropped: { attributes: 0, events: 0, links: 0 },
    scope: { name: sketch.scope ?? 'test', version: '1' },
    resource: attributesOf(sketch.resource ?? { 'service.name': 'shop' }),
    flags: [],
  };
}

export function attributesOf(plain: Readonly<Record<string, Plain>>): Attributes {
  return new Map(Object.entries(plain).map(([key, value]) => [key, attributeOf(value)]));
}

function attributeOf(value: Plain): AttributeValue {
  if (typeof value === 'number') return { raw: String(value) };
  if (value === null || typeof value !== 'object') return value;
  if (isList(value)) return value.map(attributeOf);
  return attributesOf(value);
}

function isList(value: Plain): value is readonly Plain[] {
  return Array.isArray(value);
}

function ns(ms: number): string {
  return `${EPOCH_MS + ms}000000`;
}
