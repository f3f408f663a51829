'use client';

import { useState } from 'react';
import type { Simulation, Threshold } from '@/app/_trpc/outputs';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { useKeys } from '@/app/_ui/keyboard';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { plainNumber } from '../verdicts/[id]/subject/words';
import { stepOf } from './threshold-values';

type Histogram = NonNullable<Simulation['histogram']>;

interface ScoreSliderProps {
  id: string;
  threshold: Pick<Threshold, 'min' | 'max'>;
  /** Undefined while it loads; null if the threshold is not compared with the score. */
  histogram: Histogram | null | undefined;
  current: number;
  candidate: number;
  /** The effect of the candidate, spoken with it; undefined while unknown. */
  effect: string | undefined;
  onChange: (value: number) => void;
}

/** In pixels: the space above the bars for the names of the lines, and the bars of one label. */
const [namesHeight, halfHeight] = [36, 76];
const plotHeight = namesHeight + 2 * halfHeight;

/**
 * A threshold on the scores that it decides: good work above the axis, bad work below. A native
 * range input covers the plot, so the line moves by pointer, touch and keys.
 */
export function ScoreSlider({
  id,
  threshold,
  histogram,
  current,
  candidate,
  effect,
  onChange,
}: ScoreSliderProps) {
  const { min, max } = threshold;
  const isPlain = histogram === null;
  return (
    <div className="grid gap-1">
      {histogram == null ? null : <Side histogram={histogram} side="good" />}
      <div className="relative" style={{ height: isPlain ? 32 : plotHeight }}>
        {isPlain ? null : (
          <Plot
            threshold={threshold}
            bins={histogram?.bins ?? []}
            current={current}
            candidate={candidate}
          />
        )}
        <input
          id={id}
          type="range"
          min={min}
          max={max}
          step={stepOf(threshold)}
          value={candidate}
          aria-valuetext={
            effect === undefined ? plainNumber(candidate) : `${plainNumber(candidate)}: ${effect}`
          }
          onChange={(event) => onChange(Number(event.target.value))}
          className={isPlain ? 'accent-accent h-8 w-full' : 'range-line absolute inset-0 size-full'}
        />
      </div>
      {histogram == null ? null : (
        <>
          <Scale threshold={threshold} />
          <Side histogram={histogram} side="bad" />
          <BinTable histogram={histogram} />
        </>
      )}
    </div>
  );
}

const sides = {
  good: { name: 'Good', state: 'passed', color: 'var(--color-pass)' },
  bad: { name: 'Bad', state: 'failed', color: 'var(--color-fail)' },
} as const;
type SideKey = keyof typeof sides;

const sumOf = ({ bins }: Histogram, side: SideKey): number =>
  bins.reduce((sum, bin) => sum + bin[side], 0);

/** The direct label of the bars next to it. */
function Side({ histogram, side }: { histogram: Histogram; side: SideKey }) {
  const { name, state } = sides[side];
  return (
    <p className="text-12 flex items-center gap-1.5">
      <VerdictIcon state={state} size={12} />
      <span>
        <span className="font-semibold">{name}</span>{' '}
        <span className="text-ink-2">{sumOf(histogram, side).toLocaleString('en')} labelled</span>
      </span>
    </p>
  );
}

interface PlotProps {
  threshold: Pick<Threshold, 'min' | 'max'>;
  bins: Histogram['bins'];
  current: number;
  candidate: number;
}

/** Inset by half the width of the thumb, as the track of the input is. */
function Plot({ threshold: { min, max }, bins, current, candidate }: PlotProps) {
  const at = (value: number): string => `${(100 * (value - min)) / (max - min)}%`;
  const highest = Math.max(1, ...bins.map(({ good, bad }) => Math.max(good, bad)));
  const middle = namesHeight + halfHeight;
  const line = (value: number, name: string, row: number, isMoved: boolean) => {
    const share = (value - min) / (max - min);
    // Away from the other line, unless the name would leave the plot.
    const toLeft =
      share > 0.75 || (share > 0.25 && (isMoved ? value < current : value < candidate));
    return (
      <g>
        <line
          x1={at(value)}
          x2={at(value)}
          y1={row * 16 + 8}
          y2={plotHeight}
          stroke={isMoved ? 'var(--color-accent)' : 'var(--color-ink-2)'}
          strokeWidth={isMoved ? 2 : 1}
          strokeDasharray={isMoved ? undefined : '4 4'}
        />
        <text
          x={at(value)}
          y={row * 16 + 12}
          dx={toLeft ? -8 : 8}
          textAnchor={toLeft ? 'end' : 'start'}
          fontSize="12"
          fill="var(--color-ink)"
        >
          {name} {plainNumber(value)}
        </text>
        {isMoved ? <circle cx={at(value)} cy={middle} r="7" fill="var(--color-accent)" /> : null}
      </g>
    );
  };
  return (
    <div className="px-2">
      <svg width="100%" height={plotHeight} aria-hidden="true" className="block overflow-visible">
        {bins.flatMap((bin) =>
          (['good', 'bad'] as const).map((side) => {
            const height = (bin[side] / highest) * (halfHeight - 2);
            return bin[side] === 0 ? null : (
              <rect
                key={`${side} ${bin.low}`}
                x={at(bin.low)}
                width={at(min + bin.high - bin.low)}
                y={side === 'good' ? middle - 1 - height : middle + 1}
                height={Math.max(2, height)}
                fill={sides[side].color}
                stroke="var(--color-surface)"
              />
            );
          }),
        )}
        <line x1="0" x2="100%" y1={middle} y2={middle} stroke="var(--color-line-strong)" />
        {candidate === current ? null : line(current, 'current', 1, false)}
        {line(candidate, candidate === current ? 'current' : 'candidate', 0, true)}
      </svg>
    </div>
  );
}

function Scale({ threshold: { min, max } }: Pick<PlotProps, 'threshold'>) {
  return (
    <div aria-hidden="true" className="text-12 text-ink-3 relative mx-2 h-4">
      {[0, 0.25, 0.5, 0.75, 1].map((share) => (
        <span key={share} className="absolute -translate-x-1/2" style={{ left: `${share * 100}%` }}>
          {plainNumber(min + share * (max - min))}
        </span>
      ))}
    </div>
  );
}

/** The same numbers; the key `t` opens it, as in every chart. */
function BinTable({ histogram: { bins, unscored } }: { histogram: Histogram }) {
  const [isOpen, setOpen] = useState(false);
  useKeys({ t: () => setOpen((now) => !now) });
  return (
    <details
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="text-12"
    >
      <summary className="text-ink-2 w-fit cursor-pointer">
        Scores as a table <kbd className="text-ink-3 font-mono">t</kbd>
        {unscored === 0 ? null : (
          <span className="text-ink-3">; {unscored.toLocaleString('en')} without a score</span>
        )}
      </summary>
      <div className="max-h-96 overflow-y-auto">
        <DataTable label="Labelled verdicts by score" heads={['Score from', 'To', 'Good', 'Bad']}>
          {bins
            .filter(({ good, bad }) => good + bad > 0)
            .map(({ low, high, good, bad }) => (
              <Row key={low}>
                <NameCell>{plainNumber(low)}</NameCell>
                <Cell>{plainNumber(high)}</Cell>
                <Cell>{good.toLocaleString('en')}</Cell>
                <Cell>{bad.toLocaleString('en')}</Cell>
              </Row>
            ))}
        </DataTable>
      </div>
    </details>
  );
}
