'use client';

import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  XAxis,
  YAxis,
} from 'recharts';
import { axisLine, axisTick, gridStroke, noteText } from '@/app/_ui/chart-styles';
import { thresholdText } from './curve-points';

export interface PlacedPoint {
  /** Null at the end of a curve, which has no score. */
  readonly threshold: number | null;
  readonly x: number;
  readonly y: number;
  /** The tooltip's text. */
  readonly text: string;
}

export interface Plot {
  /** The curve in words, for screen readers. */
  readonly label: string;
  readonly xName: string;
  readonly yName: string;
  readonly points: readonly PlacedPoint[];
  /** Both axes are percentages from 0 to 100; otherwise they follow the points. */
  readonly percent: boolean;
  /** Costs jump at thresholds; shares are interpolated between points. */
  readonly steps?: boolean;
  /** The line of random guessing, from one end to the other. */
  readonly chance?: readonly [readonly [number, number], readonly [number, number]];
  /** Labelled points on the curve. */
  readonly marks: readonly { readonly name: string; readonly point: PlacedPoint }[];
  /** The selected point. */
  readonly selected: PlacedPoint | null;
}

interface DotProps {
  cx?: number | undefined;
  cy?: number | undefined;
  payload?: PlacedPoint | undefined;
}

/**
 * A curve over thresholds. The slider above moves through its points by keyboard; the table has the
 * same numbers.
 */
export default function CurveChart({ plot }: { plot: Plot }) {
  const { points, percent, steps = false, chance, marks, selected } = plot;
  const scale = percent ? { domain: [0, 100], ticks: [0, 25, 50, 75, 100], unit: '%' } : {};
  return (
    <ResponsiveContainer width="100%" height="100%">
      <LineChart
        data={[...points]}
        margin={{ top: 12, right: 16, bottom: 0, left: 0 }}
        accessibilityLayer={false}
      >
        <CartesianGrid vertical={false} stroke={gridStroke} />
        <XAxis
          type="number"
          dataKey="x"
          tick={axisTick}
          tickLine={false}
          axisLine={axisLine}
          domain={percent ? [0, 100] : ['dataMin', 'dataMax']}
          tickFormatter={(value: number) => (percent ? `${value}%` : thresholdText(value))}
          {...(percent && { ticks: [0, 25, 50, 75, 100] })}
        />
        <YAxis tick={axisTick} tickLine={false} axisLine={false} width={52} {...scale} />
        {chance === undefined ? null : (
          <ReferenceLine
            segment={[
              { x: chance[0][0], y: chance[0][1] },
              { x: chance[1][0], y: chance[1][1] },
            ]}
            stroke="var(--color-series-3)"
            strokeDasharray="4 4"
            label={{ value: 'guessing', position: 'insideBottomRight', ...noteText }}
          />
        )}
        <Line
          dataKey="y"
          type={steps ? 'stepBefore' : 'linear'}
          stroke="var(--color-series-1)"
          strokeWidth={2}
          isAnimationActive={false}
          activeDot={false}
          dot={({ cx, cy, payload }: DotProps) => (
            <CurveDot key={`${cx} ${cy} ${payload?.threshold}`} cx={cx} cy={cy} payload={payload} />
          )}
        />
        {placedNames(points, joined(marks)).map(({ name, point, toLeft, above }) => (
          <ReferenceDot
            key={name}
            x={point.x}
            y={point.y}
            r={5}
            fill="var(--color-series-2)"
            stroke="var(--color-surface)"
            strokeWidth={2}
            label={<MarkLabel name={name} toLeft={toLeft} above={above} />}
          />
        ))}
        {selected === null ? null : (
          <ReferenceDot
            x={selected.x}
            y={selected.y}
            r={8}
            fill="none"
            stroke="var(--color-ink)"
            strokeWidth={2}
          />
        )}
      </LineChart>
    </ResponsiveContainer>
  );
}

/** Marks at one point share a label: thresholds with the same decisions coincide. */
function joined(marks: Plot['marks']): Plot['marks'] {
  const isSame = (one: PlacedPoint, other: PlacedPoint): boolean =>
    one.x === other.x && one.y === other.y;
  return marks
    .filter(({ point }, index) => marks.findIndex((each) => isSame(each.point, point)) === index)
    .map(({ point }) => ({
      point,
      name: marks
        .filter((each) => isSame(each.point, point))
        .map(({ name }) => name)
        .join(', '),
    }));
}

type PlacedName = Plot['marks'][number] & { readonly toLeft: boolean; readonly above: boolean };

/**
 * Labels keep away from the edges of the plot; of two close to each other one is above the curve,
 * the other below it.
 */
function placedNames(points: readonly PlacedPoint[], marks: Plot['marks']): PlacedName[] {
  const [maxX, maxY] = [
    Math.max(...points.map((each) => each.x)),
    Math.max(...points.map((each) => each.y)),
  ];
  const isNear = (one: PlacedPoint, other: PlacedPoint): boolean =>
    Math.abs(one.x - other.x) < 0.4 * maxX && Math.abs(one.y - other.y) < 0.15 * maxY;
  return marks.reduce<PlacedName[]>((before, mark) => {
    const { x, y } = mark.point;
    const isLow = y < 0.25 * maxY;
    const isTaken = before.some((each) => each.above === isLow && isNear(each.point, mark.point));
    return [...before, { ...mark, toLeft: x > 0.55 * maxX, above: isTaken ? !isLow : isLow }];
  }, []);
}

interface MarkLabelProps {
  name: string;
  toLeft: boolean;
  above: boolean;
  /** Set by the labelled dot: its bounding box. */
  viewBox?: {
    readonly x?: number;
    readonly y?: number;
    readonly width?: number;
    readonly height?: number;
  };
}

function MarkLabel({ name, toLeft, above, viewBox }: MarkLabelProps) {
  const [x, y] = [
    (viewBox?.x ?? 0) + (viewBox?.width ?? 0) / 2,
    (viewBox?.y ?? 0) + (viewBox?.height ?? 0) / 2,
  ];
  return (
    <text
      x={x + (toLeft ? -8 : 8)}
      y={y + (above ? -12 : 22)}
      textAnchor={toLeft ? 'end' : 'start'}
      {...noteText}
      stroke="var(--color-surface)"
      strokeWidth={3}
      paintOrder="stroke"
    >
      {name}
    </text>
  );
}

function CurveDot({ cx, cy, payload }: DotProps) {
  if (cx === undefined || cy === undefined || payload?.threshold == null) return null;
  return (
    <circle cx={cx} cy={cy} r={2.5} fill="var(--color-series-1)">
      <title>{payload.text}</title>
    </circle>
  );
}
