'use client';

import { useQueryStates } from 'nuqs';
import { useId } from 'react';
import type { Curves } from '@/app/_trpc/outputs';
import { Panel } from '@/app/_ui/panel';
import { costParsers } from '../addresses';
import {
  amount,
  cheapestIndex,
  type CurvePoint,
  curvePoints,
  indexAt,
  pointText,
  thresholdText,
} from './curve-points';
import { PriceField } from './price-field';
import { Share, ThresholdCharts } from './threshold-charts';

/**
 * The effect of other thresholds: three curves of one sweep, with the same selected threshold in
 * all of them.
 */
export function CurvePanels({ curves, from }: { curves: Curves; from: Date | null }) {
  const [{ at, ...prices }, setAddress] = useQueryStates(costParsers, { history: 'replace' });
  const points = curvePoints(curves.points, prices);
  const [first] = points;
  if (first === undefined) return null;
  const n = first.caught + first.missed + first.rejected + first.passed;
  const currentIndex = curves.threshold === null ? null : indexAt(points, curves.threshold);
  const cheapest = cheapestIndex(points);
  const index = indexAt(points, at ?? curves.threshold ?? curves.bestYouden ?? first.threshold);
  const selected = points[index] ?? first;
  return (
    <>
      <Panel
        title="Thresholds"
        aside={
          <span className="text-12 text-ink-3">
            scores below the threshold fail; n {n.toLocaleString('en')}
          </span>
        }
      >
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
          <div className="flex flex-wrap gap-4">
            <PriceField
              label="A missed failure costs"
              value={prices.miss}
              onChange={(miss) => void setAddress({ miss })}
            />
            <PriceField
              label="A false rejection costs"
              value={prices.reject}
              onChange={(reject) => void setAddress({ reject })}
            />
            <PriceField
              label="A review of a flagged one costs"
              value={prices.review}
              onChange={(review) => void setAddress({ review })}
            />
          </div>
          <ThresholdSlider
            points={points}
            index={index}
            onChange={(next) => void setAddress({ at: points[next]?.threshold ?? null })}
          />
          <SelectedPoint
            point={selected}
            isCurrent={index === currentIndex}
            cheapest={points[cheapest]}
          />
        </div>
      </Panel>
      <ThresholdCharts
        curves={curves}
        from={from}
        points={points}
        selected={selected}
        currentPoint={currentIndex === null ? undefined : points[currentIndex]}
        cheapest={points[cheapest]}
      />
    </>
  );
}

interface ThresholdSliderProps {
  points: readonly CurvePoint[];
  index: number;
  onChange: (index: number) => void;
}

/** Moves through the points of all curves, by pointer and by arrow keys. */
function ThresholdSlider({ points, index, onChange }: ThresholdSliderProps) {
  const id = useId();
  const point = points[index];
  return (
    <div className="grid max-w-[640px] grid-cols-[minmax(0,1fr)] gap-1">
      <label htmlFor={id}>
        Show threshold{' '}
        <strong className="font-semibold">
          {point === undefined ? '' : thresholdText(point.threshold)}
        </strong>
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={points.length - 1}
        step={1}
        value={index}
        aria-valuetext={point === undefined ? undefined : pointText(point)}
        onChange={(event) => onChange(Number(event.target.value))}
        className="accent-accent h-8 w-full"
      />
    </div>
  );
}

function SelectedPoint({
  point,
  isCurrent,
  cheapest,
}: {
  point: CurvePoint;
  isCurrent: boolean;
  cheapest: CurvePoint | undefined;
}) {
  const { caught, missed, rejected, passed, cost } = point;
  return (
    <dl
      aria-label="At this threshold"
      className="grid gap-x-8 gap-y-1 sm:grid-cols-2 xl:grid-cols-4"
    >
      <Fact name={`bad subjects below it${isCurrent ? ' (current)' : ''}`}>
        <Share k={caught} n={caught + missed} />
      </Fact>
      <Fact name="good subjects below it">
        <Share k={rejected} n={rejected + passed} />
      </Fact>
      <Fact name="bad subjects, of those below it">
        <Share k={caught} n={caught + rejected} />
      </Fact>
      <Fact name="cost">
        {amount(cost)}{' '}
        <span className="text-12 text-ink-2">
          {cheapest === undefined || cheapest.cost === cost
            ? 'the lowest cost'
            : `lowest: ${amount(cheapest.cost)} at ${thresholdText(cheapest.threshold)}`}
        </span>
      </Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div>
      <dt className="text-12 text-ink-3 first-letter:uppercase">{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
