import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { LiveEvent } from './live-feed';
import { isLive, isAffected, pageTopics, type ReadTopic } from './live-reads';

export const readerTimes = {
  /**
   * Reloads are gathered for this long; a server-rendered page is refreshed at most once per
   * `refreshMs`.
   */
  readMs: 500,
  refreshMs: 2_000,
  /**
   * Longest time from the server's read of a page until its parts mount: changes announced in
   * between match no query yet.
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
   * Handles an event of the feed; null means any change. `refresh` rerenders the page on the
   * server.
   */
  readonly hear: (event: LiveEvent | null, refresh: () => void) => void;
  /** Data mounted in the next moments may be of any age. */
  readonly distrust: () => void;
}

/** Reloads announced changes of a project wherever they are shown. */
export function createLiveReader(queries: QueryClient, project: string): LiveReader {
  const announced = new Set<ReadTopic>();
  const arrived = new Set<string>();
  const lists = new Set<() => List>();
  const lately = new Map<ReadTopic | 'anything', number>();
  let anything = false;
  const read = createPaced(readerTimes.readMs, async () => {
    const [all, topics, hashes] = [anything, new Set(announced), new Set(arrived)];
    anything = false;
    announced.clear();
    arrived.clear();
    const isConcerned = (key: QueryKey): boolean =>
      (all ? isLive(key, project) : isAffected(key, project, topics)) || hashes.has(hashKey(key));
    await rereadQueries(queries, lists, isConcerned);
  });
  let refreshPage = (): void => undefined;
  const refresh = createPaced(readerTimes.refreshMs, async () => refreshPage());
  const hearTopics = (topics: Iterable<ReadTopic>): void => {
    let isPage = false;
    for (const topic of topics) {
      announced.add(topic);
      lately.set(topic, Date.now());
      isPage ||= pageTopics.has(topic);
    }
    read();
    if (isPage) refresh();
  };
  const meet = ({ queryKey, queryHash }: Query): void => {
    const since = Date.now() - readerTimes.arrivalMs;
    const recent = [...lately].flatMap(([topic, at]) => (at >= since ? [topic] : []));
    const topics = recent.filter((topic) => topic !== 'anything');
    if (
      !(topics.length < recent.length
        ? isLive(queryKey, project)
        : isAffected(queryKey, project, topics))
    )
      return;
    arrived.add(queryHash);
    read();
  };
  return {
    watch: () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        // Data that comes with the page was read by the server a moment ago; anything else is
        // loaded now.
        if (type === 'added' && query.state.data !== undefined) meet(query);
      }),
    addList(list) {
      lists.add(list);
      return () => void lists.delete(list);
    },
    hear(event, again) {
      refreshPage = again;
      if (event === null) {
        lately.set('anything', Date.now());
        anything = true;
        read();
        return;
      }
      const { settled, labelled, changed } = event;
      hearTopics([
        ...changed,
        ...(settled > 0 ? (['verdicts'] as const) : []),
        ...(labelled > 0 ? (['labels'] as const) : []),
      ]);
    },
    distrust: () => void lately.set('anything', Date.now()),
  };
}

async function rereadQueries(
  queries: QueryClient,
  lists: ReadonlySet<() => List>,
  isConcerned: (key: QueryKey) => boolean,
): Promise<void> {
  // A long list is not reloaded whole: open ones do it themselves, others when they are opened.
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => isList(queryKey) && isConcerned(queryKey),
    refetchType: 'none',
  });
  for (const list of lists) if (isConcerned(list().key)) list().reread();
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => !isList(queryKey) && isConcerned(queryKey),
  });
}

/** Query keys of `usePages`. */
const isList = (key: QueryKey): boolean => key.at(-1) === 'pages';

/**
 * Calls `act` at once, and again `restMs` after it has ended at the earliest, however often it is
 * requested: a slow read is not repeated faster than it can be answered.
 */
function createPaced(restMs: number, act: () => Promise<unknown>): () => void {
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
    // Events of the same moment belong together.
    setTimeout(run, 50);
  };
}
