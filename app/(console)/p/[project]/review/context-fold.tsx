'use client';

import { type ReactNode, useId, useState } from 'react';
import { useKeys } from '@/app/_ui/keyboard';

const storageKey = 'assay-review-context';

function isFoldedHere(): boolean {
  try {
    return sessionStorage.getItem(storageKey) === 'folded';
  } catch {
    return false;
  }
}

/** The request and the sources, which can be collapsed for the rest of the session. */
export function ContextFold({ children }: { children: ReactNode }) {
  const [isFolded, setFolded] = useState(isFoldedHere);
  const id = useId();
  const toggle = () => {
    setFolded(!isFolded);
    try {
      sessionStorage.setItem(storageKey, isFolded ? 'open' : 'folded');
    } catch {
      // With blocked storage, the choice applies to this item only.
    }
  };
  useKeys({ c: toggle });
  return (
    <div className="flex flex-col gap-2">
      <button
        type="button"
        aria-expanded={!isFolded}
        aria-controls={id}
        aria-keyshortcuts="c"
        onClick={toggle}
        className="text-13 rounded-4 hover:bg-hover flex min-h-11 items-center gap-2 px-1 font-semibold md:min-h-8"
      >
        <svg
          width="10"
          height="10"
          viewBox="0 0 10 10"
          aria-hidden="true"
          className={`text-ink-3 shrink-0 ${isFolded ? '' : 'rotate-90'}`}
        >
          <path d="M3 1.5 7 5 3 8.5" fill="none" stroke="currentColor" strokeWidth="1.5" />
        </svg>
        Request and context
        <kbd className="bg-sunken border-line rounded-4 text-12 text-ink-2 hidden border px-1 font-mono font-normal md:inline">
          c
        </kbd>
      </button>
      <div id={id} hidden={isFolded}>
        {children}
      </div>
    </div>
  );
}
