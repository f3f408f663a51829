'use client';

import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useId } from 'react';
import type { Curves } from '@/app/_trpc/outputs';
import { type ChartData, periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { Empty, Panel } from '@/app/_ui/panel';
import { leastForRate, rateText } from '@/app/_ui/rate';
import { costParsers } from '../addresses';
import { EstimateText } from '../estimate-text';
import type { PlacedPoint, Plot } from './curve-chart';
import {
  cheapestIndex,
  type CurvePoint,
  curvePoints,
  indexAt,
  thresholdText,
} from './curve-points';
import { PriceField } from './price-field';

const CurveChart = dynamic(() => import('./curve-chart'), { ssr: false });

/** In pixels; the place has it before the chart is there. */
const drawnHeight = 264;

/**
 * What other thresholds would do: three curves of one sweep, with one threshold looked at in all of
 * them.
 */
export function CurvePanels({ curves, from }: { curves: Curves | null; from: Date | null }) {
  const [{ at, ...prices }, setAddress] = useQueryStates(costParsers, { history: 'replace' });
  const points = curves === null ? [] : curvePoints(curves.points, prices);
  const [first] = points;
  if (curves === null || first === undefined) {
    return (
      <Panel title="Thresholds">
        <Empty
          title={
            curves === null
              ? 'This verifier gives no score: there is no threshold to move.'
              : 'Unmeasured: nothing with a score has truth.'
          }
        />
      </Panel>
    );
  }
  const n = first.caught + first.missed + first.rejected + first.passed;
  const inForce = curves.threshold === null ? null : indexAt(points, curves.threshold);
  const cheapest = cheapestIndex(points);
  const index = indexAt(points, at ?? curves.threshold ?? curves.bestYouden ?? first.threshold);
  const looked = points[index] ?? first;
  const few = n < leastForRate;
  const marksOf = (
    place: (point: CurvePoint) => PlacedPoint | null,
    withCheapest: boolean,
  ): Plot['marks'] =>
    [
      {
        name: `in force ${curves.threshold === null ? '' : thresholdText(curves.threshold)}`,
        point: inForce === null ? undefined : points[inForce],
      },
      {
        name: `cheapest ${thresholdText(points[cheapest]?.threshold ?? 0)}`,
        point: withCheapest ? points[cheapest] : undefined,
      },
      {
        name: `best J ${thresholdText(curves.bestYouden ?? 0)}`,
        point:
          withCheapest || curves.bestYouden === null
            ? undefined
            : points[indexAt(points, curves.bestYouden)],
      },
    ].flatMap(({ name, point }) => {
      const placed = point === undefined ? null : place(point);
      return placed === null ? [] : [{ name, point: placed }];
    });
  const plotOf = (
    words: Pick<Plot, 'label' | 'xName' | 'yName' | 'percent'>,
    place: (point: CurvePoint) => PlacedPoint | null,
  ): Plot => ({
    ...words,
    points: points.flatMap((point) => place(point) ?? []),
    marks: marksOf(place, !words.percent),
    looked: place(looked),
  });
  const told = { ...scoredOf(from, n), data: curveData(points), tableWhenEmpty: true };
  const empty = `Fewer than ${leastForRate} labelled ones with a score: the table has the counts.`;
  return (
    <>
      <Panel
        title="Thresholds"
        aside={
          <span className="text-12 text-ink-3">
            what is below the threshold fails; n {n.toLocaleString('en')}
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
          <Looked point={looked} inForce={index === inForce} cheapest={points[cheapest]} />
        </div>
      </Panel>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-3">
        <ChartFrame
          title="ROC"
          says="The share of the bad ones with a score below each threshold against that of the good ones; up and to the left is better. By the score alone: what was left to people is here too, so these are not the rates above."
          {...told}
          chart={
            few ? null : (
              <Drawn
                plot={withEnds(
                  plotOf(
                    {
                      label: 'Catch rate against false rejections, by threshold',
                      xName: 'false rejections, of the good ones',
                      yName: 'bad ones below',
                      percent: true,
                    },
                    (point) => placed(point, point.falseRejectionRate, point.catchRate, 100),
                  ),
                )}
              />
            )
          }
          empty={empty}
          table={<SweepTable label="ROC by threshold" points={points} />}
          note={
            <>
              Area under the curve <EstimateText estimate={curves.auc} scale="number" />; 0.5 tells
              nothing.
            </>
          }
        />
        <ChartFrame
          title="Precision and catch rate"
          says="How many of the flagged ones are bad, against how many of the bad ones are flagged, by threshold; up and to the right is better."
          {...told}
          chart={
            few ? null : (
              <Drawn
                plot={plotOf(
                  {
                    label: 'Precision against catch rate, by threshold',
                    xName: 'bad ones below',
                    yName: 'precision: bad ones, of the flagged',
                    percent: true,
                  },
                  (point) => placed(point, point.catchRate, point.precision, 100),
                )}
              />
            )
          }
          empty={empty}
          table={<SweepTable label="Precision and catch rate by threshold" points={points} />}
          note={
            <>
              Average precision <EstimateText estimate={curves.averagePrecision} scale="number" />;
              guessing gives the share of bad ones.
            </>
          }
        />
        <ChartFrame
          title="Cost"
          says="What all labelled ones together would have cost at each threshold, by the three prices above."
          {...told}
          chart={
            few ? null : (
              <Drawn
                plot={{
                  ...plotOf(
                    {
                      label: 'Cost of all labelled ones, by threshold',
                      xName: 'threshold',
                      yName: `cost of ${n.toLocaleString('en')} labelled ones`,
                      percent: false,
                    },
                    (point) => placed(point, point.threshold, point.cost, 1),
                  ),
                  steps: true,
                }}
              />
            )
          }
          empty={empty}
          table={<SweepTable label="Cost by threshold" points={points} />}
          note="In your own unit. Of thresholds that cost the same the highest is marked."
        />
      </div>
    </>
  );
}

/** Of which period and how many the curves are. */
const scoredOf = (from: Date | null, n: number) => ({
  period: periodText(from),
  n: `n ${n.toLocaleString('en')} labelled with a score`,
});

/** A curve in its place, with the names of its axes beside it. */
function Drawn({ plot }: { plot: Plot }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-12 text-ink-3">{plot.yName}</p>
      <div role="img" aria-label={plot.label} style={{ height: drawnHeight }}>
        <CurveChart plot={plot} />
      </div>
      <p className="text-12 text-ink-3 text-right">{plot.xName}</p>
    </div>
  );
}

function curveData(points: readonly CurvePoint[]): ChartData {
  return {
    columns: [
      'threshold',
      'caught',
      'missed',
      'rejected',
      'passed',
      'catch rate',
      'false rejections',
      'precision',
      'cost',
    ],
    rows: points.map(
      ({
        threshold,
        caught,
        missed,
        rejected,
        passed,
        catchRate,
        falseRejectionRate,
        precision,
        cost,
      }) => [
        threshold,
        caught,
        missed,
        rejected,
        passed,
        catchRate,
        falseRejectionRate,
        precision,
        cost,
      ],
    ),
  };
}

/** Where a point lies; null where one of its two has no denominator. */
function placed(
  point: CurvePoint,
  x: number | null,
  y: number | null,
  times: number,
): PlacedPoint | null {
  if (x === null || y === null) return null;
  return { threshold: point.threshold, x: x * times, y: y * times, text: pointText(point) };
}

/** ROC begins where nothing is flagged and ends where all is. */
function withEnds(plot: Plot): Plot {
  const end = (at: number): PlacedPoint => ({ threshold: null, x: at, y: at, text: '' });
  return {
    ...plot,
    points: [end(0), ...plot.points, end(100)],
    chance: [
      [0, 0],
      [100, 100],
    ],
  };
}

function pointText({ threshold, caught, missed, rejected, passed, cost }: CurvePoint): string {
  return `Threshold ${thresholdText(threshold)}: catches ${caught} of ${caught + missed} bad ones, rejects ${rejected} of ${rejected + passed} good ones, costs ${amount(cost)}`;
}

const amount = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 2 });

