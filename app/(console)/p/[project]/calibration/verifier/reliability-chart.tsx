'use client';

import {
  CartesianGrid,
  ErrorBar,
  ReferenceLine,
  ResponsiveContainer,
  Scatter,
  ScatterChart,
  XAxis,
  YAxis,
} from 'recharts';
import type { CalibrationReport } from '@/app/_trpc/outputs';
import { axisLine, axisTick, gridStroke, noteText } from '@/app/_ui/chart-styles';
import { minSampleSize } from '@/app/_ui/rate';

export type Bin = NonNullable<CalibrationReport['reliability']>['bins'][number];

interface DotProps {
  cx?: number | undefined;
  cy?: number | undefined;
  payload?: { readonly n: number; readonly text: string } | undefined;
}

const ticks = [0, 25, 50, 75, 100];

/** Stated confidence against observed accuracy: equal on the diagonal. */
export default function ReliabilityChart({ bins, xName }: { bins: readonly Bin[]; xName: string }) {
  const rows = bins.flatMap(({ mean, n, right: { value, low, high, numerator, denominator } }) =>
    value === null || low === null || high === null
      ? []
      : [
          {
            x: mean * 100,
            y: value * 100,
            n,
            error: [(value - low) * 100, (high - value) * 100] as [number, number],
            text: `${xName} ${(mean * 100).toFixed(1)}% on average: right in ${numerator ?? 0} of ${denominator}`,
          },
        ],
  );
  return (
    <ResponsiveContainer width="100%" height="100%">
      <ScatterChart margin={{ top: 12, right: 16, bottom: 0, left: 0 }} accessibilityLayer={false}>
        <CartesianGrid vertical={false} stroke={gridStroke} />
        <XAxis
          type="number"
          dataKey="x"
          domain={[0, 100]}
          ticks={ticks}
          unit="%"
          tick={axisTick}
          tickLine={false}
          axisLine={axisLine}
        />
        <YAxis
          type="number"
          dataKey="y"
          domain={[0, 100]}
          ticks={ticks}
          unit="%"
          tick={axisTick}
          tickLine={false}
          axisLine={false}
          width={52}
        />
        <ReferenceLine
          segment={[
            { x: 0, y: 0 },
            { x: 100, y: 100 },
          ]}
          stroke="var(--color-series-3)"
          strokeDasharray="4 4"
          label={{ value: 'perfect calibration', position: 'insideTopLeft', ...noteText }}
        />
        <Scatter
          data={rows}
          isAnimationActive={false}
          shape={({ cx, cy, payload }: DotProps) => <BinDot cx={cx} cy={cy} payload={payload} />}
        >
          <ErrorBar
            dataKey="error"
            direction="y"
            width={4}
            stroke="var(--color-series-1)"
            strokeOpacity={0.6}
            isAnimationActive={false}
          />
        </Scatter>
      </ScatterChart>
    </ResponsiveContainer>
  );
}

/** Hollow when n is under 20. */
function BinDot({ cx, cy, payload }: DotProps) {
  if (cx === undefined || cy === undefined || payload === undefined) return <g />;
  return (
    <circle
      cx={cx}
      cy={cy}
      r={4}
      stroke="var(--color-series-1)"
      strokeWidth={2}
      fill={payload.n < minSampleSize ? 'var(--color-surface)' : 'var(--color-series-1)'}
    >
      <title>{payload.text}</title>
    </circle>
  );
}
