/**
 * Calls `act` at once, and again no sooner than `restMs` after it has ended, however often it is
 * asked to: what is slow is not asked for more often than it can be had.
 */
export function createPaced(restMs: number, act: () => Promise<unknown>): () => void {
  let isAsked = false;
  let isBusy = false;
  const run = (): void => {
    if (!isAsked) {
      isBusy = false;
      return;
    }
    isAsked = false;
    isBusy = true;
    void act()
      .catch(() => undefined)
      .finally(() => setTimeout(run, restMs));
  };
  return () => {
    isAsked = true;
    if (isBusy) return;
    isBusy = true;
    // What comes in the same moment belongs together.
    setTimeout(run, 50);
  };
}
