import type { Curves } from '@/app/_trpc/outputs';
import { sharesOf, valueOf } from '@/server/domain';

type Cells = Curves['points'][number];

/** What one of each costs, in the reader's own unit. */
export interface Prices {
  readonly miss: number;
  readonly reject: number;
  /** Of a person who looks at what is flagged. */
  readonly review: number;
}

/** One threshold: what is below it fails. Shares are 0..1; null where their denominator is 0. */
export interface CurvePoint extends Cells {
  readonly catchRate: number | null;
  /** Good ones rejected, of the good ones. */
  readonly falseRejectionRate: number | null;
  readonly precision: number | null;
  /** Of all labelled ones together. */
  readonly cost: number;
}

export function curvePoints(points: readonly Cells[], prices: Prices): CurvePoint[] {
  return points.map((point) => {
    const { caught, missed, rejected } = point;
    const { catchRate, falseRejectionRate, precision } = sharesOf(point);
    return {
      ...point,
      catchRate: valueOf(catchRate),
      falseRejectionRate: valueOf(falseRejectionRate),
      precision: valueOf(precision),
      cost: prices.miss * missed + prices.reject * rejected + prices.review * (caught + rejected),
    };
  });
}

/**
 * The index of the cheapest; of those that cost the same, the highest threshold. -1 without points.
 */
export function cheapestIndex(points: readonly CurvePoint[]): number {
  const least = Math.min(...points.map(({ cost }) => cost));
  return points.findLastIndex(({ cost }) => cost === least);
}

/**
 * The index of the point that decides as `threshold` does: the lowest at or above it, since only a
 * point's own scores lie between it and the one before; beyond the last, the last. -1 without
 * points.
 */
export function indexAt(
  points: readonly Pick<CurvePoint, 'threshold'>[],
  threshold: number,
): number {
  const found = points.findIndex((point) => point.threshold >= threshold);
  return found === -1 ? points.length - 1 : found;
}

/** `0.7`, `72.5`: as many digits as tell thresholds apart. */
export function thresholdText(threshold: number): string {
  return String(Number(threshold.toPrecision(4)));
}

export function pointText({
  threshold,
  caught,
  missed,
  rejected,
  passed,
  cost,
}: CurvePoint): string {
  return `Threshold ${thresholdText(threshold)}: catches ${caught} of ${caught + missed} bad ones, rejects ${rejected} of ${rejected + passed} good ones, costs ${amount(cost)}`;
}

export const amount = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 2 });
