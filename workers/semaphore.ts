/** Runs calls in order of arrival while their total weight is within the capacity. */
export type Semaphore = <T>(weight: number, run: () => Promise<T>) => Promise<T>;

export function createSemaphore(bears: number): Semaphore {
  let free = bears;
  const waiting: { readonly weight: number; readonly go: () => void }[] = [];
  const callNext = (): void => {
    for (let next = waiting[0]; next !== undefined && next.weight <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.weight;
      next.go();
    }
  };
  return async (weight, run) => {
    await new Promise<void>((go) => {
      waiting.push({ weight, go });
      callNext();
    });
    try {
      return await run();
    } finally {
      free += weight;
      callNext();
    }
  };
}
