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
import { axisLine, axisTick, gridStroke, noteText } from '@/app/_ui/chart-looks';
import { thresholdText } from './curve-points';

export interface PlacedPoint {
  /** Null for the end of a curve, which no score stands for. */
  readonly threshold: number | null;
  readonly x: number;
  readonly y: number;
  /** Said when the pointer rests on it. */
  readonly text: string;
}

export interface Plot {
  /** What the curve says, for who does not see it. */
  readonly label: string;
  readonly xName: string;
  readonly yName: string;
  readonly points: readonly PlacedPoint[];
  /** Both axes in percent of 0 to 100; else by the points. */
  readonly percent: boolean;
  /** Costs jump at thresholds; shares go from point to point. */
  readonly steps?: boolean;
  /** What guessing would give, from one end to the other. */
  readonly chance?: readonly [readonly [number, number], readonly [number, number]];
  /** Named on the curve itself. */
  readonly marks: readonly { readonly name: string; readonly point: PlacedPoint }[];
  /** The one that is looked at. */
  readonly looked: PlacedPoint | null;
}

interface DotProps {
  cx?: number | undefined;
  cy?: number | undefined;
  payload?: PlacedPoint | undefined;
}

/**
 * A curve over thresholds. The slider above goes through its points by keyboard; the table says the
 * same in numbers.
 */
export default function CurveChart({ plot }: { plot: Plot }) {
  const { points, percent, steps = false, chance, marks, looked } = plot;
  const scale = percent ? { domain: [0, 100], ticks: [0, 25, 50, 75, 100], unit: ' %' } : {};
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
          tickFormatter={(value: number) => (percent ? `${value} %` : thresholdText(value))}
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
        {looked === null ? null : (
          <ReferenceDot
            x={looked.x}
            y={looked.y}
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

/** Marks on one place have one name: thresholds that decide alike lie on each other. */
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
 * Names stand away from the edges of the plot; of two that lie near each other one stands over the
 * curve, the other under it.
 */
function placedNames(points: readonly PlacedPoint[], marks: Plot['marks']): PlacedName[] {
  const [mostX, mostY] = [
    Math.max(...points.map((each) => each.x)),
    Math.max(...points.map((each) => each.y)),
  ];
  const isNear = (one: PlacedPoint, other: PlacedPoint): boolean =>
    Math.abs(one.x - other.x) < 0.4 * mostX && Math.abs(one.y - other.y) < 0.15 * mostY;
  return marks.reduce<PlacedName[]>((before, mark) => {
    const { x, y } = mark.point;
    const wanted = y < 0.25 * mostY;
    const isTaken = before.some((each) => each.above === wanted && isNear(each.point, mark.point));
    return [...before, { ...mark, toLeft: x > 0.55 * mostX, above: isTaken ? !wanted : wanted }];
  }, []);
}

interface MarkLabelProps {
  name: string;
  toLeft: boolean;
  above: boolean;
  /** Given by the dot that it names: the square around it. */
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
