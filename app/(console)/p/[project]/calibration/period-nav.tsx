import Link from 'next/link';
import type { Days } from '@/server/measures/input';
import { periodName, periods } from './addresses';

/** Whole days in UTC up to today. */
export function PeriodNav({ days, hrefOf }: { days: Days; hrefOf: (days: Days) => string }) {
  return (
    <nav aria-label="Period" className="border-line bg-surface rounded-4 flex border">
      {periods.map((period) => (
        <Link
          key={period}
          href={hrefOf(period)}
          aria-current={period === days ? 'true' : undefined}
          className={`rounded-4 flex h-8 items-center px-3 ${period === days ? 'bg-accent-wash font-semibold' : 'text-ink-2 hover:bg-hover'}`}
        >
          {periodName[period]}
        </Link>
      ))}
    </nav>
  );
}
