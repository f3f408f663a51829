import type { CallOpening } from './call-facts';
import type { ExchangeRequest, GatewayRoute, Settled, VerificationHeaders } from '../exchange';

/** Body bytes of an answer that are kept for its record. */
export const CAPTURE_BYTES_MAX = 1_048_576;

/**
 * A call to a model with what its client was sent, as the recorder is given it behind the answer.
 */
export interface Captured {
  /** The same as the request's, at hand for counting. */
  readonly route: GatewayRoute;
  /**
   * Reads the hints of the request's bytes when first asked: never in the path of the call. `body`
   * is the client's own.
   */
  readonly request: () => ExchangeRequest;
  /** What `request` would read, unread: for a thread to read. */
  readonly unread: () => { readonly opening: CallOpening; readonly body: Buffer };
  /** Bytes of the client's request body. */
  readonly requestBytes: number;
  readonly startedOn: Date;
  readonly status: number;
  readonly verification: VerificationHeaders;
  /**
   * What was delivered, Assay's own comments aside: its first `CAPTURE_BYTES_MAX` bytes, as they
   * came.
   */
  readonly chunks: readonly Buffer[];
  /** As the upstream sent it; null: none. Held answers have none. */
  readonly contentEncoding: string | null;
  readonly form: 'sse' | 'json';
  readonly truncated: boolean;
  /** Upstream or client left before the end. */
  readonly partial: boolean;
  /** From the request's arrival to the first byte of the upstream's body; null: none came. */
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  /** How long the answer was held after its last byte; null: not held. */
  readonly bufferedMs: number | null;
  /**
   * What the call counted, in thousandths of a turn, and where the session's counter stood then; 0
   * where nothing was counted.
   */
  readonly units: number;
  readonly counter: number;
  /** Null: not held to its end. */
  readonly settled: Settled | null;
}
