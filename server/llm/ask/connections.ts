import { Pool } from 'undici';
import { guardedConnector, type OutboundPolicy, type Resolve } from '../../platform';
import { type Model, type ModelAddress, openModel } from './model';
import { createStreamFetch, type StreamedCall, type StreamFetch } from './stream-fetch';

/** Connections and models, reused from one call to the next. */
export interface ModelConnections {
  /**
   * A model for the one HTTP call that carries `signal`, and that call's record. `origin`: the
   * origin that its key was entered for.
   */
  open(
    address: ModelAddress,
    origin: string,
    signal: AbortSignal,
  ): { readonly model: Model; readonly outgoing: StreamedCall };
  /** The pooled connections to an origin. */
  poolOf(url: URL): Pool;
  /** Closes all connections, including those in use. */
  close(): Promise<void>;
}

interface OpenedModel {
  readonly model: Model;
  readonly calls: StreamFetch;
}

/**
 * Maximum number of origins with open connections, and of concurrent calls to each; further calls
 * wait.
 */
const POOLS_MAX = 200;
const CONNECTIONS_MAX = 512;
const MODELS_MAX = 500;
const CONNECT_MS = 10_000;
/**
 * Closes an idle connection before its server would: most servers that announce no timeout keep it
 * for 5 seconds or longer. A server that closes it just as a request is written may have read the
 * request, which then cannot be repeated safely.
 */
const IDLE_MS = 4_000;
const IDLE_MAX_MS = 60_000;

/**
 * Connection pools by origin, over the guarded connector: every new connection is checked again
 * (S-40, S-41), redirects are not followed, and a request is never written twice (QV-20). undici
 * yields to the event loop once before it writes to a reused connection; if it learns then that the
 * server has closed it, it opens another one.
 */
export function createModelConnections(
  policy: OutboundPolicy,
  resolve?: Resolve,
): ModelConnections {
  const pools = new Map<string, Pool>();
  // The map keys contain the providers' keys, as the models do: they are never logged or sent.
  const models = new Map<string, OpenedModel>();

  const poolOf = (url: URL): Pool => {
    const existing = pools.get(url.origin);
    if (existing !== undefined) return existing;
    const pool = new Pool(url.origin, {
      connect: guardedConnector(policy, url, CONNECT_MS, resolve),
      pipelining: 1,
      connections: CONNECTIONS_MAX,
      // Each call's signal limits its time.
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: 32 * 1024,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MAX_MS,
    });
    pools.set(url.origin, pool);
    const [oldest] = pools;
    if (pools.size > POOLS_MAX && oldest !== undefined) {
      pools.delete(oldest[0]);
      void oldest[1].close();
    }
    return pool;
  };

  const modelOf = (address: ModelAddress, origin: string) => {
    const { kind, baseUrl, apiKey, model } = address;
    const key = JSON.stringify([kind, origin, baseUrl, apiKey, model]);
    const opened = models.get(key) ?? openOver(address, createStreamFetch(policy, poolOf, origin));
    // The most recently used model comes last.
    models.delete(key);
    models.set(key, opened);
    const [oldest] = models.keys();
    if (models.size > MODELS_MAX && oldest !== undefined) models.delete(oldest);
    return opened;
  };

  return {
    poolOf,
    open(address, origin, signal) {
      const { model, calls } = modelOf(address, origin);
      return { model, outgoing: calls.expect(signal) };
    },
    async close() {
      await Promise.allSettled([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function openOver(address: ModelAddress, calls: StreamFetch): OpenedModel {
  return { model: openModel(address, calls.fetch), calls };
}
