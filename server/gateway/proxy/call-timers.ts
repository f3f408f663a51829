/** The timers of one call. They do not keep the process alive, and end with the call. */
export class CallTimers {
  readonly #running = new Set<NodeJS.Timeout>();

  /** @param act must not throw, since no caller would catch the error */
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

  /** @param act must not throw, since no caller would catch the error */
  every(ms: number, act: () => void): void {
    this.#running.add(setInterval(act, ms).unref());
  }

  clear(): void {
    // `clearTimeout` also clears intervals.
    for (const timer of this.#running) clearTimeout(timer);
    this.#running.clear();
  }
}
