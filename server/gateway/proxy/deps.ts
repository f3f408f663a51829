import type { GatewayDialect } from '../../domain';
import type { Clock, Logger } from '../../platform';
import type {
  ExchangeRequest,
  GatewayProject,
  GatewayRoute,
  BufferedAnswer,
  Settled,
  VerificationHeaders,
} from '../exchange';
import type { Bodies } from './bodies';
import type { Forward } from './forward';
import type { PreparedCall } from '../verify/prepare-call';
import type { ShapeRefusals } from '../verify/shape-refusals';
import type { QualityVerifierSettings } from '../input';
import type { Captured } from './captured';

/** Who calls. `virtual`: by the Assay key alone, so that the upstream's key is the stored one. */
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

type Presented = readonly [
  authorization: string | undefined,
  xApiKey: string | undefined,
  xAssayKey: string | undefined,
];

/** Configuration in memory: nothing here waits for a store, but for keys that it does not know. */
export interface ProxySnapshot {
  /** Null: a key that the snapshot does not know; ask `authorizeUnknown`. */
  authorize(...presented: Presented): Authorized | null;
  /** Bounded to about a second. */
  authorizeUnknown(...presented: Presented): Promise<Authorized>;
  routeOf(project: GatewayProject, name: string): GatewayRoute | null;
}

export interface ProxyTurns {
  /**
   * Counts a call that a model answered (QV-4 to QV-7): units and counter are thousandths of a
   * turn.
   */
  advance(call: {
    readonly projectId: string;
    readonly sessionId: string;
    readonly clientRequestId: string | null;
    readonly settings: QualityVerifierSettings;
    readonly toolFollowup: boolean;
    /** The client's own: one request id with another body is another request. */
    readonly body?: Buffer;
  }): { readonly units: number; readonly counter: number; readonly due: boolean };
  /** Called once for each call that was told due, as soon as its answer is held no longer. */
  endHold(projectId: string, sessionId: string): void;
}

export interface ProxyBreakers {
  isOpen(projectId: string, model: string): boolean;
}

export interface BufferState {
  readonly due: boolean;
  readonly breakerOpen: boolean;
  readonly counter: number;
  /** Retries of the main call so far (INT-9). */
  readonly retries: number;
}

export interface ProxyRecorder {
  note(captured: Captured): void;
  /** A call that leaves no more than a count: no call to a model, or one that failed. */
  count(route: GatewayRoute, verification: VerificationHeaders): void;
  /** Storage is known to be away: what is observed cannot be recorded. */
  isAway(): boolean;
}

/** What the door is on; each part is made by its own folder. */
export interface ProxyDeps {
  readonly snapshot: ProxySnapshot;
  readonly turns: ProxyTurns;
  readonly breakers: ProxyBreakers;
  /**
   * Never throws; bounded by the route's total deadline. The signal says that the client has left.
   */
  readonly finishAnswer: (
    request: ExchangeRequest,
    answer: BufferedAnswer,
    state: BufferState,
    signal: AbortSignal,
  ) => Promise<Settled>;
  readonly recorder: ProxyRecorder;
  /**
   * Whether a route's requests may be changed on their way (INT-17, QV-31): their bodies are
   * collected first.
   */
  readonly mayPrepare: (route: GatewayRoute) => boolean;
  /** Reads bodies: large ones in a thread. */
  readonly bodies: Bodies;
  /** The body as it goes upstream. */
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
  /** Pauses between tries of a call on a `hold` route (INT-9), in milliseconds. */
  readonly retryDelaysMs: readonly number[];
  /** Between keep-alive comments of a held stream, in milliseconds. */
  readonly keepAliveMs: number;
}
