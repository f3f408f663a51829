'use client';

import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { useTRPCClient } from '../_trpc/client';
import { createLiveFeed, type FeedHost, type LiveFeed, type StreamEnds } from './live-feed';
import { createLiveReader, type LiveReader } from './live-reader';

interface Found {
  readonly project: string;
  readonly feed: LiveFeed;
  readonly reader: LiveReader;
}

const Feed = createContext<Found | null>(null);

/** @throws Error outside of the pages of this project */
export function useFeed(project: string): LiveFeed {
  const found = useContext(Feed);
  if (found?.project !== project) throw new Error('no live feed: the page is outside the project');
  return found.feed;
}

/** Calls `reread` when the data of a list has changed: a paginated list decides how it reloads. */
export function useTopicReads(key: QueryKey, reread: () => void): void {
  const found = useContext(Feed);
  const latest = useRef({ key, reread });
  useEffect(() => {
    latest.current = { key, reread };
  });
  useEffect(() => found?.reader.addList(() => latest.current), [found]);
}

/**
 * One connection per browser and project; changed data is refetched wherever a page shows it, while
 * the old data stays visible.
 */
export function LiveProvider({ project, children }: { project: string; children: ReactNode }) {
  const client = useTRPCClient();
  const queries = useQueryClient();
  const router = useRouter();
  const [found] = useState(() => ({
    project,
    reader: createLiveReader(queries, project),
    feed: createLiveFeed(
      `assay live ${project}`,
      browserHost(project, (ends) => openStream(client, project, ends)),
    ),
  }));
  const { feed, reader } = found;
  useEffect(() => {
    const stopWatching = reader.watch();
    const unfollow = feed.follow((event) => reader.handleEvent(event, () => router.refresh()));
    const stop = feed.start();
    // Back and Forward restore a page as the user left it, possibly long ago.
    const markStale = (): void => reader.markStale();
    addEventListener('popstate', markStale);
    return () => {
      removeEventListener('popstate', markStale);
      stop();
      unfollow();
      stopWatching();
    };
  }, [feed, reader, router]);
  return <Feed value={found}>{children}</Feed>;
}

function openStream(
  client: ReturnType<typeof useTRPCClient>,
  project: string,
  ends: StreamEnds,
): () => void {
  let isClosed = false;
  const lose = (): void => {
    if (!isClosed) ends.onLost();
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
    isClosed = true;
    stream.unsubscribe();
  };
}

function browserHost(project: string, open: (ends: StreamEnds) => () => void): FeedHost {
  // Looked up when used, since this also runs on the server.
  return {
    open,
    get locks() {
      // The types declare `locks` everywhere; browsers provide it only on https and localhost.
      const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>;
      return locks ?? null;
    },
    channel: () =>
      typeof BroadcastChannel === 'undefined'
        ? null
        : new BroadcastChannel(`assay live ${project}`),
    isHidden: () => document.visibilityState === 'hidden',
    onVisibility(listener) {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
  };
}
