/**
 * Like `Promise.all`, but waits for all of them before it rejects: a call still running would
 * otherwise be repeated by the retry.
 */
export async function allOf<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
