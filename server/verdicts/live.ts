import { liveChannel, readLiveNotice } from '../domain';
import type { Ctx } from '../platform';

/** What is new in a project: verdicts that settled, labels that were appended. */
export interface LiveNews {
  readonly settled: number;
  readonly labelled: number;
}

export interface LiveVerdicts {
  /** Yields what is new in the project, as it comes, until `signal` ends it. */
  follow(projectId: string, signal: AbortSignal): AsyncGenerator<LiveNews & { readonly at: Date }>;
}

const nothing: LiveNews = { settled: 0, labelled: 0 };

/** One LISTEN for all followers of this process; postgres.js listens again by itself after a lost connection. */
export function createLiveVerdicts(ctx: Ctx): LiveVerdicts {
  const followers = new Map<string, Set<(news: LiveNews) => void>>();
  let listening: Promise<unknown> | null = null;

  function listen(): Promise<unknown> {
    listening ??= ctx.sql
      .listen(liveChannel, (payload) => {
        const { projectId, settled, labelled } = readLiveNotice(payload);
        for (const tell of followers.get(projectId) ?? []) tell({ settled, labelled });
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
      let news = nothing;
      let wake: (() => void) | null = null;
      const tell = ({ settled, labelled }: LiveNews): void => {
        news = { settled: news.settled + settled, labelled: news.labelled + labelled };
        wake?.();
      };
      const ofProject = followers.get(projectId) ?? new Set();
      followers.set(projectId, ofProject.add(tell));
      const stop = (): void => wake?.();
      signal.addEventListener('abort', stop);
      try {
        while (!signal.aborted) {
          if (news.settled + news.labelled > 0) {
            // Whatever came while the follower was busy comes as one sum: a slow reader never piles up events.
            const sum = news;
            news = nothing;
            yield { ...sum, at: ctx.clock.now() };
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
