import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { OutboundPolicy } from '../../platform';
import type { CallUpstream, ExchangeRequest, GatewayRoute } from '../exchange';
import { collectAnswer } from './collect-answer';
import { EchoMask } from './echo-mask';
import {
  createUpstreams,
  type Upstream,
  type UpstreamLimits,
  defaultUpstreamLimits,
} from './upstreams';

/** One upstream request. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query, with the path of the base URL. */
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer | Readable | null;
}

/**
 * undici's raw handler: headers and chunks as they came off the socket, without allocating objects.
 * If `onData` returns false, reading pauses until `resume` is called.
 */
export type UpstreamHandler = Required<
  Pick<Dispatcher.DispatchHandler, 'onConnect' | 'onHeaders' | 'onData' | 'onComplete' | 'onError'>
>;

export interface Forward {
  /**
   * @throws AssayError refused, for an address that may not be called or a key that cannot be
   * decrypted
   */
  upstreamOf(route: GatewayRoute): Upstream;
  /**
   * Sends one request and reports to the handler, masking the stored key in all places where the
   * upstream repeats it. Follows no redirect and does not retry.
   */
  dispatch(upstream: Upstream, request: UpstreamRequest, handler: UpstreamHandler): void;
  /** Makes additional calls (regeneration, re-prompt) with the same route and headers. */
  callUpstream(request: ExchangeRequest): CallUpstream;
  close(): Promise<void>;
}

/**
 * Forwards model calls over keep-alive connections, with raw headers and chunks (performance.md 5,
 * item 2).
 */
export function createForward(
  policy: OutboundPolicy,
  limits: UpstreamLimits = defaultUpstreamLimits,
): Forward {
  const upstreams = createUpstreams(policy, limits);

  const dispatch: Forward['dispatch'] = (upstream, request, handler) => {
    upstream.pool.dispatch(
      {
        path: request.path,
        method: request.method as Dispatcher.HttpMethod,
        // undici neither keeps nor changes the array, although its type requires a mutable one.
        headers: request.headers as string[],
        body: request.body,
      },
      upstream.secret === null ? handler : new EchoMask(handler, upstream.secret),
    );
  };

  return {
    upstreamOf: (route) => upstreams.of(route),
    dispatch,
    callUpstream: (request) => (call) =>
      collectAnswer(() => upstreams.of(request.route), dispatch, request, call),
    close: () => upstreams.close(),
  };
}
