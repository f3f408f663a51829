import { Pool } from 'undici';
import { guardedConnector, type OutboundPolicy, type Resolve } from '../../platform';
import { type Model, type ModelAddress, openModel } from './model';
import { createStreamFetch, type StreamedCall, type StreamFetch } from './stream-fetch';

/**
 * What models are asked over from within requests: connections and models that are kept from one
 * call to the next.
 */
export interface ModelConnections {
  /**
   * A model, for the one HTTP call that goes out under `signal`, and what becomes of that call.
   * `origin`: what its key was entered for.
   */
  open(
    address: ModelAddress,
    origin: string,
    signal: AbortSignal,
  ): { readonly model: Model; readonly outgoing: StreamedCall };
  /** Ends all connections, whatever goes over them still. */
  close(): Promise<void>;
}

interface OpenedModel {
  readonly model: Model;
  readonly calls: StreamFetch;
}

/**
 * Origins whose connections are kept, and calls that are under way to each at once; more of them
 * wait.
 */
const POOLS_MAX = 200;
const CONNECTIONS_MAX = 512;
const MODELS_MAX = 500;
const CONNECT_MS = 10_000;
/**
 * An idle connection is ended before its server would: most that do not show when keep it for 5
 * seconds or longer. Who ends it just as a question is written has perhaps read it, and it may not
 * be put again.
 */
const IDLE_MS = 4_000;
const IDLE_MAX_MS = 60_000;

/**
 * Pools of kept connections, one an origin, each over the guarded connector: every new connection
 * is judged again (S-40, S-41), redirects are not followed, and a question that is written is never
 * written twice (QV-20). undici turns the loop once before it writes to a kept connection; if it
 * learns then that the server has ended it, it opens another one.
 */
export function createModelConnections(
  policy: OutboundPolicy,
  resolve?: Resolve,
): ModelConnections {
  const pools = new Map<string, Pool>();
  // Their keys hold the providers' keys, as the models do: they are looked up and never told.
  const models = new Map<string, OpenedModel>();

  const poolOf = (url: URL): Pool => {
    const kept = pools.get(url.origin);
    if (kept !== undefined) return kept;
    const pool = new Pool(url.origin, {
      connect: guardedConnector(policy, url, CONNECT_MS, resolve),
      pipelining: 1,
      connections: CONNECTIONS_MAX,
      // Each call bounds its time by a signal.
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
    // What was used last is last.
    models.delete(key);
    models.set(key, opened);
    const [oldest] = models.keys();
    if (models.size > MODELS_MAX && oldest !== undefined) models.delete(oldest);
    return opened;
  };

  return {
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
