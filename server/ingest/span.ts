/**
 * A span as every reader of traces sees it, whatever encoding it came in (OTLP protobuf or JSON).
 * Strings are cleaned (`cleanText`); keys of attributes stand in a `Map`, since they come from
 * outside.
 */
export interface Span {
  /** 32 and 16 lower-case hex digits. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  /** OTLP flags say that the parent lives in another process: this span is the top of its own. */
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
  /** What the client says that it dropped, and what we dropped over our limits, together. */
  readonly dropped: {
    readonly attributes: number;
    readonly events: number;
    readonly links: number;
  };
  readonly scope: { readonly name: string; readonly version: string };
  readonly resource: Attributes;
  /**
   * `cleaned`, `invalid_utf8`, `dropped`, `cut` (a key over 256 bytes): what a reader must know
   * about it.
   */
  readonly flags: readonly string[];
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
