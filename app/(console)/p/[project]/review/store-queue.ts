/** Concurrent calls: more would wait in the browser anyway. */
const width = 4;

interface Job {
  readonly key: string;
  readonly run: () => Promise<void>;
}

/**
 * Runs up to 4 jobs at once, and those of one key one by one in their order: an undo follows its
 * ruling.
 */
export class StoreQueue {
  readonly #waiting: Job[] = [];
  readonly #running = new Set<string>();

  /** @returns the result of the job; a failed job stops no other */
  add<T>(key: string, job: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ key, run: () => job().then(resolve, reject) });
      this.#start();
    });
  }

  #start(): void {
    while (this.#running.size < width) {
      const at = this.#waiting.findIndex(({ key }) => !this.#running.has(key));
      const [job] = at === -1 ? [] : this.#waiting.splice(at, 1);
      if (job === undefined) return;
      this.#running.add(job.key);
      void job.run().finally(() => {
        this.#running.delete(job.key);
        this.#start();
      });
    }
  }
}

const queues = new Map<string, StoreQueue>();

/**
 * The queue of one project and person. It outlives the review page, so that pending rulings are
 * also stored when the reader goes to another page.
 */
export function queueOf(name: string): StoreQueue {
  const queue = queues.get(name) ?? new StoreQueue();
  queues.set(name, queue);
  return queue;
}
