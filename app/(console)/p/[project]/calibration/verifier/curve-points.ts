import type { Curves } from '@/app/_trpc/outputs';
import { sharesOf, shareValue } from '@/server/domain';

type Cells = Curves['points'][number];

/** Cost of one of each, in the reader's own unit. */
export interface Prices {
  readonly miss: number;
  readonly reject: number;
  /** Cost of a human review of a flagged one. */
  readonly review: number;
}

/** One threshold: scores below it fail. Shares are 0..1; null if their denominator is 0. */
export interface CurvePoint extends Cells {
  readonly catchRate: number | null;
  /** Rejected good subjects, as a share of the good subjects. */
  readonly falseRejectionRate: number | null;
  readonly precision: number | null;
  /** Total over all labelled subjects. */
  readonly cost: number;
}

export function curvePoints(points: readonly Cells[], prices: Prices): CurvePoint[] {
  return points.map((point) => {
    const { caught, missed, rejected } = point;
    const { catchRate, falseRejectionRate, precision } = sharesOf(point);
    return {
      ...point,
      catchRate: shareValue(catchRate),
      falseRejectionRate: shareValue(falseRejectionRate),
      precision: shareValue(precision),
      cost: prices.miss * missed + prices.reject * rejected + prices.review * (caught + rejected),
    };
  });
}

/** The index of the lowest cost; among equals, of the highest threshold. -1 without points. */
export function cheapestIndex(points: readonly CurvePoint[]): number {
  const minCost = Math.min(...points.map(({ cost }) => cost));
  return points.findLastIndex(({ cost }) => cost === minCost);
}

/**
 * The index of the point with the same decisions as `threshold`: the lowest at or above it, since
 * no scores lie between it and the one before; beyond the last, the last. -1 without points.
 */
export function indexAt(
  points: readonly Pick<CurvePoint, 'threshold'>[],
  threshold: number,
): number {
  const found = points.findIndex((point) => point.threshold >= threshold);
  return found === -1 ? points.length - 1 : found;
}

/** `0.7`, `72.5`: as many digits as distinguish thresholds. */
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
  return `Threshold ${thresholdText(threshold)}: catches ${caught} of ${caught + missed} bad subjects, rejects ${rejected} of ${rejected + passed} good subjects, costs ${amount(cost)}`;
}

export const amount = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 2 });
