import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Asks until the answer is not null; what a test waits for is always such an answer, never a time.
 * @throws Error after `timeoutMs`
 */
export async function until<T>(
  what: string,
  ask: () => T | null | Promise<T | null>,
  timeoutMs = 120_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null) return answer;
    if (performance.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(15);
  }
}
