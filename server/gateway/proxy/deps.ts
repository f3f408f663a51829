import type { GatewayDialect } from '../../domain';
import type { Clock, Logger } from '../../platform';
import type {
  ExchangeRequest,
  GatewayProject,
  GatewayRoute,
  BufferedAnswer,
  FinishedAnswer,
  VerificationHeaders,
} from '../exchange';
import type { Bodies } from './bodies';
import type { Forward } from './forward';
import type { PreparedCall } from '../verify/prepare-call';
import type { ShapeRefusals } from '../verify/shape-refusals';
import type { CountingSettings } from '../verify/sessions';
import type { Captured } from './captured';

/** The caller. `virtual`: it sent only an Assay key, so the stored upstream key is used. */
export type Authorized =
  | {
      readonly state: 'ok';
      readonly project: GatewayProject;
      readonly virtual: boolean;
      readonly keyId: string;
    }
  | {
      readonly state: 'refused';
      readonly status: 401 | 403 | 503;
      readonly code: string;
      readonly message: string;
    };

/** Credentials of a call. */
export type Presented = readonly [
  authorization: string | undefined,
  /** In `x-api-key`, `api-key`, `x-goog-api-key` and the query. */
  apiKeys: readonly string[],
  xAssayKey: string | undefined,
];

/** Configuration in memory. Only unknown keys wait for storage. */
export interface ProxySnapshot {
  /** Null if the snapshot does not know the key; call `authorizeUnknown`. */
  authorize(...presented: Presented): Authorized | null;
  /** Takes at most about a second. */
  authorizeUnknown(...presented: Presented): Promise<Authorized>;
  routeOf(project: GatewayProject, name: string): GatewayRoute | null;
}

export interface ProxyTurns {
  /** Counts an answered model call (QV-4 to QV-7); units and counter are thousandths of a turn. */
  advance(call: {
    readonly projectId: string;
    readonly sessionId: string;
    readonly clientRequestId: string | null;
    readonly settings: CountingSettings;
    readonly toolFollowup: boolean;
    /**
     * The client's original body: the same request id with another body is another request.
     */
    readonly body?: Buffer;
  }): { readonly units: number; readonly counter: number; readonly shouldVerify: boolean };
  /** Call once for each answer to verify when its verification has ended. */
  endVerification(projectId: string, sessionId: string): void;
}

export interface ProxyBreakers {
  isOpen(projectId: string, model: string): boolean;
}

export interface CallVerificationState {
  readonly shouldVerify: boolean;
  readonly breakerOpen: boolean;
  /** The route's verifier must verify the answer before delivery. */
  readonly routeShouldVerify: boolean;
  /** The client's own body, without the parts that the gateway added. */
  readonly clientBody: Buffer;
  readonly counter: number;
  /** Retries of the main call so far (INT-9). */
  readonly retries: number;
}

export interface ProxyRecorder {
  note(captured: Captured): void;
  /** Counts a call without recording it: not a model call, or a failed one. */
  count(route: GatewayRoute, outcome: VerificationHeaders): void;
  /** Storage is known to be unavailable: observed calls cannot be recorded. */
  isUnavailable(): boolean;
}

/** Dependencies of the proxy. */
export interface ProxyDeps {
  readonly snapshot: ProxySnapshot;
  readonly turns: ProxyTurns;
  readonly breakers: ProxyBreakers;
  /**
   * Never throws; bounded by the route's total deadline. The signal fires when the client
   * disconnects.
   */
  readonly finishAnswer: (
    request: ExchangeRequest,
    answer: BufferedAnswer,
    state: CallVerificationState,
    signal: AbortSignal,
  ) => Promise<FinishedAnswer>;
  readonly recorder: ProxyRecorder;
  /**
   * Whether a route may change requests (INT-17, QV-31), so that their bodies are collected first.
   */
  readonly mayPrepare: (route: GatewayRoute) => boolean;
  /** Parses bodies, large ones in a thread. */
  readonly bodies: Bodies;
  /** Prepares the body that is sent upstream. */
  readonly prepare: (call: {
    readonly id: string;
    readonly route: GatewayRoute;
    readonly dialect: GatewayDialect;
    readonly noteKey: string | null;
    readonly model: string | null;
    readonly body: Buffer;
  }) => Promise<PreparedCall>;
  readonly shapes: ShapeRefusals;
  readonly forward: Forward;
  readonly clock: Clock;
  readonly log: Logger;
  /** Pauses between retries on a `hold` route (INT-9), in milliseconds. */
  readonly retryDelaysMs: readonly number[];
  /** Milliseconds between keep-alive comments of a buffered stream. */
  readonly keepAliveMs: number;
}
