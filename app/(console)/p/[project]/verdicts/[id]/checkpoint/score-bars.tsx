import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainNumber } from '../subject/words';
import { bandOf } from './words';

interface Bar {
  readonly name: string;
  /** 0..1; null if not measured. */
  readonly value: number | null;
  readonly note?: string | undefined;
}

/** Scores 0..1 with their bands in words; the marks are at the limits of the bands. */
export function ScoreBars({ label, bars }: { label: string; bars: readonly Bar[] }) {
  return (
    <ul aria-label={label} className="grid gap-2">
      {bars.map(({ name, value, note }) => (
        <li key={name} className="grid gap-1">
          <p className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span>
              {name.charAt(0).toUpperCase() + name.slice(1)}{' '}
              {note === undefined ? null : <span className="text-12 text-ink-3">{note}</span>}
            </span>
            {value === null ? (
              <span className="text-ink-3">not measured</span>
            ) : (
              <BandText value={value} />
            )}
          </p>
          {value === null ? null : <BandBar value={value} />}
        </li>
      ))}
    </ul>
  );
}

function BandText({ value }: { value: number }) {
  const { word, state } = bandOf(value);
  return (
    <span className="inline-flex items-center gap-2">
      <VerdictIcon state={state} size={11} />
      <span className="text-12 text-ink-2">{word}</span> {plainNumber(value)}
    </span>
  );
}

function BandBar({ value }: { value: number }) {
  return (
    <div className="bg-sunken rounded-4 relative h-2 overflow-hidden" aria-hidden="true">
      <div
        className="bg-series-1 h-2"
        style={{ width: `${Math.min(1, Math.max(0, value)) * 100}%` }}
      />
      {[0.5, 0.7, 0.9].map((limit) => (
        <div
          key={limit}
          className="bg-line-strong absolute inset-y-0 w-px"
          style={{ left: `${limit * 100}%` }}
        />
      ))}
    </div>
  );
}
