import { Pool } from 'undici';
import {
  checkOutboundUrl,
  guardedConnector,
  type OutboundPolicy,
  type Resolve,
} from '../../platform';
import type { GatewayRoute } from '../exchange';
import { secretOf } from './echo-mask';

/**
 * Where a route's calls go: its pool, the path that its base address begins with, and the key that
 * is set.
 */
export interface Upstream {
  readonly pool: Pool;
  /** Without a slash at its end. */
  readonly prefix: string;
  readonly credential: readonly [name: string, value: string] | null;
  /** The bytes of that key that no answer may hold; null: there is none, or it is no secret. */
  readonly secret: Buffer | null;
}

export interface UpstreamLimits {
  readonly connectMs: number;
  /**
   * From the request's last byte to the answer's head. A model that is asked for a whole answer
   * says nothing until it is done.
   */
  readonly headersMs: number;
  /** Between two pieces of an answer. */
  readonly silenceMs: number;
  readonly resolve?: Resolve;
}

export const usualLimits: UpstreamLimits = {
  connectMs: 10_000,
  headersMs: 600_000,
  silenceMs: 600_000,
};

/** Origins whose connections are kept; beyond it the one asked for first is let go. */
const POOLS_MAX = 500;

export interface Upstreams {
  /** @throws AssayError refused, for an address that may not be called */
  of(route: GatewayRoute): Upstream;
  close(): Promise<void>;
}

/**
 * Pools of kept connections, one an origin, each over the guarded connector: every new connection
 * is judged (S-40, S-41).
 */
export function createUpstreams(policy: OutboundPolicy, limits: UpstreamLimits): Upstreams {
  const pools = new Map<string, Pool>();
  const known = new WeakMap<GatewayRoute, Upstream>();

  const poolOf = (url: URL): Pool => {
    const kept = pools.get(url.origin);
    if (kept !== undefined) return kept;
    const pool = new Pool(url.origin, {
      connect: guardedConnector(policy, url, limits.connectMs, limits.resolve),
      pipelining: 1,
      connections: null,
      headersTimeout: limits.headersMs,
      bodyTimeout: limits.silenceMs,
      maxHeaderSize: 32 * 1024,
      keepAliveTimeout: 30_000,
    });
    pools.set(url.origin, pool);
    for (const [origin, oldest] of pools) {
      if (pools.size <= POOLS_MAX) break;
      pools.delete(origin);
      void oldest.close();
    }
    return pool;
  };

  return {
    of(route) {
      const before = known.get(route);
      if (before !== undefined && !before.pool.closed) return before;
      const url = checkOutboundUrl(policy, route.baseUrl);
      // A key goes to the origin that it was entered for, and to no other (S-45).
      const key = route.provider?.origin === url.origin ? route.provider.openKey() : null;
      const credential =
        key === null
          ? null
          : route.api === 'anthropic'
            ? (['x-api-key', key] as const)
            : bearer(key);
      const upstream: Upstream = {
        pool: poolOf(url),
        prefix: url.pathname.replace(/\/+$/, ''),
        credential,
        secret: secretOf(key),
      };
      known.set(route, upstream);
      return upstream;
    },
    async close() {
      await Promise.allSettled([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

const bearer = (key: string) => ['authorization', `Bearer ${key}`] as const;
