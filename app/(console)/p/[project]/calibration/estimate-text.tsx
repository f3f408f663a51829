import type { ReactNode } from 'react';
import type { Estimate } from '@/app/_trpc/outputs';
import { minSampleSize } from '@/app/_ui/rate';
import { IntervalBar } from './interval-bar';

/** `share` is shown in percent, `number` as is, `signed` on a scale with negative values. */
export type EstimateScale = 'share' | 'number' | 'signed';

const ends: Record<EstimateScale, readonly [number, number]> = {
  share: [0, 1],
  number: [0, 1],
  signed: [-1, 1],
};

/** `84.0%`, `0.840` or `−0.100`. */
function estimateNumber(value: number, scale: EstimateScale): string {
  const text =
    scale === 'share' ? `${Math.abs(value * 100).toFixed(1)}%` : Math.abs(value).toFixed(3);
  // A value rounded to zero has no sign.
  return `${value < 0 && /[1-9]/.test(text) ? '−' : ''}${text}`;
}

interface EstimateTextProps {
  estimate: Estimate;
  scale: EstimateScale;
  /** The unit of n. */
  of?: string;
  /** n under the number, where width is scarce. */
  stacked?: boolean;
  /** Shown after n, if there is a number. */
  beside?: ReactNode;
}

/** An estimate in words: value, interval and n; when n is under 20, only the counts. */
export function EstimateText({ estimate, scale, of, stacked = false, beside }: EstimateTextProps) {
  const { value, low, high, n } = estimate;
  const rests = `n ${n.toLocaleString('en')}${of === undefined ? '' : ` ${of}`}`;
  if (n === 0) return <span className="text-ink-3">unmeasured</span>;
  if (value === null) return <span className="text-ink-3">not enough data, {rests}</span>;
  if (n < minSampleSize) return <span className="text-12 text-ink-3">{rests}</span>;
  return (
    <span className={stacked ? 'inline-grid' : ''}>
      <span className="whitespace-nowrap">
        {estimateNumber(value, scale)}{' '}
        {low === null || high === null ? (
          <span className="text-ink-3">no interval</span>
        ) : (
          `(${estimateNumber(low, scale)} to ${estimateNumber(high, scale)})`
        )}
      </span>{' '}
      <span className="text-12 text-ink-2">
        {rests}
        {beside}
      </span>
    </span>
  );
}

/** The bar of an estimate, if it may be shown at all. */
export function EstimateBar({
  estimate: { value, low, high, n },
  scale,
}: {
  estimate: Estimate;
  scale: EstimateScale;
}) {
  if (n < minSampleSize) return null;
  return (
    <IntervalBar value={value} low={low} high={high} from={ends[scale][0]} to={ends[scale][1]} />
  );
}
