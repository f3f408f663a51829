/**
 * As `Promise.all`, but nothing goes on behind the back of whoever is told that one of them broke:
 * it would be asked a second time.
 */
export async function allOf<T>(running: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(running);
  return Promise.all(running);
}
