/**
 * Like `Promise.all`, but waits for all promises before it rejects. Otherwise a retry could repeat
 * a call that is still running.
 */
export async function allOf<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
