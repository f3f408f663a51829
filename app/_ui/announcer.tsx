'use client';

import { useEffect, useState } from 'react';

/** Long enough to read two lines. */
const shownMs = 5_000;

/** Shows a sentence for a few seconds, and announces it to screen readers. */
export function announce(text: string): void {
  window.dispatchEvent(new CustomEvent('assay:announce', { detail: text }));
}

/** The last announcement: first as a note over the page, then for screen readers only. */
export function Announcer() {
  const [text, setText] = useState('');
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onAnnounce = (event: Event) => {
      if (!(event instanceof CustomEvent)) return;
      setText(String(event.detail));
      setShown(true);
      clearTimeout(timer);
      timer = setTimeout(() => setShown(false), shownMs);
    };
    window.addEventListener('assay:announce', onAnnounce);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('assay:announce', onAnnounce);
    };
  }, []);
  return (
    <div
      role="status"
      aria-live="polite"
      // It never blocks a click: covered parts remain usable.
      className={
        isShown && text !== ''
          ? 'bg-surface text-ink border-line-strong rounded-8 shadow-raised pointer-events-none fixed bottom-6 left-1/2 z-50 w-max max-w-[min(48ch,calc(100vw-2rem))] -translate-x-1/2 border px-4 py-2'
          : 'sr-only'
      }
    >
      {text}
    </div>
  );
}
