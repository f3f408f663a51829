import { minSampleSize, wilson } from './rate';

/**
 * The difference of two independent shares with its 95% interval, from both Wilson intervals
 * (Newcombe 1998, method 10): d - √((p₁−l₁)² + (u₂−p₂)²) to d + √((u₁−p₁)² + (p₂−l₂)²).
 */
export interface RateDifference {
  /** First minus second, each -1..1. */
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** A part and its whole. */
export interface Share {
  readonly numerator: number;
  readonly denominator: number;
  /** The weight of one item, if several come from one session (`itemWeight`); defaults to 1. */
  readonly weight?: number | undefined;
}

const boundsOf = ({ numerator, denominator, weight = 1 }: Share) =>
  wilson(numerator * weight, denominator * weight);

/** Each denominator must be above 0. */
export function newcombe(one: Share, other: Share): RateDifference {
  const [p, q] = [one.numerator / one.denominator, other.numerator / other.denominator];
  const [a, b] = [boundsOf(one), boundsOf(other)];
  return {
    value: p - q,
    low: p - q - Math.hypot(p - a.low, b.high - q),
    high: p - q + Math.hypot(a.high - p, q - b.low),
  };
}

/** Null if a denominator is below 20: the interval would be too wide to be useful. */
export function rateDifference(one: Share, other: Share): RateDifference | null {
  return one.denominator < minSampleSize || other.denominator < minSampleSize
    ? null
    : newcombe(one, other);
}
