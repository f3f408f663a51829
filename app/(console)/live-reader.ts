import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { LiveEvent } from './live-feed';
import { isLive, isAffected, pageTopics, type ReadTopic } from './live-reads';

export const readerTimes = {
  /** The minimum time between two reloads of queries. */
  readMs: 500,
  /** The minimum time between two refreshes of a server-rendered page. */
  refreshMs: 2_000,
  /**
   * The longest expected time from when the server reads a page's data until its queries mount. A
   * change announced in that time matches no mounted query yet.
   */
  arrivalMs: 5_000,
} as const;

interface List {
  readonly key: QueryKey;
  readonly reread: () => void;
}

export interface LiveReader {
  /** Observes queries that mount on the page, until the returned function is called. */
  readonly watch: () => () => void;
  /** Registers a list that reloads itself, until the returned function is called. */
  readonly addList: (list: () => List) => () => void;
  /**
   * Handles an event of the feed; null means that anything may have changed. `refresh` rerenders
   * the page on the server.
   */
  readonly handleEvent: (event: LiveEvent | null, refresh: () => void) => void;
  /** Treats data that mounts within the next `arrivalMs` as possibly stale. */
  readonly markStale: () => void;
}

/** Reloads the queries and lists that announced changes of a project affect. */
export function createLiveReader(queries: QueryClient, project: string): LiveReader {
  const announced = new Set<ReadTopic>();
  const mountedHashes = new Set<string>();
  const lists = new Set<() => List>();
  const announcedAt = new Map<ReadTopic | 'anything', number>();
  let mayAllBeStale = false;
  const read = createThrottled(readerTimes.readMs, async () => {
    const [all, topics, hashes] = [mayAllBeStale, new Set(announced), new Set(mountedHashes)];
    mayAllBeStale = false;
    announced.clear();
    mountedHashes.clear();
    const isAffectedQuery = (key: QueryKey): boolean =>
      (all ? isLive(key, project) : isAffected(key, project, topics)) || hashes.has(hashKey(key));
    await rereadQueries(queries, lists, isAffectedQuery);
  });
  let refreshPage = (): void => undefined;
  const refresh = createThrottled(readerTimes.refreshMs, async () => refreshPage());
  const handleTopics = (topics: Iterable<ReadTopic>): void => {
    let isPage = false;
    for (const topic of topics) {
      announced.add(topic);
      announcedAt.set(topic, Date.now());
      isPage ||= pageTopics.has(topic);
    }
    read();
    if (isPage) refresh();
  };
  const reloadIfStale = ({ queryKey, queryHash }: Query): void => {
    const since = Date.now() - readerTimes.arrivalMs;
    const recent = [...announcedAt].flatMap(([topic, at]) => (at >= since ? [topic] : []));
    const topics = recent.filter((topic) => topic !== 'anything');
    if (
      !(topics.length < recent.length
        ? isLive(queryKey, project)
        : isAffected(queryKey, project, topics))
    )
      return;
    mountedHashes.add(queryHash);
    read();
  };
  return {
    watch: () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        // The server read the data that came with the page a moment ago, so it may be stale; a
        // query without data is only now being loaded.
        if (type === 'added' && query.state.data !== undefined) reloadIfStale(query);
      }),
    addList(list) {
      lists.add(list);
      return () => void lists.delete(list);
    },
    handleEvent(event, refreshNow) {
      refreshPage = refreshNow;
      if (event === null) {
        announcedAt.set('anything', Date.now());
        mayAllBeStale = true;
        read();
        return;
      }
      const { settled, labelled, changed } = event;
      handleTopics([
        ...changed,
        ...(settled > 0 ? (['verdicts'] as const) : []),
        ...(labelled > 0 ? (['labels'] as const) : []),
      ]);
    },
    markStale: () => void announcedAt.set('anything', Date.now()),
  };
}

async function rereadQueries(
  queries: QueryClient,
  lists: ReadonlySet<() => List>,
  isAffectedQuery: (key: QueryKey) => boolean,
): Promise<void> {
  // A paged list is not refetched as a whole: mounted lists reload themselves, the others are
  // reloaded when they mount.
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => isList(queryKey) && isAffectedQuery(queryKey),
    refetchType: 'none',
  });
  for (const list of lists) if (isAffectedQuery(list().key)) list().reread();
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => !isList(queryKey) && isAffectedQuery(queryKey),
  });
}

/** Whether the key is one of `usePages`. */
const isList = (key: QueryKey): boolean => key.at(-1) === 'pages';

/**
 * Throttles `act`. Requests made while it runs, or within `pauseMs` after it has ended, are merged
 * into one further call, so a slow read is never repeated faster than it is answered.
 */
function createThrottled(pauseMs: number, act: () => Promise<unknown>): () => void {
  let isRequested = false;
  let isBusy = false;
  const run = (): void => {
    if (!isRequested) {
      isBusy = false;
      return;
    }
    isRequested = false;
    isBusy = true;
    void act()
      .catch(() => undefined)
      .finally(() => setTimeout(run, pauseMs));
  };
  return () => {
    isRequested = true;
    if (isBusy) return;
    isBusy = true;
    // Merges events that arrive at almost the same time.
    setTimeout(run, 50);
  };
}
