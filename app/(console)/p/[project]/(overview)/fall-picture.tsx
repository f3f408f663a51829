import { minSampleSize, rate } from '@/server/domain';
import type { Fall } from './answer';

const width = 176;
const rowHeight = 16;
/** Left of the plot: the words. */
const plotFrom = 48;
const atShare = (share: number): number => plotFrom + share * (width - plotFrom - 4);

/**
 * Both pass rates with their intervals on a scale from 0 to 100%. The text next to it has the
 * numbers.
 */
export function FallPicture({ fall: { before, now } }: { fall: Fall }) {
  if (before.denominator < minSampleSize || now.denominator < minSampleSize) return null;
  const rows = [
    {
      word: 'before',
      color: 'var(--color-series-3)',
      ...rate(before.numerator, before.denominator),
    },
    { word: 'since', color: 'var(--color-series-1)', ...rate(now.numerator, now.denominator) },
  ];
  return (
    <svg
      width={width}
      height={rows.length * rowHeight}
      aria-hidden="true"
      className="hidden shrink-0 lg:block"
    >
      {[0, 0.5, 1].map((share) => (
        <line
          key={share}
          x1={atShare(share)}
          x2={atShare(share)}
          y1="0"
          y2="100%"
          stroke="var(--color-line)"
        />
      ))}
      {rows.map(({ word, color, value, low, high }, index) => {
        const y = rowHeight * (index + 0.5);
        return (
          <g key={word}>
            <text x="0" y={y + 4} fontSize="12" fill="var(--color-ink-2)">
              {word}
            </text>
            <line
              x1={atShare(low ?? 0)}
              x2={atShare(high ?? 1)}
              y1={y}
              y2={y}
              stroke={color}
              strokeWidth="4"
              opacity="0.45"
            />
            <circle cx={atShare(value ?? 0)} cy={y} r="4" fill={color} />
          </g>
        );
      })}
    </svg>
  );
}
