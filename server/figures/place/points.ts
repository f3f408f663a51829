import type { Moment } from '../moment';
import type { NamedColumn } from './column';
import type { Grid } from './grid';

/** A value of a series: its position in the column, and its date. */
export interface Point {
  readonly at: number;
  /** Its rank by date. */
  readonly order: number;
  readonly moment: Moment;
  readonly value: number;
}

/** Limits of a series: longer ones are not evaluated, and shorter ones have no course. */
const POINTS_MAX = 5_000;
const POINTS_MIN = 3;

const known = new WeakMap<NamedColumn, readonly Point[]>();

function keyOf({ moment: { year, month, day, clock } }: Point): string {
  return `${year ?? ''}-${month ?? ''}-${day ?? ''} ${clock ?? ''}`;
}

/**
 * The dated values of a column, in the order of their dates; none if they are too few or too many
 * for a course.
 */
export function pointsOf(column: NamedColumn, grid: Grid): readonly Point[] {
  let points = known.get(column);
  if (points === undefined) {
    points = [];
    if (column.size >= POINTS_MIN && column.size <= POINTS_MAX)
      points = column.rows.flatMap((row, at) => {
        const moment = grid.momentsOf(row)[0];
        return moment === undefined ? [] : [{ at, order: 0, moment, value: column.number(at) }];
      });
    points =
      points.length < POINTS_MIN
        ? []
        : points
            .toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
            .map((point, order) => ({ ...point, order }));
    known.set(column, points);
  }
  return points;
}
