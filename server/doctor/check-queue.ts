import { Redis } from 'ioredis';
import { type Diagnosis, failed, messageOf, ok, warning } from './diagnosis';

const timeoutMs = 3_000;

/** The Redis that stores the jobs of the slow lane; without one the database stores them. */
export async function checkQueue(redisUrl: string | null): Promise<Diagnosis> {
  if (redisUrl === null) return ok('queue', 'the database stores the jobs');
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  // The command that fails reports the error, too.
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return diagnosisOf(await redis.info());
  } catch (error) {
    return failed(
      'queue',
      `Redis cannot be used: ${messageOf(error)}`,
      'Check REDIS_URL, and that Redis runs; verdicts that need a model wait until it does.',
    );
  } finally {
    redis.disconnect();
  }
}

function diagnosisOf(info: string): Diagnosis {
  const facts = new Map(
    info.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1)] as const;
    }),
  );
  const name = `Redis ${facts.get('redis_version') ?? 'of an unknown version'}`;
  const policy = facts.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction')
    return warning(
      'queue',
      `${name} removes jobs when its memory is full (maxmemory-policy ${policy})`,
      'Set maxmemory-policy to noeviction.',
    );
  return ok('queue', `${name} stores the jobs`);
}
