/**
 * A span in the form that all readers of traces use, from either encoding (OTLP protobuf or JSON).
 * Strings are cleaned (`cleanText`); keys of attributes are in a `Map`, since clients choose them
 * (R-94).
 */
export interface Span {
  /** 32 and 16 lower-case hex digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /**
   * OTLP flags indicate that the parent is in another process: this span is the top one of its
   * process.
   */
  readonly parentIsRemote: boolean;
  readonly name: string;
  /** OTLP SpanKind, 0 to 5. */
  readonly kind: number;
  /** Nanoseconds since 1970, decimal digits as sent; "0" where missing. */
  readonly startNs: string;
  readonly endNs: string;
  /** OTLP status code: 0 unset, 1 ok, 2 error. */
  readonly status: { readonly code: number; readonly message: string };
  readonly attributes: Attributes;
  readonly events: readonly SpanEvent[];
  readonly links: number;
  /** Items that the client reports as dropped, plus those we dropped over our limits. */
  readonly dropped: {
    readonly attributes: number;
    readonly events: number;
    readonly links: number;
  };
  readonly scope: { readonly name: string; readonly version: string };
  readonly resource: Attributes;
  /**
   * `cleaned`, `invalid_utf8`, `dropped`, `cut` (a key over 256 bytes), `odd_times`: facts
   * that a reader must know.
   */
  readonly flags: readonly string[];
}

/**
 * The attribute of spans that the intake created from log records: they carry events of a span that
 * may arrive separately, or never.
 */
export const logsAttribute = 'assay.log_events';

export function isFromLogs({ attributes }: Span): boolean {
  return attributes.get(logsAttribute) === true;
}

export interface SpanEvent {
  readonly name: string;
  readonly timeNs: string;
  readonly attributes: Attributes;
}

export type Attributes = ReadonlyMap<string, AttributeValue>;

/**
 * Numbers keep their digits as sent: `raw` is a JSON number token, or NaN, Infinity,
 * -Infinity. Bytes are base64.
 */
export type AttributeValue =
  | string
  | boolean
  | null
  | { readonly raw: string }
  | { readonly bytes: string }
  | readonly AttributeValue[]
  | ReadonlyMap<string, AttributeValue>;
