import { Redis } from 'ioredis';

export interface RedisFacts {
  readonly version: string;
  /** `noeviction`, or a policy by which Redis removes jobs when its memory is full. */
  readonly maxmemoryPolicy: string;
}

const timeoutMs = 3_000;

/** What a Redis says of itself. @throws Error if it cannot be used */
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
