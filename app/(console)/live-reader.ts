import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { LiveEvent } from './live-feed';
import { isLive, isTold, pageTopics, type Told } from './live-reads';

export const readerTimes = {
  /**
   * Reads are gathered so long, and a page of the server is asked for no more often than
   * `refreshMs`.
   */
  readMs: 500,
  refreshMs: 2_000,
  /**
   * From the server's reading of a page to the moment its parts stand, at most: what is told in
   * between belongs to no query yet.
   */
  arrivalMs: 5_000,
} as const;

interface List {
  readonly key: QueryKey;
  readonly reread: () => void;
}

export interface LiveReader {
  /** Looks at what comes to stand on the page, until the function that is returned is called. */
  readonly watch: () => () => void;
  /** A list that reads itself again, until the function that is returned is called. */
  readonly addList: (list: () => List) => () => void;
  /** What the feed tells; null for anything. `refresh` asks the server for the page. */
  readonly hear: (event: LiveEvent | null, refresh: () => void) => void;
  /** What comes to stand in the next moments may be of any age. */
  readonly distrust: () => void;
}

/** Reads again, where it is shown, what was told to have changed in a project. */
export function createLiveReader(queries: QueryClient, project: string): LiveReader {
  const told = new Set<Told>();
  const arrived = new Set<string>();
  const lists = new Set<() => List>();
  const lately = new Map<Told | 'anything', number>();
  let anything = false;
  const read = createPaced(readerTimes.readMs, async () => {
    const [all, topics, hashes] = [anything, new Set(told), new Set(arrived)];
    anything = false;
    told.clear();
    arrived.clear();
    const isConcerned = (key: QueryKey): boolean =>
      (all ? isLive(key, project) : isTold(key, project, topics)) || hashes.has(hashKey(key));
    await rereadQueries(queries, lists, isConcerned);
  });
  let refreshPage = (): void => undefined;
  const refresh = createPaced(readerTimes.refreshMs, async () => refreshPage());
  const hearTopics = (topics: Iterable<Told>): void => {
    let isPage = false;
    for (const topic of topics) {
      told.add(topic);
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
        : isTold(queryKey, project, topics))
    )
      return;
    arrived.add(queryHash);
    read();
  };
  return {
    watch: () =>
      queries.getQueryCache().subscribe(({ type, query }) => {
        // What comes with the page was read by the server a moment ago; what does not is read now.
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
  // A long list is not read again whole: those that are open do it by themselves, others when
  // they are opened.
  void queries.invalidateQueries({
    predicate: ({ queryKey }) => isList(queryKey) && isConcerned(queryKey),
    refetchType: 'none',
  });
  for (const list of lists) if (isConcerned(list().key)) list().reread();
  await queries.invalidateQueries({
    predicate: ({ queryKey }) => !isList(queryKey) && isConcerned(queryKey),
  });
}

/** As `usePages` names them. */
const isList = (key: QueryKey): boolean => key.at(-1) === 'pages';

/**
 * Calls `act` at once, and again no sooner than `restMs` after it has ended, however often it is
 * asked to: what is slow is not asked for more often than it can be had.
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
    // What comes in the same moment belongs together.
    setTimeout(run, 50);
  };
}
