interface IntervalBarProps {
  /** All values share one scale. Null draws nothing, since unmeasured is not zero. */
  value: number | null;
  low: number | null;
  high: number | null;
  /** The ends of the scale. */
  from?: number;
  to?: number;
  /** A target, drawn for comparison. */
  target?: number;
  /** n is under 20: only counts are shown, and nothing is drawn. */
  few?: boolean;
}

const [width, height, middle] = [136, 14, 7];

/**
 * An estimate and its interval, on the same scale as those around it. The text next to it carries
 * the same values.
 */
export function IntervalBar({
  value,
  low,
  high,
  from = 0,
  to = 1,
  target,
  few = false,
}: IntervalBarProps) {
  if (few || value === null || low === null || high === null) return null;
  const x = (at: number): number =>
    4 + ((Math.min(to, Math.max(from, at)) - from) / (to - from)) * (width - 8);
  const color = 'var(--color-series-1)';
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className="block shrink-0"
    >
      <path d={`M4 ${middle}H${width - 4}`} stroke="var(--color-line)" strokeWidth="1" />
      {from < 0 && to > 0 ? (
        <path d={`M${x(0)} 3V11`} stroke="var(--color-line-strong)" strokeWidth="1" />
      ) : null}
      {target === undefined ? null : (
        <path
          d={`M${x(target)} 1V13`}
          stroke="var(--color-ink-2)"
          strokeWidth="1"
          strokeDasharray="2 2"
        />
      )}
      <path d={`M${x(low)} ${middle}H${x(high)}`} stroke={color} strokeWidth="3" opacity="0.55" />
      <circle cx={x(value)} cy={middle} r="3.5" fill={color} stroke={color} strokeWidth="1.5" />
    </svg>
  );
}
