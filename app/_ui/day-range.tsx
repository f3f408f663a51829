'use client';

import { CalendarDays } from 'lucide-react';
import dynamic from 'next/dynamic';
import type { TimeRange } from './day-words';
import { dayRangeClass } from './input-styles';

export interface DayRangeProps {
  readonly range: TimeRange;
  readonly onChange: (range: TimeRange) => void;
}

/** A filter by days of the reader's zone. The calendar is loaded after the page's first scripts. */
export const DayRange = dynamic(() => import('./day-range-impl'), {
  ssr: false,
  loading: () => (
    <span className={dayRangeClass}>
      <CalendarDays aria-hidden="true" size={14} className="text-ink-3 shrink-0" />
      Any time
    </span>
  ),
});
