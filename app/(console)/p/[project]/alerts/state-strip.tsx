import { roughDuration } from './duration';
import { alertedIn, type StripPart } from './strip-parts';

const width = 700;
const height = 10;

interface StateStripProps {
  name: string;
  parts: readonly StripPart[];
  /** The length of the strip in days. */
  days: number;
}

/**
 * The last days of one alert: full bars alerted, a dashed line had no data, a thin line was fine, a
 * gap is unknown.
 */
export function StateStrip({ name, parts, days }: StateStripProps) {
  const [from, to] = [parts[0]?.from ?? 0, parts.at(-1)?.to ?? 0];
  const at = (ms: number): number => (to === from ? 0 : ((ms - from) / (to - from)) * width);
  const { times, seconds } = alertedIn(parts);
  const text =
    times === 0
      ? 'never alerted'
      : `alerted ${times === 1 ? 'once' : `${times} times`}, ${roughDuration(seconds)} in all`;
  return (
    <div className="grid gap-1">
      <svg
        role="img"
        aria-label={`${name}, last ${days} days: ${text}`}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="bg-sunken h-2.5 w-full rounded-4"
      >
        {parts.map((part) => (
          <Part key={part.from} state={part.state} left={at(part.from)} right={at(part.to)} />
        ))}
      </svg>
      <p className="text-12 text-ink-3 flex justify-between gap-2" aria-hidden="true">
        <span>{days} days ago</span>
        <span>{text}</span>
        <span>now</span>
      </p>
    </div>
  );
}

function Part({ state, left, right }: { state: StripPart['state']; left: number; right: number }) {
  if (state === 'unknown') return null;
  // A minute of a week is a sixteenth of a pixel: the width has a minimum, so that every alert is
  // visible.
  if (state === 'alerting') {
    return (
      <rect
        x={Math.min(left, width - 3)}
        y={0}
        width={Math.max(3, right - left)}
        height={height}
        className="fill-loud-line"
      />
    );
  }
  const middle = height / 2;
  return (
    <path
      d={`M${left} ${middle}H${right}`}
      fill="none"
      vectorEffect="non-scaling-stroke"
      className={state === 'ok' ? 'stroke-ink-3' : 'stroke-ink-2'}
      strokeWidth={state === 'ok' ? 1.5 : 2.5}
      strokeDasharray={state === 'ok' ? undefined : '3 3'}
    />
  );
}
