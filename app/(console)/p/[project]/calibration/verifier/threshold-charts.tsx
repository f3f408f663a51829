import dynamic from 'next/dynamic';
import type { Curves } from '@/app/_trpc/outputs';
import { type ChartData, periodText } from '@/app/_ui/chart-data';
import { ChartFrame } from '@/app/_ui/chart-frame';
import { Cell, DataTable, NameCell, Row } from '@/app/_ui/data-table';
import { minSampleSize, rateText } from '@/app/_ui/rate';
import { EstimateText } from '../estimate-text';
import type { PlacedPoint, Plot } from './curve-chart';
import { amount, type CurvePoint, indexAt, pointText, thresholdText } from './curve-points';

const CurveChart = dynamic(() => import('./curve-chart'), { ssr: false });

/** In pixels; reserved before the chart is loaded. */
const chartHeight = 264;

interface Sweep {
  curves: Curves;
  points: readonly CurvePoint[];
  selected: CurvePoint;
  currentPoint: CurvePoint | undefined;
  cheapest: CurvePoint | undefined;
}

/** Three curves of one sweep, side by side. */
export function ThresholdCharts({ from, ...sweep }: Sweep & { from: Date | null }) {
  const { curves, points, selected } = sweep;
  const n = selected.caught + selected.missed + selected.rejected + selected.passed;
  const few = n < minSampleSize;
  const plotOf = createPlots(sweep);
  const common = { ...scoredOf(from, n), data: curveData(points), tableWhenEmpty: true };
  const empty = `Fewer than ${minSampleSize} labelled subjects with a score: the table has the counts.`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-3">
      <ChartFrame
        title="ROC"
        description="Share of bad subjects below each threshold against the share of good subjects below it; up and to the left is better. Uses scores only and includes verdicts that were left to people, so the rates above differ."
        {...common}
        chart={
          few ? null : (
            <PlotChart
              plot={withEnds(
                plotOf(
                  {
                    label: 'Catch rate against false rejections, by threshold',
                    xName: 'false rejections, of the good subjects',
                    yName: 'bad subjects below',
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
            Area under the curve <EstimateText estimate={curves.auc} scale="number" />; 0.5 is no
            better than chance.
          </>
        }
      />
      <ChartFrame
        title="Precision and catch rate"
        description="Share of flagged subjects that are bad (precision) against the share of bad subjects that are flagged (recall), by threshold; up and to the right is better."
        {...common}
        chart={
          few ? null : (
            <PlotChart
              plot={plotOf(
                {
                  label: 'Precision against catch rate, by threshold',
                  xName: 'bad subjects below',
                  yName: 'precision: bad subjects, of the flagged',
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
            guessing gives the share of bad subjects.
          </>
        }
      />
      <ChartFrame
        title="Cost"
        description="Total cost of all labelled subjects at each threshold, by the three prices above."
        {...common}
        chart={
          few ? null : (
            <PlotChart
              plot={{
                ...plotOf(
                  {
                    label: 'Cost of all labelled subjects, by threshold',
                    xName: 'threshold',
                    yName: `cost of ${n.toLocaleString('en')} labelled subjects`,
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
  );
}

/** Builds the plots of one sweep: the same marks in all of them, placed by each plot. */
function createPlots({ curves, points, selected, currentPoint, cheapest }: Sweep) {
  const marksOf = (
    place: (point: CurvePoint) => PlacedPoint | null,
    withCheapest: boolean,
  ): Plot['marks'] =>
    [
      {
        name: `current ${curves.threshold === null ? '' : thresholdText(curves.threshold)}`,
        point: currentPoint,
      },
      {
        name: `cheapest ${thresholdText(cheapest?.threshold ?? 0)}`,
        point: withCheapest ? cheapest : undefined,
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
    selected: place(selected),
  });
  return plotOf;
}

/** The period and the number of items behind the curves. */
const scoredOf = (from: Date | null, n: number) => ({
  period: periodText(from),
  n: `n ${n.toLocaleString('en')} labelled with a score`,
});

/** A curve with the labels of its axes. */
function PlotChart({ plot }: { plot: Plot }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <p className="text-12 text-ink-3">{plot.yName}</p>
      <div role="img" aria-label={plot.label} style={{ height: chartHeight }}>
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

/** The position of a point; null if the denominator of one of its two shares is 0. */
function placed(
  point: CurvePoint,
  x: number | null,
  y: number | null,
  times: number,
): PlacedPoint | null {
  if (x === null || y === null) return null;
  return { threshold: point.threshold, x: x * times, y: y * times, text: pointText(point) };
}

/** ROC begins where nothing is flagged and ends where everything is. */
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

export function Share({ k, n }: { k: number; n: number }) {
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
        heads={[
          'Threshold',
          'Bad subjects below',
          'Good subjects below',
          'Bad, of those below',
          'Cost',
        ]}
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
