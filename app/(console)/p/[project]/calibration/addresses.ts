import { createSerializer, parseAsIsoDateTime, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { Cell, type Days, Origin } from '@/server/calibration/input';

/** The addresses of the calibration pages: names of judges hold any character, and so stand in the query. */
export const periods = [7, 30, 90, 0] as const satisfies readonly Days[];
export const periodName: Record<Days, string> = { 7: '7 days', 30: '30 days', 90: '90 days', 0: 'All' };

export function readDays(value: string | string[] | undefined): Days {
  return periods.find((each) => String(each) === value) ?? 30;
}

export const verifierParsers = {
  verifier: parseAsString,
  origin: parseAsStringLiteral(Origin.options).withDefault('verifier'),
  judge: parseAsString,
};

export const rowParsers = {
  ...verifierParsers,
  cell: parseAsStringLiteral(Cell.options).withDefault('labelled'),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export interface RowFilters {
  readonly verifier: string | null;
  readonly origin: Origin;
  readonly judge: string | null;
  readonly cell: Cell;
  readonly from: Date | null;
  readonly to: Date | null;
}

const rowQuery = createSerializer(rowParsers);
const verifierQuery = createSerializer(verifierParsers);

/** The verifier that a page is about. */
export interface About {
  readonly project: string;
  readonly verifier: string;
  readonly origin: Origin;
  /** What one model judged; null, or not there: whoever did. */
  readonly judge?: string | null;
}

export function verifierHref({ project, verifier, origin, judge = null }: About, days: Days): string {
  return `/p/${project}/calibration/verifier${verifierQuery({ verifier, origin, judge })}&days=${days}`;
}

export function rowsHref(
  { project, verifier, origin, judge = null }: About,
  cell: Cell,
  period: { from: Date | null; to?: Date | null },
): string {
  return `/p/${project}/calibration/rows${rowQuery({ verifier, origin, judge, cell, from: period.from, to: period.to ?? null })}`;
}

/** Input of the rows procedure: absent, not null, where nothing bounds the period. */
export function rowsInput(project: string, { verifier, origin, judge, cell, from, to }: RowFilters) {
  return {
    project,
    verifier: verifier ?? '',
    origin,
    cell,
    limit: 50,
    ...(judge !== null && { judge }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

/** What the rows behind a number are called. */
export const cellName: Record<Cell, string> = {
  caught: 'Caught',
  missed: 'Missed failures',
  rejected: 'False rejections',
  passed: 'Right passes',
  undecided: 'Not decided',
  unparseable: 'Unreadable replies',
  bad: 'Bad ones',
  good: 'Good ones',
  labelled: 'With known truth',
  agreed: 'Agreeing with the truth',
  ruled: 'Ruled on by people',
  overruled: 'Ruled otherwise by people',
  passes: 'Passed',
  decided: 'Decided',
};

export const cellMeaning: Record<Cell, string> = {
  caught: 'bad, and the verifier flagged it',
  missed: 'bad, and the verifier passed it',
  rejected: 'good, and the verifier flagged it',
  passed: 'good, and the verifier passed it',
  undecided: 'the truth is known, and the verifier neither passed nor failed it: outside of every rate',
  unparseable: 'the judge’s reply could not be read',
  bad: 'caught and missed failures',
  good: 'right passes and false rejections',
  labelled: 'everything that the rates are made of',
  agreed: 'caught failures and right passes',
  ruled: 'verdicts that a person ruled on',
  overruled: 'verdicts that a person ruled otherwise',
  passes: 'what the judge passed, with known truth or without',
  decided: 'what the judge passed or flagged, with known truth or without',
};
