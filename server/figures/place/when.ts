import type { Moment } from '../moment';
import type { ScannedFigure } from '../scan';
import type { Grid } from './grid';

/** A stretch of time that a sentence names: a date, several, a span, "the second day", "Friday". */
export interface When {
  /** UTF-16 indexes of the answer; equal where it was taken over from a sentence before. */
  readonly from: number;
  readonly to: number;
  /** As the answer writes it. */
  readonly text: string;
  /** One day, which sentences that follow may go on about. */
  readonly day: boolean;
  readonly covers: (moment: Moment, grid: Grid) => boolean;
  /** What its first and last date cover, where it is a span. */
  readonly ends: readonly [When['covers'], When['covers']] | null;
  /** Figures that it is made of. */
  readonly figures: readonly ScannedFigure[];
  /** The dates that it lists ("the 6th and 7th"), in order; itself alone where it lists none. */
  readonly listed: readonly When[];
  /** The first and last date of it as far as they are written; null where they are not known. */
  readonly bounds: readonly [DateParts, DateParts] | null;
}

export type DateParts = Pick<Moment, 'year' | 'month' | 'day'>;

/** A stretch of time that is no list of others. */
export function singleWhen(when: Omit<When, 'listed' | 'ends'>): When {
  const made: When & { listed: readonly When[] } = { ...when, ends: null, listed: [] };
  made.listed = [made];
  return made;
}

/** What is equal in all parts that both show. */
export function coversParts(a: DateParts): When['covers'] {
  return (b) =>
    (a.year === null || b.year === null || a.year === b.year) &&
    (a.month === null || b.month === null || a.month === b.month) &&
    (a.day === null || b.day === null || a.day === b.day);
}
