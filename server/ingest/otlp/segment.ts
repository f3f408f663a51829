/** `json`: UTF-8 text, `proto`: protobuf; each an ExportTraceServiceRequest of OTLP 1.x. */
export type SegmentFormat = 'json' | 'proto';

/**
 * The spans of one trace out of one request: a complete export request, made of the bytes that
 * came, not encoded again.
 */
export interface Segment {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  readonly format: SegmentFormat;
  /** Bytes as they came, or JSON text put together from slices of what came. */
  readonly body: Buffer | string;
  /**
   * `body` is the request's body itself: whoever stores it may store what was received, gzip and
   * all.
   */
  readonly whole: boolean;
  readonly spans: number;
  /** One of the spans has no parent, or one in another process. */
  readonly hasRoot: boolean;
  /**
   * `invalid_utf8`: JSON bytes that were no UTF-8; `body` holds them as they were. Protobuf strings
   * are looked at when decoded.
   */
  readonly flags: readonly string[];
}

export interface RejectedSpan {
  /** Place among all spans of the request, from 0. */
  readonly index: number;
  readonly message: string;
  /** The span's own bytes. */
  readonly body: Buffer;
}

export interface ExportRead {
  readonly segments: readonly Segment[];
  /** Spans seen, good or bad. */
  readonly spans: number;
  readonly rejected: readonly RejectedSpan[];
}
