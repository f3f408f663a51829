import { Age } from '../_ui/moment';
import type { LiveState } from './use-live';

const words: Record<LiveState, string> = {
  connecting: 'Connecting',
  live: 'Live',
  broken: 'Live updates interrupted, reconnecting',
  lost: 'Live updates lost',
};

/** A refresh keeps the old rows and shows their age. */
export function LiveMark({ state, readAt }: { state: LiveState; readAt: number }) {
  return (
    <span className="text-12 text-ink-3 flex min-w-20 items-center justify-end gap-1.5 whitespace-nowrap">
      <svg width="8" height="8" viewBox="0 0 8 8" aria-hidden="true">
        {state === 'live' ? (
          <circle cx="4" cy="4" r="4" className="fill-accent" />
        ) : (
          <circle cx="4" cy="4" r="3" fill="none" className="stroke-ink-3" strokeWidth="1.5" />
        )}
      </svg>
      {words[state]}
      {/* Skipped on the first connection: the server's time of reading differs from the
          browser's, and hydration would fail. */}
      {state === 'broken' || state === 'lost' ? (
        <>
          {' · read '}
          <Age at={new Date(readAt)} /> ago
        </>
      ) : null}
    </span>
  );
}
