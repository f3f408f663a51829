import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createLiveFeed,
  type FeedHost,
  feedTimes,
  type LiveEvent,
  type StreamEnds,
} from './live-feed';

const event = (part: Partial<LiveEvent> = {}): LiveEvent => ({
  settled: 0,
  labelled: 0,
  changed: [],
  missed: false,
  ...part,
});

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/**
 * Simulates the shared parts of a browser's tabs: locks granted in order, and channels that reach
 * all others.
 */
function createBrowser() {
  const queue: { readonly grant: () => void; readonly hold: () => Promise<unknown> }[] = [];
  let holder: { readonly lose: (error: Error) => void } | null = null;
  const channels = new Set<{ post: (data: unknown) => void }>();
  function next(): void {
    const first = queue.shift();
    if (first !== undefined) first.grant();
  }
  const request = (
    _name: string,
    options: { steal?: boolean; signal?: AbortSignal },
    hold: () => Promise<unknown>,
  ): Promise<unknown> =>
    new Promise((done, fail) => {
      const grant = (): void => {
        const mine = { lose: fail };
        holder = mine;
        void (async () => {
          const value = await hold();
          if (holder === mine) {
            holder = null;
            next();
          }
          done(value);
        })();
      };
      const entry = { grant, hold };
      options.signal?.addEventListener('abort', () => {
        const at = queue.indexOf(entry);
        if (at >= 0) queue.splice(at, 1);
        fail(new Error('aborted'));
      });
      if (options.steal === true) {
        holder?.lose(new Error('stolen'));
        grant();
      } else if (holder === null) grant();
      else queue.push(entry);
    });
  const channel = (isDeaf: () => boolean) => {
    const own: {
      post: (data: unknown) => void;
      onmessage: ((message: { data: unknown }) => void) | null;
    } = {
      post: (data) => {
        if (!isDeaf()) own.onmessage?.({ data });
      },
      onmessage: null,
    };
    channels.add(own);
    return Object.assign(own, {
      postMessage: (data: unknown) => {
        if (isDeaf()) return;
        for (const other of channels) if (other !== own) queueMicrotask(() => other.post(data));
      },
      close: () => void channels.delete(own),
    }) as unknown as BroadcastChannel;
  };
  return { locks: { request } as unknown as LockManager, channel };
}

function createTab(browser: ReturnType<typeof createBrowser>, { locks = true } = {}) {
  const streams: { readonly ends: StreamEnds; closed: boolean }[] = [];
  const watchers = new Set<() => void>();
  const tab = { hidden: false, asleep: false };
  const host: FeedHost = {
    open(ends) {
      const stream = { ends, closed: false };
      streams.push(stream);
      return () => void (stream.closed = true);
    },
    locks: locks ? browser.locks : null,
    channel: () => browser.channel(() => tab.asleep),
    isHidden: () => tab.hidden,
    onVisibility(listener) {
      watchers.add(listener);
      return () => void watchers.delete(listener);
    },
  };
  const feed = createLiveFeed('assay live ops', host);
  const heard: (LiveEvent | null)[] = [];
  feed.follow((each) => heard.push(each));
  const stop = feed.start();
  return {
    heard,
    streams,
    open: () => streams.filter(({ closed }) => !closed),
    state: feed.state,
    stop,
    sleep: () => void (tab.asleep = true),
    show(seen: boolean) {
      tab.hidden = !seen;
      for (const watch of watchers) watch();
    },
  };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

test('11.4 eight tabs of a browser share one stream, all receive its events, and the next takes over when its tab closes', async () => {
  const browser = createBrowser();
  const tabs = Array.from({ length: 8 }, () => createTab(browser));
  await settle();
  expect(tabs.map((tab) => tab.open().length)).toEqual([1, 0, 0, 0, 0, 0, 0, 0]);
  tabs[0]?.open()[0]?.ends.onOpen();
  await settle();
  // One reload in each tab replaces the earlier events.
  expect(tabs.map((tab) => [tab.state(), tab.heard])).toEqual(tabs.map(() => ['live', [null]]));
  tabs[0]?.open()[0]?.ends.onEvent(event({ changed: ['keys'] }));
  await settle();
  for (const tab of tabs) expect(tab.heard).toEqual([null, event({ changed: ['keys'] })]);
  tabs[0]?.stop();
  await settle();
  expect(tabs.map((tab) => tab.open().length)).toEqual([0, 1, 0, 0, 0, 0, 0, 0]);
  expect(tabs[2]?.state()).toBe('live');
  tabs[1]?.open()[0]?.ends.onOpen();
  await settle();
  // In between no tab received anything.
  expect(tabs[7]?.heard).toEqual([null, event({ changed: ['keys'] }), null]);
});

test('a broken stream is announced to all tabs, and missed changes are loaded again', async () => {
  const browser = createBrowser();
  const [first, second] = [createTab(browser), createTab(browser)];
  await settle();
  const { ends } = first.streams[0] ?? { ends: null };
  ends?.onOpen();
  ends?.onBroken();
  await settle();
  expect([first.state(), second.state()]).toEqual(['broken', 'broken']);
  ends?.onOpen();
  ends?.onEvent(event({ missed: true, settled: 3 }));
  await settle();
  expect([first.state(), second.state()]).toEqual(['live', 'live']);
  expect(second.heard).toEqual([null, null, null]);
  expect(first.heard).toEqual([null, null, null]);
  ends?.onLost();
  await settle();
  expect([first.state(), second.state(), first.open().length]).toEqual(['lost', 'lost', 0]);
  await vi.advanceTimersByTimeAsync(feedTimes.againMs[0]);
  expect(first.open()).toHaveLength(1);
});

test('a sleeping leader is replaced; an awake one stays the leader', async () => {
  const browser = createBrowser();
  const [first, second] = [createTab(browser), createTab(browser)];
  await settle();
  first.open()[0]?.ends.onOpen();
  await settle();
  first.sleep();
  second.show(true);
  await vi.advanceTimersByTimeAsync(feedTimes.silenceMs + 1);
  expect([first.open().length, second.open().length]).toEqual([0, 1]);
  second.open()[0]?.ends.onOpen();
  const third = createTab(browser);
  await vi.advanceTimersByTimeAsync(feedTimes.silenceMs + 1);
  expect([second.open().length, third.open().length, third.state()]).toEqual([1, 0, 'live']);
});

test('a hidden tab closes its stream after a minute, and reloads when it is visible again', async () => {
  const browser = createBrowser();
  const [first, second] = [createTab(browser), createTab(browser)];
  await settle();
  first.open()[0]?.ends.onOpen();
  first.show(false);
  await vi.advanceTimersByTimeAsync(feedTimes.unseenMs / 2);
  expect(first.open()).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(feedTimes.unseenMs / 2);
  expect([first.open().length, second.open().length]).toEqual([0, 1]);
  second.open()[0]?.ends.onOpen();
  const before = first.heard.length;
  first.show(true);
  await settle();
  expect([first.state(), first.heard.length, first.open().length]).toEqual(['live', before + 1, 0]);
});

test('without locks each visible tab has its own stream', async () => {
  const browser = createBrowser();
  const [first, second] = [
    createTab(browser, { locks: false }),
    createTab(browser, { locks: false }),
  ];
  await settle();
  expect([first.open().length, second.open().length]).toEqual([1, 1]);
  first.show(false);
  expect([first.open().length, first.state()]).toEqual([0, 'connecting']);
  first.show(true);
  expect(first.open()).toHaveLength(1);
});
