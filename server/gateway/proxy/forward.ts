import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { OutboundPolicy } from '../../platform';
import type { CallUpstream, ExchangeRequest, GatewayRoute } from '../exchange';
import { collectAnswer } from './collect-answer';
import { EchoMask } from './echo-mask';
import { createUpstreams, type Upstream, type UpstreamLimits, usualLimits } from './upstreams';

/** One request as it goes upstream. */
export interface UpstreamRequest {
  readonly method: string;
  /** Path and query behind the base address. */
  readonly path: string;
  readonly headers: readonly string[];
  readonly body: Buffer | Readable | null;
}

/**
 * undici's handler in its raw form: headers and chunks as they came off the socket, without an
 * object for either. `onData` that gives false stops the reading until `resume` is called.
 */
export type UpstreamHandler = Required<
  Pick<Dispatcher.DispatchHandler, 'onConnect' | 'onHeaders' | 'onData' | 'onComplete' | 'onError'>
>;

export interface Forward {
  /**
   * @throws AssayError refused, for an address that may not be called, or a sealed key that does
   * not open
   */
  upstreamOf(route: GatewayRoute): Upstream;
  /**
   * Sends one request; what becomes of it is told to the handler, the stored key masked wherever
   * the upstream repeats it. No redirect is followed, nothing is tried again.
   */
  dispatch(upstream: Upstream, request: UpstreamRequest, handler: UpstreamHandler): void;
  /**
   * Calls in addition to the client's own (a recall, a re-prompt), by the same route and headers.
   */
  callUpstream(request: ExchangeRequest): CallUpstream;
  close(): Promise<void>;
}

/**
 * What sends calls to models on: kept connections, raw headers, raw chunks (performance.md 5, item
 * 2).
 */
export function createForward(
  policy: OutboundPolicy,
  limits: UpstreamLimits = usualLimits,
): Forward {
  const upstreams = createUpstreams(policy, limits);

  const dispatch: Forward['dispatch'] = (upstream, request, handler) => {
    upstream.pool.dispatch(
      {
        path: upstream.prefix + request.path,
        method: request.method as Dispatcher.HttpMethod,
        // undici reads the list and keeps none of it; its type alone asks for one that may be
        // written to.
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
