import { detectLevelChange, detectRateChange, type DayShare } from '../../stats';
import type { AlertKind } from '../alert-facts';
import { firstRecent } from './window';

/** One tested series of a kind of finding. */
export interface TestedSeries {
  readonly kind: AlertKind;
  readonly series: string;
  readonly name: string;
  /** The verifier whose rule applies; null for the rule of the kind. */
  readonly verifier: string | null;
  /** ln of the e-value of a change, and the index of its first day. */
  readonly logE: number;
  readonly at: number;
  /** Whether the change is for the worse, recent, and large enough to be reported. */
  readonly isWorse: boolean;
  readonly value: number;
  /** The message without a change. */
  readonly quiet: string;
  /** The message of a change, with its first day as a date. */
  readonly changed: (since: string) => string;
  /** The page of the rows, since an instant or of all times. */
  readonly href: (since: Date | null) => string;
}

/** The identity of a series, and the page of its rows. */
export type SeriesHead = Pick<TestedSeries, 'kind' | 'series' | 'name' | 'verifier' | 'href'>;

/** A share of events, such as a pass rate, that falls. */
export interface ShareTest {
  readonly days: readonly DayShare[];
  readonly quiet: (all: DayShare) => string;
  readonly changed: (before: DayShare, after: DayShare, since: string) => string;
}

export const shareOf = ({ passed, decided }: DayShare): number => passed / decided;

/** Null with too few events on either side of every day. */
export function testShare(head: SeriesHead, test: ShareTest): TestedSeries | null {
  const change = detectRateChange(test.days);
  if (change === null) return null;
  const { before, after, at, logE } = change;
  return {
    ...head,
    logE,
    at,
    isWorse: shareOf(after) < shareOf(before) && at >= firstRecent,
    value: shareOf(after),
    quiet: test.quiet({
      passed: before.passed + after.passed,
      decided: before.decided + after.decided,
    }),
    changed: (since) => test.changed(before, after, since),
  };
}

/** A daily value that becomes higher or lower. */
export interface LevelTest {
  readonly side: 'higher' | 'lower';
  /** 7 compares days with those of their weekday. */
  readonly period: 1 | 7;
  /** Null on days without one. */
  readonly days: readonly (number | null)[];
  /** The level on some days, on its own scale. */
  readonly levelOf: (days: readonly number[]) => number;
  /** The level before a change that the level after it is compared with; default: `levelOf`. */
  readonly expectedOf?: (before: readonly number[], after: readonly number[]) => number;
  readonly isReported: (before: number, after: number) => boolean;
  readonly quiet: (level: number) => string;
  readonly changed: (before: number, after: number, since: string) => string;
}

/** Null with too few days on either side. */
export function testLevel(head: SeriesHead, test: LevelTest): TestedSeries | null {
  const { days, side, period, levelOf } = test;
  const change = detectLevelChange(days, { side, period, from: firstRecent });
  if (change === null) return null;
  const { at, logE } = change;
  const withValue = days.flatMap((value, day) => (value === null ? [] : [day]));
  const [before, after] = [
    withValue.filter((day) => day < at),
    withValue.filter((day) => day >= at),
  ];
  const was = (test.expectedOf ?? levelOf)(before, after);
  const is = levelOf(after);
  return {
    ...head,
    logE,
    at,
    isWorse: (side === 'higher' ? is > was : is < was) && test.isReported(was, is),
    value: is,
    quiet: test.quiet(levelOf(withValue)),
    changed: (since) => test.changed(was, is, since),
  };
}
