/**
 * Lets one wait for a time or for a call, whichever comes first. Its timers keep no process alive.
 */
export class Bell {
  #ring: (() => void) | null = null;

  ring(): void {
    this.#ring?.();
  }

  async wait(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#ring = resolve;
      // The longest that timers take; who waits longer asks again.
      timer = setTimeout(resolve, Math.min(Math.ceil(ms), 2 ** 31 - 1));
      unref(timer);
    });
    this.#ring = null;
    clearTimeout(timer);
  }
}

/**
 * In Node, Bun and Deno a timer keeps the process alive unless it is told not to; browsers have
 * numbers.
 */
function unref(timer: unknown): void {
  if (
    typeof timer === 'object' &&
    timer !== null &&
    'unref' in timer &&
    typeof timer.unref === 'function'
  )
    timer.unref();
  const { Deno } = globalThis as { Deno?: { unrefTimer?: (id: unknown) => void } };
  if (typeof timer === 'number') Deno?.unrefTimer?.(timer);
}

/**
 * Keeps the process alive until it is let go: for as long as a host awaits what only timers would
 * bring about.
 */
export function holdProcess(): () => void {
  const timer = setInterval(() => undefined, 2 ** 30);
  return () => clearInterval(timer);
}

/**
 * Calls what the host gave: neither its exceptions nor its rejected promises are ours to spread.
 */
export function tell<T>(callback: ((value: T) => unknown) | undefined, value: T): void {
  if (callback === undefined) return;
  try {
    void Promise.resolve(callback(value)).catch(() => undefined);
  } catch {
    // The host's own fault, in the host's own code; there is nobody to tell it to.
  }
}
