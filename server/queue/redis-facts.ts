import { Redis } from 'ioredis';
import type { Ctx } from '../platform';

export interface RedisFacts {
  readonly version: string;
  /** `noeviction`, or a policy by which Redis removes jobs when its memory is full. */
  readonly maxmemoryPolicy: string;
}

const timeoutMs = 3_000;

/** Facts that a Redis reports about itself. @throws Error if it cannot be used */
export async function readRedisFacts(redisUrl: string): Promise<RedisFacts> {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let fault: Error | null = null;
  redis.on('error', (error: Error) => {
    fault ??= error;
  });
  try {
    await redis.connect();
    const info = await redis.info();
    const read = (name: string): string | undefined =>
      new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1];
    return {
      version: read('redis_version') ?? 'unknown',
      maxmemoryPolicy: read('maxmemory_policy') ?? 'noeviction',
    };
  } catch (error) {
    // A command only knows that the connection is closed.
    throw fault ?? error;
  } finally {
    redis.disconnect();
  }
}

/**
 * Logs a warning if Redis removes jobs when its memory is full. Nothing is lost then, since
 * the rows of PostgreSQL remain, but work waits until it is republished. Never throws.
 */
export async function warnOfEviction({ env, log }: Pick<Ctx, 'env' | 'log'>): Promise<void> {
  if (env.redisUrl === null) return;
  const facts = await readRedisFacts(env.redisUrl).catch(() => null);
  if (facts !== null && facts.maxmemoryPolicy !== 'noeviction')
    log.warn(
      `Redis removes jobs when its memory is full: maxmemory-policy ${facts.maxmemoryPolicy}; set noeviction`,
    );
}
