import { findRedis } from '../scripts/redis.mjs';
import { startRedis, type TestRedis } from './redis';
import { createStack, long, type Stack } from './stack';

/** A stack whose work all goes to the slow lane, on the queue backend selected by the test. */
export interface SlowStack extends Stack {
  readonly redis: TestRedis | null;
}

export const backends = ['postgres', 'redis'] as const;
export type Backend = (typeof backends)[number];

/** Tests of Redis are skipped if it is not installed. */
export const lacks = (backend: Backend): boolean =>
  backend === 'redis' && findRedis() === undefined;

/**
 * Leases, fences and judges are rows of PostgreSQL in every backend: tests of those alone run on
 * one backend, and on both in the long form.
 */
export const runsRowTests = (backend: Backend): boolean => long || backend === 'postgres';

export async function createSlowStack(
  serverUrl: string,
  backend: Backend,
  variables: Readonly<Record<string, string>> = {},
): Promise<SlowStack> {
  const redis = backend === 'redis' ? await startRedis() : null;
  const stack = await createStack(serverUrl, {
    ...variables,
    ...(redis === null ? {} : { REDIS_URL: redis.url }),
  });
  await stack.sql.unsafe(`
    create function test_to_slow() returns trigger language plpgsql as $$
      begin new.lane := 'slow'; perform pg_notify('assay_slow', ''); return new; end $$;
    create trigger test_to_slow before insert on work for each row execute function test_to_slow()`);
  return {
    ...stack,
    redis,
    async close() {
      await stack.close();
      await redis?.stop();
    },
  };
}
