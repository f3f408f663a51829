import type { Moment } from '../moment';
import type { ScannedFigure } from '../scan';
import type { Grid } from './grid';

/** A period in a sentence: a date, several, a span, "the second day", "Friday". */
export interface SentencePeriod {
  /** UTF-16 indexes of the answer; equal if it was carried over from an earlier sentence. */
  readonly from: number;
  readonly to: number;
  /** As the answer writes it. */
  readonly text: string;
  /** One day, which later sentences may continue with. */
  readonly day: boolean;
  readonly covers: (moment: Moment, grid: Grid) => boolean;
  /** The range from its first to its last date, if it is a span. */
  readonly ends: readonly [SentencePeriod['covers'], SentencePeriod['covers']] | null;
  /** Figures that it consists of. */
  readonly figures: readonly ScannedFigure[];
  /** The dates that it lists ("the 6th and 7th"), in order; only itself if it lists none. */
  readonly listed: readonly SentencePeriod[];
  /** The first and last date as far as written; null if unknown. */
  readonly bounds: readonly [DateParts, DateParts] | null;
}

export type DateParts = Pick<Moment, 'year' | 'month' | 'day'>;

/** A period that is not a list of others. */
export function singlePeriod(when: Omit<SentencePeriod, 'listed' | 'ends'>): SentencePeriod {
  const period: SentencePeriod & { listed: readonly SentencePeriod[] } = {
    ...when,
    ends: null,
    listed: [],
  };
  period.listed = [period];
  return period;
}

/** Equality of the parts that both show. */
export function coversParts(a: DateParts): SentencePeriod['covers'] {
  return (b) =>
    (a.year === null || b.year === null || a.year === b.year) &&
    (a.month === null || b.month === null || a.month === b.month) &&
    (a.day === null || b.day === null || a.day === b.day);
}
