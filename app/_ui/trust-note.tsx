'use client';

import { useEffect, useRef } from 'react';
import type { Trust } from '../_trpc/outputs';
import { trustStyles, TrustMark } from './trust-mark';
import { VisibleText } from './visible-text';

interface TrustNoteProps {
  trust: Trust;
  /** Link to the details. */
  href: string;
  /** The edge that the opened text aligns with; on narrow pages the text takes the full width. */
  at?: 'start' | 'end';
}

/**
 * The mark, which opens the verifier's gaps, by pointer or keyboard. Escape closes it, and so does
 * leaving it.
 */
export function TrustNote({ trust, href, at = 'start' }: TrustNoteProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const note = ref.current;
    if (note === null) return;
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !note.open) return;
      // The page's own Escape would leave the page.
      event.stopPropagation();
      note.open = false;
      note.querySelector('summary')?.focus();
    };
    const closeOutside = ({ target }: Event) => {
      if (target instanceof Node && !note.contains(target)) note.open = false;
    };
    note.addEventListener('keydown', closeOnEscape);
    document.addEventListener('focusin', closeOutside);
    document.addEventListener('pointerdown', closeOutside);
    return () => {
      note.removeEventListener('keydown', closeOnEscape);
      document.removeEventListener('focusin', closeOutside);
      document.removeEventListener('pointerdown', closeOutside);
    };
  }, []);
  return (
    <details ref={ref} className="relative inline-block">
      <summary className="rounded-4 hover:bg-hover cursor-pointer list-none px-1 decoration-dotted underline-offset-4 [&_span]:underline [&::-webkit-details-marker]:hidden">
        <TrustMark trust={trust} lead="Trust of the verifier:" />
      </summary>
      <div
        className={`bg-surface border-line rounded-8 shadow-raised text-ink absolute z-20 mt-1 grid w-96 gap-2 border p-3 text-left whitespace-normal max-md:fixed max-md:inset-x-4 max-md:w-auto ${
          at === 'end' ? 'right-0' : 'left-0'
        }`}
      >
        <p>{trustStyles[trust.state].meaning}</p>
        <TrustGaps trust={trust} />
        <a href={href} className="underline">
          Trust of {trust.verifier}
        </a>
      </div>
    </details>
  );
}

/** The gaps between a verifier and its next state, in sentences. */
export function TrustGaps({ trust }: { trust: Pick<Trust, 'gaps' | 'enforced' | 'mayBlock'> }) {
  return (
    <>
      {trust.gaps.length === 0 ? null : (
        <ul aria-label="What is missing" className="text-ink-2 grid list-disc gap-1 pl-4">
          {trust.gaps.map(({ what, text }, place) => (
            <li key={`${what} ${place}`} className="[overflow-wrap:anywhere]">
              <VisibleText text={text} />
            </li>
          ))}
        </ul>
      )}
      {trust.mayBlock ? null : (
        <p className="text-ink-2">
          It may not block or steer until it is qualified; its verdicts only advise.
        </p>
      )}
    </>
  );
}
