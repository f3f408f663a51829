/**
 * Slots for work that runs sandboxes, shared between projects. A project uses at most `size` /
 * (active projects + 1) of them, so that the next project always finds a slot, however much the
 * first one sends (S-116). A single project therefore gets half of them.
 */
export interface BoxShares {
  /**
   * Takes a slot, after other projects and after earlier work of the same project.
   *
   * @returns the function that releases the slot; `crowded` at once if as much of the project's
   * work is waiting as may run; `ended` if `signal` fires first
   */
  take(project: string, signal: AbortSignal): Promise<(() => void) | 'crowded' | 'ended'>;
}

interface Share {
  running: number;
  readonly waiting: Set<(given: boolean) => void>;
}

export function createBoxShares(size: number): BoxShares {
  const shares = new Map<string, Share>();
  let free = size;

  const maxPerProject = (): number => Math.max(1, Math.floor(size / (shares.size + 1)));

  /** Assigns free slots to waiting requests, first to the project that uses the fewest. */
  function assignFree(): void {
    while (free > 0) {
      const [next] = [...shares.values()]
        .filter(({ running, waiting }) => waiting.size > 0 && running < maxPerProject())
        .toSorted((a, b) => a.running - b.running);
      const [first] = next?.waiting ?? [];
      if (next === undefined || first === undefined) return;
      free--;
      next.running++;
      first(true);
    }
  }

  function shareOf(project: string): Share {
    const share = shares.get(project) ?? { running: 0, waiting: new Set() };
    shares.set(project, share);
    return share;
  }

  /** Removes a project without slots or requests, which increases the share of the others. */
  function forgetIdle(project: string, share: Share): void {
    if (share.running === 0 && share.waiting.size === 0) shares.delete(project);
  }

  function leave(project: string, share: Share): void {
    free++;
    share.running--;
    forgetIdle(project, share);
    assignFree();
  }

  return {
    take(project, signal) {
      if (signal.aborted) return Promise.resolve('ended');
      const share = shareOf(project);
      if (share.waiting.size >= maxPerProject()) return Promise.resolve('crowded');
      return new Promise((resolve) => {
        const end = (given: boolean): void => {
          share.waiting.delete(end);
          signal.removeEventListener('abort', giveUp);
          if (!given) forgetIdle(project, share);
          resolve(given ? onceOnly(() => leave(project, share)) : 'ended');
        };
        const giveUp = (): void => {
          end(false);
          assignFree();
        };
        signal.addEventListener('abort', giveUp, { once: true });
        share.waiting.add(end);
        assignFree();
      });
    },
  };
}

function onceOnly(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    run();
  };
}
