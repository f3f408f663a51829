/**
 * Starts calls in order of arrival, while the total weight of the running ones is within the
 * capacity.
 */
export type Semaphore = <T>(weight: number, run: () => Promise<T>) => Promise<T>;

export function createSemaphore(capacity: number): Semaphore {
  let free = capacity;
  const waiting: { readonly weight: number; readonly start: () => void }[] = [];
  const startNext = (): void => {
    for (let next = waiting[0]; next !== undefined && next.weight <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.weight;
      next.start();
    }
  };
  return async (weight, run) => {
    await new Promise<void>((start) => {
      waiting.push({ weight, start });
      startNext();
    });
    try {
      return await run();
    } finally {
      free += weight;
      startNext();
    }
  };
}
