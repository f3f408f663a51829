'use client';

import { useEffect, useRef, useSyncExternalStore } from 'react';
import { announce } from '../_ui/announcer';
import type { LiveFeed, LiveState } from './live-feed';
import { useFeed } from './live-provider';

export type { LiveState } from './live-feed';

/** How many verdicts settled and labels were appended since the last call. */
export interface LiveNews {
  readonly settled: number;
  readonly labelled: number;
}

/**
 * Calls `onNews` when verdicts of the project settle or labels are appended, at most once in
 * `everyMs`, and says politely how many: a batch of thousands must neither refetch nor speak
 * thousands of times. Null stands for what may have been missed. What else changes is read again
 * without a page's doing (`live-reads.ts`).
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
    let held = { settled: 0, labelled: 0 };
    let timer: ReturnType<typeof setTimeout> | null = null;
    // Events between the first render and the subscription were not received: read once more.
    if (feed.state() === 'live') latest.current(null);
    const unfollow = feed.follow((event) => {
      if (event === null) return latest.current(null);
      if (event.settled + event.labelled === 0) return;
      held = { settled: held.settled + event.settled, labelled: held.labelled + event.labelled };
      timer ??= setTimeout(() => {
        const news = held;
        held = { settled: 0, labelled: 0 };
        timer = null;
        sayNews(news);
        latest.current(news);
      }, everyMs);
    });
    return () => {
      unfollow();
      if (timer !== null) clearTimeout(timer);
      sayWhatComes(feed, held);
    };
  }, [feed, everyMs]);
  return useSyncExternalStore(feed.onState, feed.state, () => 'connecting');
}

/**
 * What is new may itself put another part of the page in the place of the one that heard it: what
 * was heard, and what comes meanwhile, is said.
 */
const meanwhileMs = 1_000;

function sayWhatComes(feed: LiveFeed, heard: LiveNews): void {
  let news = heard;
  const unfollow = feed.follow((event) => {
    if (event !== null)
      news = { settled: news.settled + event.settled, labelled: news.labelled + event.labelled };
  });
  setTimeout(() => {
    unfollow();
    sayNews(news);
  }, meanwhileMs);
}

/** Several parts of a page may follow: the same is said once. */
const sameMs = 1_500;
let said = { text: '', at: 0 };

function sayNews({ settled, labelled }: LiveNews): void {
  const text = [count(settled, 'verdict'), count(labelled, 'label')]
    .filter((part) => part !== '')
    .join(', ');
  const now = performance.now();
  if (text === '' || (text === said.text && now - said.at < sameMs)) return;
  said = { text, at: now };
  announce(text);
}

function count(many: number, noun: string): string {
  if (many === 0) return '';
  return many === 1 ? `1 new ${noun}` : `${many} new ${noun}s`;
}
