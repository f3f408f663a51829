'use client';

import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useRef, useState } from 'react';
import { useTRPC } from '../_trpc/client';
import { announce } from '../_ui/announcer';

/** `broken` is a connection that stood and is being made again. */
export type LiveState = 'connecting' | 'live' | 'broken' | 'lost';

/**
 * Calls `onSettled` when verdicts of the project settle, at most once in `everyMs`, and says politely how many:
 * a batch of thousands must neither refetch nor speak thousands of times.
 */
export function useLive(project: string, onSettled: () => void, everyMs = 1000): LiveState {
  const trpc = useTRPC();
  const held = useRef({ count: 0, timer: null as ReturnType<typeof setTimeout> | null });
  const latest = useRef(onSettled);
  const [stood, setStood] = useState(false);
  useEffect(() => {
    latest.current = onSettled;
  });
  useEffect(() => {
    const state = held.current;
    return () => {
      if (state.timer) clearTimeout(state.timer);
      state.timer = null;
    };
  }, []);
  const subscription = useSubscription(
    trpc.verdicts.live.subscriptionOptions(
      { project },
      {
        // What settled before the connection stood, at first or after a break, was not heard: read once more.
        onConnectionStateChange: (connection) => {
          if (connection.state !== 'pending') return;
          setStood(true);
          latest.current();
        },
        onData: (event) => {
          const state = held.current;
          state.count += event.settled;
          state.timer ??= setTimeout(() => {
            state.timer = null;
            announce(state.count === 1 ? '1 new verdict' : `${state.count} new verdicts`);
            state.count = 0;
            latest.current();
          }, everyMs);
        },
      },
    ),
  );
  if (subscription.status === 'pending') return 'live';
  if (subscription.status === 'error') return 'lost';
  return stood ? 'broken' : 'connecting';
}
