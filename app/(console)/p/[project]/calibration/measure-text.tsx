import Link from 'next/link';
import type { Measure } from '@/app/_trpc/outputs';
import { minSampleSize } from '@/app/_ui/rate';

interface MeasureTextProps {
  /** `catch rate`, for the names of the links. */
  name: string;
  measure: Measure;
  /** Links to the rows of the numerator and of the denominator, if there are any. */
  numeratorHref: string | null;
  denominatorHref: string | null;
  /** Counts under the rate, where width is scarce. */
  stacked?: boolean;
}

const percent = (value: number): string => (value * 100).toFixed(1);

/**
 * A rate with its interval and counts, each count linking to its rows; under n = 20 only counts, in
 * grey.
 */
export function MeasureText({
  name,
  measure,
  numeratorHref,
  denominatorHref,
  stacked = false,
}: MeasureTextProps) {
  const { value, numerator, denominator, low, high, state } = measure;
  if (value === null || low === null || high === null)
    return <span className="text-ink-3">unmeasured</span>;
  const isKappa = numerator === null;
  const text = isKappa
    ? `${signed(value)} (${signed(low)} to ${signed(high)})`
    : `${percent(value)}% (${percent(low)}–${percent(high)}%)`;
  const few = denominator < minSampleSize;
  return (
    <span
      className={`${stacked ? 'inline-grid' : ''} whitespace-nowrap ${few ? 'text-ink-3' : ''}`}
    >
      {few ? null : <span>{text} </span>}
      <span className={`text-12 ${few ? '' : 'text-ink-2'}`}>
        {isKappa ? (
          'n '
        ) : (
          <>
            <CountLink href={numeratorHref} count={numerator} name={`${name}, numerator`} />/
          </>
        )}
        <CountLink href={denominatorHref} count={denominator} name={`${name}, denominator`} />
        {state === 'alerting' || state === 'off_target' ? (
          <span className="text-ink font-semibold">
            {state === 'alerting' ? ' alerting' : ' off target'}
          </span>
        ) : null}
      </span>
    </span>
  );
}

function signed(value: number): string {
  const text = Math.abs(value).toFixed(3);
  // A value rounded to zero has no sign.
  return `${value < 0 && Number(text) > 0 ? '−' : ''}${text}`;
}

export function CountLink({
  href,
  count,
  name,
}: {
  href: string | null;
  count: number;
  name: string;
}) {
  const text = count.toLocaleString('en');
  if (href === null) return text;
  return (
    <Link href={href} prefetch={false} aria-label={`${text}, ${name}`} className="underline">
      {text}
    </Link>
  );
}
