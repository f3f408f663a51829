'use client';

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { announce } from '../_ui/announcer';
import type { LiveFeed, LiveState } from './live-feed';
import { useFeed } from './live-provider';

export type { LiveState } from './live-feed';

/** Numbers of verdicts settled and labels appended since the last call. */
export interface LiveNews {
  readonly settled: number;
  readonly labelled: number;
}

/**
 * Calls `onNews` when verdicts of the project settle or labels are appended, at most once per
 * `everyMs`, and announces their number politely. A batch of thousands must cause neither thousands
 * of refetches nor of announcements. Null means that events may have been missed. Other changes are
 * reloaded automatically (`live-reads.ts`).
 */
export function useLive(
  project: string,
  onNews: (news: LiveNews | null) => void,
  everyMs = 1000,
): LiveState {
  const feed = useFeed(project);
  const latest = useRef(onNews);
  useEffect(() => {
    latest.current = onNews;
  });
  useEffect(() => {
    let pending = { settled: 0, labelled: 0 };
    let timer: ReturnType<typeof setTimeout> | null = null;
    // Events between the first render and the subscription were not received: reload once.
    if (feed.state() === 'live') latest.current(null);
    const unfollow = feed.follow((event) => {
      if (event === null) return latest.current(null);
      if (event.settled + event.labelled === 0) return;
      pending = {
        settled: pending.settled + event.settled,
        labelled: pending.labelled + event.labelled,
      };
      timer ??= setTimeout(() => {
        const news = pending;
        pending = { settled: 0, labelled: 0 };
        timer = null;
        announceNews(news);
        latest.current(news);
      }, everyMs);
    });
    return () => {
      unfollow();
      if (timer !== null) clearTimeout(timer);
      announceNext(feed, pending);
    };
  }, [feed, everyMs]);
  return useSyncExternalStore(feed.onState, feed.state, () => 'connecting');
}

/**
 * An update may replace the component that received the event. For this long, its pending news and
 * later events are still announced.
 */
const meanwhileMs = 1_000;

function announceNext(feed: LiveFeed, pending: LiveNews): void {
  let news = pending;
  const unfollow = feed.follow((event) => {
    if (event !== null)
      news = { settled: news.settled + event.settled, labelled: news.labelled + event.labelled };
  });
  setTimeout(() => {
    unfollow();
    announceNews(news);
  }, meanwhileMs);
}

/**
 * Several parts of a page may follow the feed: within this time, the same text is announced once.
 */
const sameMs = 1_500;
let lastAnnounced = { text: '', at: 0 };

function announceNews({ settled, labelled }: LiveNews): void {
  const text = [count(settled, 'verdict'), count(labelled, 'label')]
    .filter((part) => part !== '')
    .join(', ');
  const now = performance.now();
  if (text === '' || (text === lastAnnounced.text && now - lastAnnounced.at < sameMs)) return;
  lastAnnounced = { text, at: now };
  announce(text);
}

function count(many: number, noun: string): string {
  if (many === 0) return '';
  return many === 1 ? `1 new ${noun}` : `${many} new ${noun}s`;
}
