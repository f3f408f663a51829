'use client';

import { type ReactNode, useRef } from 'react';
import { useSlideIn } from './use-slide-in';

/** The body of a short table that gets new rows at the top, one row element for each of `ids`. */
export function SlidingBody({ ids, children }: { ids: readonly string[]; children: ReactNode }) {
  const body = useRef<HTMLTableSectionElement>(null);
  useSlideIn(body, ids);
  return <tbody ref={body}>{children}</tbody>;
}
