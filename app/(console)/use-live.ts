'use client';

import { useSubscription } from '@trpc/tanstack-react-query';
import { useEffect, useRef, useState } from 'react';
import { useTRPC } from '../_trpc/client';
import { announce } from '../_ui/announcer';

/** `broken` is a connection that stood and is being made again. */
export type LiveState = 'connecting' | 'live' | 'broken' | 'lost';

/** How many verdicts settled and labels were appended since the last call. */
export interface LiveNews {
  readonly settled: number;
  readonly labelled: number;
}

/**
 * Calls `onNews` when verdicts of the project settle or labels are appended, at most once in `everyMs`, and says politely how many:
 * a batch of thousands must neither refetch nor speak thousands of times. Null stands for what may have been missed.
 */
export function useLive(project: string, onNews: (news: LiveNews | null) => void, everyMs = 1000): LiveState {
  const trpc = useTRPC();
  const held = useRef({ settled: 0, labelled: 0, timer: null as ReturnType<typeof setTimeout> | null });
  const latest = useRef(onNews);
  const [stood, setStood] = useState(false);
  useEffect(() => {
    latest.current = onNews;
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
          latest.current(null);
        },
        onData: (event) => {
          const state = held.current;
          state.settled += event.settled;
          state.labelled += event.labelled;
          state.timer ??= setTimeout(() => {
            const { settled, labelled } = state;
            Object.assign(state, { settled: 0, labelled: 0, timer: null });
            announce([count(settled, 'verdict'), count(labelled, 'label')].filter((text) => text !== '').join(', '));
            latest.current({ settled, labelled });
          }, everyMs);
        },
      },
    ),
  );
  if (subscription.status === 'pending') return 'live';
  if (subscription.status === 'error') return 'lost';
  return stood ? 'broken' : 'connecting';
}

function count(many: number, noun: string): string {
  if (many === 0) return '';
  return many === 1 ? `1 new ${noun}` : `${many} new ${noun}s`;
}
