'use client';

import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { usePathname, useRouter } from 'next/navigation';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { useTRPCClient } from '../_trpc/client';
import { createLiveFeed, type FeedHost, type LiveEvent, type LiveFeed, type StreamEnds } from './live-feed';
import { isLive, isTold, pageTopics, type Told } from './live-reads';
import { createPaced } from './paced';

interface Found {
  readonly project: string;
  readonly feed: LiveFeed;
  readonly reader: Reader;
}

const Feed = createContext<Found | null>(null);

/** @throws Error outside of the pages of this project */
export function useFeed(project: string): LiveFeed {
  const found = useContext(Feed);
  if (found?.project !== project) throw new Error('no live feed: the page stands outside of the project');
  return found.feed;
}

/** Calls `reread` when what a list shows was told: a list that is read page by page knows best how it is read again. */
export function useTold(key: QueryKey, reread: () => void): void {
  const found = useContext(Feed);
  const latest = useRef({ key, reread });
  useEffect(() => {
    latest.current = { key, reread };
  });
  useEffect(() => found?.reader.addList(() => latest.current), [found]);
}

/** One connection a browser and project; what is told of is read again wherever a page shows it, without taking away what is shown. */
export function LiveProvider({ project, children }: { project: string; children: ReactNode }) {
  const client = useTRPCClient();
  const queries = useQueryClient();
  const router = useRouter();
  const pathname = usePathname();
  const [found] = useState(() => ({
    project,
    reader: createReader(queries, project),
    feed: createLiveFeed(
      `assay live ${project}`,
      browserHost(project, (ends) => openStream(client, project, ends)),
    ),
  }));
  const { feed, reader } = found;
  useEffect(() => {
    const unfollow = feed.follow((event) => reader.hear(event, () => router.refresh()));
    const stop = feed.start();
    return () => {
      stop();
      unfollow();
    };
  }, [feed, reader, router]);
  useEffect(() => reader.enter(pathname), [reader, pathname]);
  return <Feed value={found}>{children}</Feed>;
}

/** Reads are gathered so long, and a page of the server is asked for no more often than this. */
const readMs = 500;
const refreshMs = 2_000;
/** From the server's reading of a page to the moment it stands, at most: what is told in between belongs to no query yet. */
const arrivalMs = 5_000;

interface List {
  readonly key: QueryKey;
  readonly reread: () => void;
}

interface Reader {
  /** A list that reads itself again, until the function that is returned is called. */
  readonly addList: (list: () => List) => () => void;
  readonly hear: (event: LiveEvent | null, refresh: () => void) => void;
  /** Another page stands. */
  readonly enter: (pathname: string) => void;
}

function createReader(queries: QueryClient, project: string): Reader {
  const told = new Set<Told>();
  const lists = new Set<() => List>();
  const lately = new Map<Told, number>();
  let anything = false;
  const read = createPaced(readMs, async () => {
    const [all, topics] = [anything, new Set(told)];
    anything = false;
    told.clear();
    const isConcerned = (key: QueryKey): boolean => (all ? isLive(key, project) : isTold(key, project, topics));
    // A long list is not read again whole: those that are open do it by themselves, others when they are opened.
    void queries.invalidateQueries({ predicate: ({ queryKey }) => isList(queryKey) && isConcerned(queryKey), refetchType: 'none' });
    for (const list of lists) if (isConcerned(list().key)) list().reread();
    await queries.invalidateQueries({ predicate: ({ queryKey }) => !isList(queryKey) && isConcerned(queryKey) });
  });
  let refreshPage = (): void => undefined;
  const refresh = createPaced(refreshMs, async () => refreshPage());
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
  return {
    addList(list) {
      lists.add(list);
      return () => void lists.delete(list);
    },
    hear(event, again) {
      refreshPage = again;
      if (event === null) {
        anything = true;
        read();
        return;
      }
      const { settled, labelled, changed } = event;
      hearTopics([...changed, ...(settled > 0 ? (['verdicts'] as const) : []), ...(labelled > 0 ? (['labels'] as const) : [])]);
    },
    enter() {
      const since = Date.now() - arrivalMs;
      const recent = [...lately].flatMap(([topic, at]) => (at >= since ? [topic] : []));
      if (recent.length === 0) return;
      for (const topic of recent) told.add(topic);
      read();
    },
  };
}

/** As `usePages` names them. */
const isList = (key: QueryKey): boolean => key.at(-1) === 'pages';

function openStream(client: ReturnType<typeof useTRPCClient>, project: string, ends: StreamEnds): () => void {
  let over = false;
  const lose = (): void => {
    if (!over) ends.onLost();
  };
  const stream = client.verdicts.live.subscribe(
    { project },
    {
      onData: ends.onEvent,
      onConnectionStateChange(connection) {
        if (connection.state === 'pending') ends.onOpen();
        else if (connection.state === 'connecting' && connection.error !== null) ends.onBroken();
      },
      onError: lose,
      onComplete: lose,
    },
  );
  return () => {
    over = true;
    stream.unsubscribe();
  };
}

function browserHost(project: string, open: (ends: StreamEnds) => () => void): FeedHost {
  // Read when it is asked for: this is made on the server, too.
  return {
    open,
    get locks() {
      // Types promise it everywhere; browsers have it on https and localhost alone.
      const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
      return locks ?? null;
    },
    channel: () => (typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel(`assay live ${project}`)),
    isHidden: () => document.visibilityState === 'hidden',
    onVisibility(listener) {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
  };
}
