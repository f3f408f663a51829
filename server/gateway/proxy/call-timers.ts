/** The timers of one call: none keeps the process, and all end with the call. */
export class CallTimers {
  readonly #running = new Set<NodeJS.Timeout>();

  /** @param act must not throw: there is no one to catch it */
  after(ms: number, act: () => void): void {
    const timer = setTimeout(
      () => {
        this.#running.delete(timer);
        act();
      },
      Math.max(0, ms),
    );
    this.#running.add(timer.unref());
  }

  /** @param act must not throw: there is no one to catch it */
  every(ms: number, act: () => void): void {
    this.#running.add(setInterval(act, ms).unref());
  }

  clear(): void {
    // A timeout may be cleared as an interval and the other way round.
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
