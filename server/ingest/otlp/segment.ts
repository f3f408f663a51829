/** `json`: UTF-8 text, `proto`: protobuf; each an ExportTraceServiceRequest of OTLP 1.x. */
export type SegmentFormat = 'json' | 'proto';

/**
 * The spans of one trace from one request: a complete export request built from the received bytes,
 * not encoded again.
 */
export interface Segment {
  /** 32 lower-case hex digits. */
  readonly traceId: string;
  readonly format: SegmentFormat;
  /** Bytes as received, or JSON text joined from slices of it. */
  readonly body: Buffer | string;
  /**
   * `body` is the whole body of the request: a caller may then store it as received, including
   * gzip.
   */
  readonly isWhole: boolean;
  readonly spans: number;
  /** One of the spans has no parent, or one in another process. */
  readonly hasRoot: boolean;
  /**
   * `invalid_utf8`: JSON bytes that are not UTF-8; `body` contains them unchanged. Protobuf strings
   * are checked when decoded.
   */
  readonly flags: readonly string[];
}

export interface RejectedSpan {
  /** Position among all spans of the request, from 0. */
  readonly index: number;
  readonly message: string;
  /** The span's own bytes. */
  readonly body: Buffer;
}

export interface ExportRead {
  readonly segments: readonly Segment[];
  /** Number of spans, good or bad. */
  readonly spans: number;
  readonly rejected: readonly RejectedSpan[];
}
