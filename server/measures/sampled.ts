import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';

/**
 * How many rows a draw of the audit represents: 1 / probability (Horvitz–Thompson), rounded to
 * 2^-20, and its square, rounded to 2^-10. Sums of these numbers are exact in double precision up
 * to 2^33 and 2^43, in any order. Incrementally maintained counts therefore equal recomputed ones.
 */
export function weightOf({ sql }: Pick<ProjectCtx, 'sql'>): {
  readonly weight: Fragment;
  readonly square: Fragment;
} {
  return {
    weight: sql`(round(1048576 / probability) / 1048576)`,
    square: sql`(round(1024 / (probability * probability)) / 1024)`,
  };
}
