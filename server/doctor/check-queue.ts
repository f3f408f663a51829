import { readRedisFacts, type RedisFacts } from '../queue';
import { type Diagnosis, failed, messageOf, ok, warning } from './diagnosis';

/** The Redis that stores the jobs of the slow lane; without one the database stores them. */
export async function checkQueue(redisUrl: string | null): Promise<Diagnosis> {
  if (redisUrl === null) return ok('queue', 'the database stores the jobs');
  try {
    return queueDiagnosis(await readRedisFacts(redisUrl));
  } catch (error) {
    return failed(
      'queue',
      `Redis cannot be used: ${messageOf(error)}`,
      'Check REDIS_URL, and that Redis runs; verdicts that need a model wait until it does.',
    );
  }
}

export const queueDiagnosis = ({ version, maxmemoryPolicy }: RedisFacts): Diagnosis =>
  maxmemoryPolicy === 'noeviction'
    ? ok('queue', `Redis ${version} stores the jobs`)
    : warning(
        'queue',
        `Redis ${version} removes jobs when its memory is full (maxmemory-policy ${maxmemoryPolicy})`,
        'Set maxmemory-policy to noeviction.',
      );
