import { Pool } from 'undici';
import {
  checkOutboundUrl,
  guardedConnector,
  type OutboundPolicy,
  type Resolve,
} from '../../platform';
import type { GatewayRoute } from '../exchange';
import { type KeyHeader, serverPath } from '../dialects/paths';
import { secretOf } from './echo-mask';

/** The header with a provider's key. */
export type Credential = readonly [name: string, value: string];

/** The target of a route: connection pool, paths and key. */
export interface Upstream {
  readonly pool: Pool;
  /** Path of the base URL, without a trailing slash. */
  readonly prefix: string;
  /** Path of the server's root, for APIs that are not below the base URL. */
  readonly root: string;
  readonly key: string | null;
  /** The key in the header of the route's API. */
  readonly credential: Credential | null;
  /** The key's bytes to mask in answers; null if there is no key, or if it has no secret. */
  readonly secret: Buffer | null;
}

export interface UpstreamLimits {
  readonly connectMs: number;
  /**
   * From the request's last byte to the answer's head. A model that does not stream sends nothing
   * until it is done.
   */
  readonly headersMs: number;
  /** Between two chunks of an answer. */
  readonly silenceMs: number;
  readonly resolve?: Resolve;
}

export const defaultUpstreamLimits: UpstreamLimits = {
  connectMs: 10_000,
  headersMs: 600_000,
  silenceMs: 600_000,
};

/** Origins with open connection pools; beyond this limit, the oldest pool is closed. */
const POOLS_MAX = 500;

export interface Upstreams {
  /** @throws AssayError refused, for an address that may not be called */
  of(route: GatewayRoute): Upstream;
  close(): Promise<void>;
}

/** Connection pools per origin. The guarded connector checks every new connection (S-40, S-41). */
export function createUpstreams(policy: OutboundPolicy, limits: UpstreamLimits): Upstreams {
  const pools = new Map<string, Pool>();
  const known = new WeakMap<GatewayRoute, Upstream>();

  const poolOf = (url: URL): Pool => {
    const existing = pools.get(url.origin);
    if (existing !== undefined) return existing;
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
      // A key is sent only to the origin that it was entered for (S-45).
      const key = route.provider?.origin === url.origin ? route.provider.openKey() : null;
      const credential =
        key === null
          ? null
          : route.api === 'anthropic'
            ? (['x-api-key', key] as const)
            : bearer(key);
      const prefix = url.pathname.replace(/\/+$/, '');
      const upstream: Upstream = {
        pool: poolOf(url),
        prefix,
        root: serverPath(prefix),
        key,
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

/** The stored key in the header of the called API; null if none is stored. */
export function credentialIn(
  { key, credential }: Upstream,
  header: KeyHeader | null,
): Credential | null {
  return key === null || header === null ? credential : [header, key];
}

const bearer = (key: string) => ['authorization', `Bearer ${key}`] as const;
