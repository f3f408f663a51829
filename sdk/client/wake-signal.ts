/**
 * Waits for a timeout or a wake-up call, whichever comes first. Its timers do not keep the process
 * alive.
 */
export class WakeSignal {
  #wake: (() => void) | null = null;

  wake(): void {
    this.#wake?.();
  }

  async wait(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      // The longest delay that timers accept; the caller repeats a longer wait.
      timer = setTimeout(resolve, Math.min(Math.ceil(ms), 2 ** 31 - 1));
      unref(timer);
    });
    this.#wake = null;
    clearTimeout(timer);
  }
}

/**
 * In Node, Bun and Deno a timer keeps the process alive unless it is unreferenced; in browsers a
 * timer is a number.
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
 * Keeps the process alive until it is released, while a host awaits something that only timers can
 * complete.
 */
export function keepProcessAlive(): () => void {
  const timer = setInterval(() => undefined, 2 ** 30);
  return () => clearInterval(timer);
}

/**
 * Calls a callback of the host; its exceptions and rejected promises must not reach our callers.
 */
export function callListener<T>(callback: ((value: T) => unknown) | undefined, value: T): void {
  if (callback === undefined) return;
  try {
    void Promise.resolve(callback(value)).catch(() => undefined);
  } catch {
    // A fault in the host's own code; there is nowhere to report it.
  }
}
