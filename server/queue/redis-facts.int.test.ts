import { Redis } from 'ioredis';
import { expect, test } from 'vitest';
import { startRedis } from '../../testing/redis';
import { readRedisFacts } from './redis-facts';

test.for(['noeviction', 'allkeys-lru', 'volatile-ttl'])(
  'the version and the policy of a full memory: %s',
  async (policy) => {
    const redis = await startRedis('secret');
    if (redis === null) return;
    const client = new Redis(redis.url);
    await client.config('SET', 'maxmemory-policy', policy);
    client.disconnect();
    expect(await readRedisFacts(redis.url)).toEqual({
      version: expect.stringMatching(/^\d+\.\d+/) as string,
      maxmemoryPolicy: policy,
    });
    const wrong = redis.url.replace('secret', 'wrong');
    await expect(readRedisFacts(wrong)).rejects.toThrow(/WRONGPASS|NOAUTH|invalid/);
    await redis.stop();
    await expect(readRedisFacts(redis.url)).rejects.toThrow('ECONNREFUSED');
  },
);
