import type { LiveTopic } from '@/server/domain';

/**
 * The one live stream of a browser and project. Over HTTP/1.1 a browser opens at most six
 * connections to a host, for all tabs together, and an open stream occupies one. So one tab leads,
 * opens the stream and forwards its events, and the others listen to it.
 *
 * The leader holds a Web Lock until its tab closes; then the next tab in the queue leads. Tabs
 * communicate over a BroadcastChannel: `ask` (is there a leader?), `state` (of the stream; `again`:
 * it was just opened, reload everything) and `news`. A leader that does not answer, because the
 * browser has suspended its tab, loses the lock. A tab that has been hidden for a minute neither
 * leads nor listens. Without locks, as on a plain http address, every tab has its own stream while
 * it is visible.
 */

/** `broken`: the stream was open and is being reopened. `lost`: the server refused it. */
export type LiveState = 'connecting' | 'live' | 'broken' | 'lost';

export interface LiveEvent {
  readonly settled: number;
  readonly labelled: number;
  readonly changed: readonly LiveTopic[];
  readonly missed: boolean;
}

export interface LiveFeed {
  readonly state: () => LiveState;
  /** Calls the listener when the state changes, until the returned function is called. */
  readonly onState: (listener: () => void) => () => void;
  /** Calls the listener with events; null means that any event may have been missed. */
  readonly follow: (listener: (event: LiveEvent | null) => void) => () => void;
  /** Leads or listens until the returned function is called. */
  readonly start: () => () => void;
}

/** Callbacks of a stream. */
export interface StreamEnds {
  readonly onOpen: () => void;
  readonly onBroken: () => void;
  /** The server refused or ended the stream. */
  readonly onLost: () => void;
  readonly onEvent: (event: LiveEvent) => void;
}

/** The browser features that the feed needs. */
export interface FeedHost {
  /** Opens a stream; the returned function closes it. */
  readonly open: (ends: StreamEnds) => () => void;
  /** Null when the browser has none. */
  readonly locks: Pick<LockManager, 'request'> | null;
  readonly channel: () => BroadcastChannel | null;
  readonly isHidden: () => boolean;
  readonly onVisibility: (listener: () => void) => () => void;
}

type Message =
  | { readonly kind: 'ask' }
  | { readonly kind: 'state'; readonly state: LiveState; readonly again: boolean }
  | { readonly kind: 'news'; readonly event: LiveEvent };

export const feedTimes = {
  /** An awake leader answers within a turn of its event loop; a sleeping tab does not. */
  silenceMs: 5_000,
  /**
   * How long a hidden tab stays connected, so that switching between tabs opens no new connection.
   */
  unseenMs: 60_000,
  /** Delays before a stream that the server ended is reopened, doubling up to the last. */
  againMs: [2_000, 4_000, 8_000, 16_000, 30_000],
} as const;

export function createLiveFeed(
  name: string,
  host: FeedHost,
  times: typeof feedTimes = feedTimes,
): LiveFeed {
  const news = new Set<(event: LiveEvent | null) => void>();
  const watchers = new Set<() => void>();
  let state: LiveState = 'connecting';

  function setState(next: LiveState): void {
    if (next === state) return;
    state = next;
    for (const watch of watchers) watch();
  }
  function notify(event: LiveEvent | null): void {
    for (const listener of news) listener(event);
  }
  const subscribe =
    <Listener>(all: Set<Listener>) =>
    (listener: Listener) => {
      all.add(listener);
      return () => void all.delete(listener);
    };

  return {
    state: () => state,
    onState: subscribe(watchers),
    follow: subscribe(news),
    start() {
      let leave: (() => void) | null = null;
      let unseen: ReturnType<typeof setTimeout> | undefined;
      const enter = (): void => {
        leave ??= join(name, host, times, { state: () => state, setState, notify });
      };
      const disconnect = (): void => {
        leave?.();
        leave = null;
        setState('connecting');
      };
      const updatePresence = (): void => {
        clearTimeout(unseen);
        if (!host.isHidden()) enter();
        else if (host.locks === null) disconnect();
        else unseen = setTimeout(disconnect, times.unseenMs);
      };
      const unwatch = host.onVisibility(updatePresence);
      // A tab opened in the background loads the current state when it is first shown.
      if (host.locks !== null) enter();
      updatePresence();
      return () => {
        unwatch();
        clearTimeout(unseen);
        disconnect();
      };
    },
  };
}

