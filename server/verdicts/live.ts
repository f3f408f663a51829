import type { Ctx } from '../platform';

export interface LiveVerdicts {
  /** Yields the number of verdicts that settled in the project, as they settle, until `signal` ends it. */
  follow(projectId: string, signal: AbortSignal): AsyncGenerator<{ settled: number; at: Date }>;
}

/** One LISTEN for all followers of this process; postgres.js listens again by itself after a lost connection. */
export function createLiveVerdicts(ctx: Ctx): LiveVerdicts {
  const followers = new Map<string, Set<(settled: number) => void>>();
  let listening: Promise<unknown> | null = null;

  function listen(): Promise<unknown> {
    listening ??= ctx.sql
      .listen('assay_verdicts', (payload) => {
        const [projectId = '', count = '0'] = payload.split(' ');
        for (const tell of followers.get(projectId) ?? []) tell(Number(count));
      })
      .catch((error: unknown) => {
        listening = null;
        throw error;
      });
    return listening;
  }

  return {
    async *follow(projectId, signal) {
      await listen();
      let settled = 0;
      let wake: (() => void) | null = null;
      const tell = (count: number): void => {
        settled += count;
        wake?.();
      };
      const ofProject = followers.get(projectId) ?? new Set();
      followers.set(projectId, ofProject.add(tell));
      const stop = (): void => wake?.();
      signal.addEventListener('abort', stop);
      try {
        while (!signal.aborted) {
          if (settled > 0) {
            // Whatever settled while the follower was busy comes as one sum: a slow reader never piles up events.
            const sum = settled;
            settled = 0;
            yield { settled: sum, at: ctx.clock.now() };
          } else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            wake = null;
          }
        }
      } finally {
        signal.removeEventListener('abort', stop);
        ofProject.delete(tell);
        if (ofProject.size === 0) followers.delete(projectId);
      }
    },
  };
}
