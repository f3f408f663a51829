import type {
  Episode,
  GatewayDialect,
  GatewayReason,
  GatewayVerdict,
  HeldIntegrity,
} from '../domain';
import type { ProviderAccess } from '../llm';
import type { Authority } from '../thresholds';
import type { RouteSettings } from './input';

/**
 * What the folders of this room hand to each other: the route that a call takes, the answer that is
 * held, what is told of it.
 */

/** A project as the snapshot holds it: enough to serve its calls without PostgreSQL. */
export interface GatewayProject {
  readonly id: string;
  readonly slug: string;
  /**
   * The kill switch of environment and project (INT-11): no verification, re-prompt, mark or added
   * prompt.
   */
  readonly integrityOff: boolean;
  readonly derivedCountsAsSourced: boolean;
  /** Whether the verifier of turns may steer. */
  readonly turnAuthority: Authority;
  readonly providers: readonly ProviderAccess[];
}

/**
 * Why no stored key belongs to a route: calls by the Assay key alone then go nowhere. The message
 * is for whoever calls or stores it.
 */
export interface KeyGap {
  /**
   * The project has no provider; or several are at the address, and none is meant more than
   * another.
   */
  readonly kind: 'no_provider' | 'several_providers';
  readonly message: string;
}

/** One route of a project, resolved: where it goes and by which key. */
export interface GatewayRoute {
  readonly name: string;
  readonly project: GatewayProject;
  readonly settings: RouteSettings;
  readonly api: 'openai' | 'anthropic';
  /** Without a slash at its end; what follows `/gateway/{route}/v1` is put behind it. */
  readonly baseUrl: string;
  readonly origin: string;
  /** The provider whose key belongs to this origin; null: none is stored, or `keyGap`. */
  readonly provider: ProviderAccess | null;
  /**
   * Null: calls go out, by the provider's key, or without one to an address that a person named.
   */
  readonly keyGap: KeyGap | null;
}

/** A request to a model as the gateway knows it, read or not. */
export interface ExchangeRequest {
  /** `call_…`, made here. */
  readonly id: string;
  readonly route: GatewayRoute;
  readonly dialect: GatewayDialect;
  /** Names the session within the project. */
  readonly sessionId: string;
  /**
   * Under what a note for the next request is kept: the session as its own key names it. Null where
   * the client names no session: its first bytes may be those of another user too (S-126).
   */
  readonly noteKey: string | null;
  /**
   * Who sends one request twice names it the same: `x-assay-request-id`, `idempotency-key` or
   * `x-request-id`; null: none.
   */
  readonly clientRequestId: string | null;
  /** Path and query behind the base address, with the slash: `/chat/completions`. */
  readonly path: string;
  /**
   * As they go upstream: names and values in turn, hop-by-hop headers and Assay's own gone, the
   * upstream's key in.
   */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /**
   * The same request without the shape of an answer, where `body` asks for one; left out where it
   * does not.
   */
  readonly withoutShape?: () => Promise<Buffer>;
  readonly stream: boolean;
  readonly model: string | null;
  readonly toolFollowup: boolean;
  /** Milliseconds of the monotonic clock. */
  readonly startedAt: number;
}

/** A whole answer with status 200, not yet delivered. */
export interface BufferedAnswer {
  /** Body bytes as they came, in order. */
  readonly chunks: readonly Buffer[];
  /** `sse` for an event stream, `json` for one body. */
  readonly form: 'sse' | 'json';
  readonly read: ReadAnswer;
  /** Of a stream: bytes before its last event, null where none was seen; absent: not looked for. */
  readonly lastEventAt?: number | null;
}

/** An answer as it reads. */
export interface ReadAnswer {
  /** Text of the first choice, all its parts; no tool calls, no reasoning. */
  readonly text: string;
  /** Tool calls that the model made: such an answer is no final turn. */
  readonly toolCalls: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
  }[];
  /** As the upstream names it; null: it did not say. */
  readonly model: string | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  /** More than one choice: only the first is looked at, and none is rewritten. */
  readonly choices: number;
  /** The stream or body came to its proper end. */
  readonly complete: boolean;
}

/** What the client is told of an answer, in headers or in a comment of the stream. */
export interface VerificationHeaders {
  readonly verdict: GatewayVerdict;
  readonly reason: GatewayReason | null;
  readonly verificationId: string | null;
}

/**
 * What verifying a held answer came to: what goes out, what is told of it, what is stored of it.
 */
export interface Settled {
  /**
   * The answer to deliver: the original itself, or one in its place, in the client's dialect and
   * mode.
   */
  readonly answer: BufferedAnswer;
  readonly verification: VerificationHeaders;
  readonly episode: Episode | null;
  readonly integrity: HeldIntegrity | null;
  /**
   * The delivered answer's text without marks and footer, where it was rewritten; null: the
   * answer's own text.
   */
  readonly plainText: string | null;
  /** The envelope as the model sent it, where it was one (INT-3). */
  readonly envelope: string | null;
  /**
   * What came is an envelope that cannot be read and is not passed on as it is: the client gets an
   * error in its place.
   */
  readonly undeliverable?: boolean;
  /**
   * Called once the client has its bytes: what is still to be found out (the second look at a
   * steered answer). What it gives is in the record in place of `episode`. Never throws.
   */
  readonly after: (() => Promise<Episode>) | null;
}

/**
 * One call to the upstream outside the client's own: a recall, a re-prompt, a retry. Never throws.
 */
export type CallUpstream = (call: {
  readonly body: Buffer;
  readonly signal: AbortSignal;
  /** Body bytes of the answer that are read. */
  readonly maxBytes: number;
}) => Promise<
  | {
      readonly state: 'answered';
      readonly status: number;
      readonly contentType: string;
      readonly chunks: readonly Buffer[];
      /** How long the upstream asks to be left alone; null or left out: it does not say. */
      readonly retryAfterMs?: number | null;
    }
  | {
      readonly state: 'failed';
      readonly problem: 'timeout' | 'reset' | 'too_large' | 'aborted';
      readonly message: string;
    }
>;
