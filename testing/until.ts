import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until the answer is not null; tests always wait for such an answer, never for a time.
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
