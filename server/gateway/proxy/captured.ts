import type { CallOpening } from './call-facts';
import type {
  AnswerForm,
  ExchangeRequest,
  GatewayRoute,
  FinishedAnswer,
  VerificationHeaders,
} from '../exchange';

/** Maximum body bytes of an answer that are captured for its record. */
export const CAPTURE_BYTES_MAX = 1_048_576;

/**
 * A model call with the answer that the client received, passed to the recorder after the answer.
 */
export interface Captured {
  /** Same as the request's; needed for counting without parsing it. */
  readonly route: GatewayRoute;
  /** Parses the request on first use, never in the call path. `body` is the client's own. */
  readonly request: () => ExchangeRequest;
  /** The input of `request`, for a thread to parse. */
  readonly unread: () => { readonly opening: CallOpening; readonly body: Buffer };
  /** Bytes of the client's request body. */
  readonly requestBytes: number;
  readonly startedOn: Date;
  readonly status: number;
  readonly outcome: VerificationHeaders;
  /** The first `CAPTURE_BYTES_MAX` bytes of the delivered body, without Assay's comments. */
  readonly chunks: readonly Buffer[];
  /** As the upstream sent it; null if none. Buffered answers have none. */
  readonly contentEncoding: string | null;
  readonly form: AnswerForm;
  readonly truncated: boolean;
  /** Upstream or client disconnected before the end. */
  readonly partial: boolean;
  /** From the request's arrival to the first body byte of the upstream; null if none came. */
  readonly firstByteMs: number | null;
  readonly durationMs: number;
  /** Time that the answer was held back after its last byte; null if not buffered. */
  readonly deliveryDelayMs: number | null;
  /**
   * Units of the call and the session's counter after it, in thousandths of a turn; 0 if nothing
   * was counted.
   */
  readonly units: number;
  readonly counter: number;
  /** Null if not buffered to its end. */
  readonly finished: FinishedAnswer | null;
}
