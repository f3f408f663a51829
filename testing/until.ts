import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Polls until the result is not null. Tests always wait for a condition, never for a fixed time.
 * @throws Error after `timeoutMs`
 */
export async function until<T>(
  condition: string,
  check: () => T | null | Promise<T | null>,
  timeoutMs = 120_000,
): Promise<T> {
  const end = performance.now() + timeoutMs;
  for (let pauseMs = 15; ; pauseMs = Math.min(60, pauseMs * 1.5)) {
    const answer = await check();
    if (answer !== null) return answer;
    if (performance.now() > end) throw new Error(`${condition}: not within ${timeoutMs} ms`);
    await sleep(pauseMs);
  }
}