interface ThresholdSliderProps {
  points: readonly CurvePoint[];
  index: number;
  onChange: (index: number) => void;
}

/** Goes through the points of all curves, by pointer and by arrow keys. */
function ThresholdSlider({ points, index, onChange }: ThresholdSliderProps) {
  const id = useId();
  const point = points[index];
  return (
    <div className="grid max-w-[640px] grid-cols-[minmax(0,1fr)] gap-1">
      <label htmlFor={id}>
        Look at threshold{' '}
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

function Looked({
  point,
  inForce,
  cheapest,
}: {
  point: CurvePoint;
  inForce: boolean;
  cheapest: CurvePoint | undefined;
}) {
  const { caught, missed, rejected, passed, cost } = point;
  return (
    <dl
      aria-label="At this threshold"
      className="grid gap-x-8 gap-y-1 sm:grid-cols-2 xl:grid-cols-4"
    >
      <Fact name={`bad ones below it${inForce ? ' (in force)' : ''}`}>
        <Share k={caught} n={caught + missed} />
      </Fact>
      <Fact name="good ones below it">
        <Share k={rejected} n={rejected + passed} />
      </Fact>
      <Fact name="bad ones, of those below it">
        <Share k={caught} n={caught + rejected} />
      </Fact>
      <Fact name="cost">
        {amount(cost)}{' '}
        <span className="text-12 text-ink-2">
          {cheapest === undefined || cheapest.cost === cost
            ? 'the least there is'
            : `least ${amount(cheapest.cost)} at ${thresholdText(cheapest.threshold)}`}
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

function Share({ k, n }: { k: number; n: number }) {
  const { rate, interval, counts } = rateText(k, n);
  return (
    <span className={rate === null ? 'text-ink-3' : ''}>
      {rate === null ? '' : `${rate} (${interval}) `}
      <span className="text-12">{counts}</span>
    </span>
  );
}

function SweepTable({ label, points }: { label: string; points: readonly CurvePoint[] }) {
  return (
    <div className="max-h-96 overflow-y-auto">
      <DataTable
        label={label}
        heads={['Threshold', 'Bad ones below', 'Good ones below', 'Bad, of those below', 'Cost']}
      >
        {points.map(({ threshold, caught, missed, rejected, passed, cost }) => (
          <Row key={threshold}>
            <NameCell>{thresholdText(threshold)}</NameCell>
            <Cell>
              <Share k={caught} n={caught + missed} />
            </Cell>
            <Cell>
              <Share k={rejected} n={rejected + passed} />
            </Cell>
            <Cell>
              <Share k={caught} n={caught + rejected} />
            </Cell>
            <Cell>{amount(cost)}</Cell>
          </Row>
        ))}
      </DataTable>
    </div>
  );
}