interface Listener {
  readonly state: () => LiveState;
  readonly setState: (state: LiveState) => void;
  readonly notify: (event: LiveEvent | null) => void;
}

/** Leads or listens, until the returned function is called. */
function join(
  name: string,
  host: FeedHost,
  times: typeof feedTimes,
  listener: Listener,
): () => void {
  const { locks } = host;
  const channel = locks === null ? null : host.channel();
  const post = (message: Message): void => channel?.postMessage(message);
  if (locks === null || channel === null) return lead(host, times, listener, () => undefined);
  const lockRequest = new AbortController();
  let leading: (() => void) | null = null;
  let silence: ReturnType<typeof setTimeout> | undefined;

  const holdLead = async (): Promise<void> => {
    clearTimeout(silence);
    if (lockRequest.signal.aborted) return;
    await new Promise<void>((release) => {
      const close = lead(host, times, listener, post);
      leading = () => {
        leading = null;
        close();
        release();
      };
    });
  };
  function queueForLead(steal: boolean): void {
    // `steal` and `signal` exclude each other. A tab that loses the lock to another is rejected
    // here, and queues again.
    locks?.request(name, steal ? { steal } : { signal: lockRequest.signal }, holdLead).catch(() => {
      leading?.();
      if (!lockRequest.signal.aborted) queueForLead(false);
    });
  }
  function findLeader(): void {
    clearTimeout(silence);
    if (leading !== null) return;
    silence = setTimeout(() => queueForLead(true), times.silenceMs);
    post({ kind: 'ask' });
  }
  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (leading !== null) {
      if (data.kind === 'ask') post({ kind: 'state', state: listener.state(), again: false });
      return;
    }
    if (data.kind === 'ask') return;
    clearTimeout(silence);
    if (data.kind === 'news') return listener.notify(data.event);
    const isFresh = data.state === 'live' && (data.again || listener.state() !== 'live');
    listener.setState(data.state);
    // One reload covers the changes made before this tab listened, and those made while no tab did.
    if (isFresh) listener.notify(null);
  };
  const unwatch = host.onVisibility(() => {
    if (!host.isHidden()) findLeader();
  });
  queueForLead(false);
  findLeader();
  return () => {
    lockRequest.abort();
    clearTimeout(silence);
    unwatch();
    leading?.();
    channel.close();
  };
}

/** Holds the stream and forwards its events. */
function lead(
  host: FeedHost,
  times: typeof feedTimes,
  listener: Listener,
  post: (message: Message) => void,
): () => void {
  let close: (() => void) | null = null;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let attempts = 0;
  let isClosed = false;
  const move = (state: LiveState, isAgain = false): void => {
    if (isClosed) return;
    listener.setState(state);
    post({ kind: 'state', state, again: isAgain });
  };
  function open(): void {
    close = host.open({
      onOpen() {
        if (isClosed) return;
        attempts = 0;
        move('live', true);
        listener.notify(null);
      },
      onBroken: () => move(listener.state() === 'connecting' ? 'connecting' : 'broken'),
      onLost() {
        if (isClosed) return;
        move('lost');
        close?.();
        retryTimer = setTimeout(
          open,
          times.againMs[Math.min(attempts++, times.againMs.length - 1)],
        );
      },
      onEvent(event) {
        if (isClosed) return;
        const forwarded = event.missed ? null : event;
        listener.notify(forwarded);
        if (forwarded === null) post({ kind: 'state', state: 'live', again: true });
        else post({ kind: 'news', event });
      },
    });
  }
  // Informs the other tabs at once that there is a leader. A new leader reopens the stream quickly
  // enough that the gap is not reported as broken.
  post({ kind: 'state', state: listener.state(), again: false });
  open();
  return () => {
    isClosed = true;
    clearTimeout(retryTimer);
    close?.();
  };
}
