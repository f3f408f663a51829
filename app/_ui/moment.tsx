'use client';

import { useSyncExternalStore } from 'react';

/** One clock for all ages on a page. */
let listeners: (() => void)[] = [];
let timer: ReturnType<typeof setInterval> | null = null;
let now = 0;

function subscribe(listener: () => void): () => void {
  listeners = [...listeners, listener];
  if (timer === null) now = Date.now();
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, 15_000);
  return () => {
    listeners = listeners.filter((each) => each !== listener);
    if (listeners.length === 0 && timer) {
      clearInterval(timer);
      timer = null;
    }
  };
}

function readClock(): number {
  // Within one render the clock must not move; without subscribers it moves by the second.
  if (timer === null && Date.now() - now > 1000) now = Date.now();
  return now;
}

/**
 * Null while rendering on the server, where neither the reader's time zone nor the current time in
 * the browser is known.
 */
function useNow(): number | null {
  return useSyncExternalStore(subscribe, readClock, () => null);
}

function ageText(at: Date, nowMs: number): string {
  const seconds = Math.max(0, Math.round((nowMs - at.getTime()) / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

const utc = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/**
 * The age, with the exact time on hover. Its space is reserved until the page is hydrated: a date
 * there would be wider, and shift its neighbours.
 */
export function Age({ at }: { at: Date }) {
  const current = useNow();
  return (
    <time dateTime={at.toISOString()} title={utc(at)} className="whitespace-nowrap">
      {current === null ? <span className="invisible">59m</span> : ageText(at, current)}
    </time>
  );
}

/** The exact time, in the reader's own zone once the page is hydrated. */
export function Moment({ at }: { at: Date }) {
  const current = useNow();
  return (
    <time dateTime={at.toISOString()} title={utc(at)}>
      {current === null
        ? utc(at)
        : at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium' })}
    </time>
  );
}
