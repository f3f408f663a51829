import type { Fragment } from 'postgres';
import type { ProjectCtx } from '../access';

/**
 * How many rows one that the audit drew stands for: 1 / probability (Horvitz–Thompson), rounded to
 * 2^-20, and its square, rounded to 2^-10. Sums of such numbers are exact in double precision up to
 * 2^33 and 2^43, whatever the order, so that counts kept by adding and taking away equal counts
 * made again.
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
