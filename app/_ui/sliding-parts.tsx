'use client';

import { type ReactNode, useLayoutEffect, useRef } from 'react';

const slideMs = 180;

interface Stand {
  readonly width: number;
  /** Where each part was, pixels from the top. */
  readonly tops: WeakMap<Element, number>;
}

/**
 * The panels of a page, one below the other, which are drawn anew together: when one of them grows or shrinks by itself, those below slide to
 * their new place. What moves by a transform is no layout shift. Whoever asked for less motion, or has scrolled, where the browser keeps the
 * place by itself, sees no slide.
 */
export function SlidingParts({ children }: { children: ReactNode }) {
  const area = useRef<HTMLDivElement>(null);
  const stand = useRef<Stand>({ width: 0, tops: new WeakMap() });
  useLayoutEffect(() => {
    if (area.current !== null) stand.current = slideFrom(stand.current, area.current);
  });
  return (
    <div ref={area} className="grid gap-4">
      {children}
    </div>
  );
}

function slideFrom({ width, tops }: Stand, area: HTMLElement): Stand {
  const now: Stand = { width: area.clientWidth, tops: new WeakMap() };
  // Another width moves everything: that is no news to follow.
  const isNews = width === now.width && scrollY === 0 && !matchMedia('(prefers-reduced-motion: reduce)').matches;
  for (const part of area.children) {
    if (!(part instanceof HTMLElement)) continue;
    const [before, top] = [tops.get(part), part.offsetTop];
    now.tops.set(part, top);
    if (!isNews || before === undefined || before === top) continue;
    part.animate([{ transform: `translateY(${before - top}px)` }, { transform: 'none' }], { duration: slideMs, easing: 'ease-out' });
  }
  return now;
}
