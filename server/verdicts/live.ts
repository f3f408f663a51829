import {
  changeChannel,
  liveChannel,
  type LiveTopic,
  readChangeNotice,
  readLiveNotice,
} from '../domain';
import type { Ctx } from '../platform';

/** Changes in a project: settled verdicts, new labels, and topics with other data to reload. */
export interface LiveNews {
  readonly settled: number;
  readonly labelled: number;
  readonly changed: readonly LiveTopic[];
  /** This process lost its connection to PostgreSQL for a time: anything may have changed. */
  readonly missed: boolean;
}

export interface LiveVerdicts {
  /** Yields changes in the project as they arrive, until `signal` ends it. */
  follow(projectId: string, signal: AbortSignal): AsyncGenerator<LiveNews & { readonly at: Date }>;
}

type OnNews = (news: Partial<LiveNews>) => void;

/**
 * One connection listens for all followers in this process; postgres.js listens again automatically
 * after it loses the connection.
 */
export function createLiveVerdicts(ctx: Ctx): LiveVerdicts {
  const followers = new Map<string, Set<OnNews>>();
  let listening: Promise<unknown> | null = null;

  function notify(projectId: string, news: Partial<LiveNews>): void {
    for (const onNews of followers.get(projectId) ?? []) onNews(news);
  }

  /** Notices sent while the connection was down are lost: followers reload everything. */
  function listenTo(channel: string, onNotice: (payload: string) => void): Promise<unknown> {
    let wasOpen = false;
    return ctx.sql.listen(channel, onNotice, () => {
      if (wasOpen) for (const projectId of followers.keys()) notify(projectId, { missed: true });
      wasOpen = true;
    });
  }

  function listen(): Promise<unknown> {
    listening ??= Promise.all([
      listenTo(liveChannel, (payload) => {
        const { projectId, settled, labelled } = readLiveNotice(payload);
        notify(projectId, { settled, labelled });
      }),
      listenTo(changeChannel, (payload) => {
        const { projectId, topics } = readChangeNotice(payload);
        if (topics.length > 0) notify(projectId, { changed: topics });
      }),
    ]).catch((error: unknown) => {
      listening = null;
      throw error;
    });
    return listening;
  }

  return {
    async *follow(projectId, signal) {
      const sum = createSum();
      let wake: (() => void) | null = null;
      const onNews: OnNews = (news) => {
        sum.add(news);
        wake?.();
      };
      const ofProject = followers.get(projectId) ?? new Set();
      // Registered before listening, so that this follower also gets notices sent while the channel
      // is being opened.
      followers.set(projectId, ofProject.add(onNews));
      const stop = (): void => wake?.();
      signal.addEventListener('abort', stop);
      try {
        await listen();
        while (!signal.aborted) {
          // Changes that arrive while the follower is busy are merged into one sum: a slow reader
          // never accumulates events.
          const news = sum.take();
          if (news !== null) yield { ...news, at: ctx.clock.now() };
          else {
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
            wake = null;
          }
        }
      } finally {
        signal.removeEventListener('abort', stop);
        ofProject.delete(onNews);
        if (ofProject.size === 0) followers.delete(projectId);
      }
    },
  };
}

interface Sum {
  add(news: Partial<LiveNews>): void;
  /** The changes since the last call; null if there are none. */
  take(): LiveNews | null;
}

/**
 * Merges notices. The size is bounded by the number of topics, regardless of the number of notices.
 */
function createSum(): Sum {
  let counts = { settled: 0, labelled: 0, missed: false };
  const changed = new Set<LiveTopic>();
  return {
    add(news) {
      counts = {
        settled: counts.settled + (news.settled ?? 0),
        labelled: counts.labelled + (news.labelled ?? 0),
        missed: counts.missed || news.missed === true,
      };
      for (const topic of news.changed ?? []) changed.add(topic);
    },
    take() {
      const { settled, labelled, missed } = counts;
      if (settled + labelled + changed.size === 0 && !missed) return null;
      const news = { settled, labelled, missed, changed: [...changed] };
      counts = { settled: 0, labelled: 0, missed: false };
      changed.clear();
      return news;
    },
  };
}
