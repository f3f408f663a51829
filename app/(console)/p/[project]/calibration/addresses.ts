import {
  createSerializer,
  parseAsFloat,
  parseAsInteger,
  parseAsIsoDateTime,
  parseAsNumberLiteral,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { Cell, type Days, Origin, type Slice, SliceField } from '@/server/measures/input';
import { readVerifierName, seriesOf } from '@/server/domain';

/**
 * The URLs of the calibration pages. Names of judges may contain any character, so they are in the
 * query string.
 */
export const periods = [7, 30, 90, 0] as const satisfies readonly Days[];
export const periodName: Record<Days, string> = {
  7: '7 days',
  30: '30 days',
  90: '90 days',
  0: 'All',
};

export function readDays(value: string | string[] | undefined): Days {
  return periods.find((each) => String(each) === value) ?? 30;
}

const verifierParsers = {
  verifier: parseAsString,
  origin: parseAsStringLiteral(Origin.options).withDefault('verifier'),
  judge: parseAsString,
  /** Labels under this version of the policy; 0 for those without a version. */
  policy: parseAsInteger,
  /** A slice: its field and its value. */
  by: parseAsStringLiteral(SliceField.options),
  of: parseAsString,
};

/** The tabs of a verifier's page, in order. */
export const verifierTabs = ['rates', 'scores', 'people', 'slices', 'stability', 'cost'] as const;
export type VerifierTab = (typeof verifierTabs)[number];

/** The parameters of a page about one verifier. */
export const viewParsers = {
  ...verifierParsers,
  days: parseAsNumberLiteral(periods).withDefault(30),
  tab: parseAsStringLiteral(verifierTabs).withDefault('rates'),
};

/**
 * Costs of a missed failure, a false rejection and a review, in the reader's own unit, and the
 * selected threshold.
 */
export const costParsers = {
  miss: parseAsFloat.withDefault(10),
  reject: parseAsFloat.withDefault(1),
  review: parseAsFloat.withDefault(0),
  at: parseAsFloat,
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
  readonly policy: number | null;
  readonly by: SliceField | null;
  readonly of: string | null;
  readonly cell: Cell;
  readonly from: Date | null;
  readonly to: Date | null;
}

/** The query string of the rows: stored in a saved view. */
export const rowsQuery: (filters: Partial<RowFilters>) => string = createSerializer(rowParsers);
const verifierQuery = createSerializer(verifierParsers);

/** The subject of a page about a verifier. */
export interface About {
  readonly project: string;
  readonly verifier: string;
  readonly origin: Origin;
  /** Only verdicts of one model; null or absent for all models. */
  readonly judge?: string | null;
  readonly policy?: number | null;
  readonly by?: SliceField | null;
  readonly of?: string | null;
}

const which = ({ verifier, origin, judge = null, policy = null, by = null, of = null }: About) => ({
  verifier,
  origin,
  judge,
  policy,
  by,
  of,
});

export function verifierHref(about: About, days: Days, tab: VerifierTab = 'rates'): string {
  const tabQuery = tab === 'rates' ? '' : `&tab=${tab}`;
  return `/p/${about.project}/calibration/verifier${verifierQuery(which(about))}&days=${days}${tabQuery}`;
}

export function rowsHref(
  about: About,
  cell: Cell,
  period: { from: Date | null; to?: Date | null },
): string {
  return `/p/${about.project}/calibration/rows${rowsQuery({ ...which(about), cell, from: period.from, to: period.to ?? null })}`;
}

/** Input of the procedures about one verifier. */
export function measureInput({ project, verifier, origin, judge = null }: About, days: Days) {
  return { project, verifier, origin, days, ...(judge !== null && { judge }) };
}

export function reportInput(about: About, days: Days) {
  const slice = sliceOf(about);
  return {
    ...measureInput(about, days),
    ...(about.policy != null && { policy: about.policy }),
    ...(slice !== null && { slice }),
  };
}

/** Null when the page covers all slices. */
export function sliceOf({ by = null, of = null }: Pick<About, 'by' | 'of'>): Slice | null {
  return by === null || of === null ? null : { by, value: of };
}

/** The label of each slice field. */
export const sliceName: Record<SliceField, string> = {
  model: 'Model of the work',
  judge: 'Judge',
  tier: 'Tier',
  complexity: 'Complexity',
  mission: 'Mission',
};

/** `task@3`, `task:self@3` or `task`: the same verifier in one version, or in all. */
export function inVersion(verifier: string, version: number | null): string {
  const series = seriesOf(readVerifierName(verifier));
  return version === null ? series : `${series}@${version}`;
}

/** Input of the rows procedure: an unset bound of the period is absent, not null. */
export function rowsInput(
  project: string,
  { verifier, origin, judge, policy, by, of, cell, from, to }: RowFilters,
) {
  const slice = sliceOf({ by, of });
  return {
    project,
    verifier: verifier ?? '',
    origin,
    cell,
    limit: 50,
    ...(judge !== null && { judge }),
    ...(policy !== null && { policy }),
    ...(slice !== null && { slice }),
    ...(from !== null && { from }),
    ...(to !== null && { to }),
  };
}

/** The label of the rows behind a number. */
export const cellName: Record<Cell, string> = {
  caught: 'Caught',
  missed: 'Missed failures',
  rejected: 'False rejections',
  passed: 'Correct passes',
  undecided: 'Not decided',
  unparseable: 'Unreadable replies',
  bad: 'Bad subjects',
  good: 'Good subjects',
  labelled: 'With known truth',
  agreed: 'Agreeing with the truth',
  ruled: 'Ruled on by people',
  overruled: 'Overruled by people',
  passes: 'Passed',
  decided: 'Decided',
};

export const cellMeaning: Record<Cell, string> = {
  caught: 'bad, and the verifier flagged it',
  missed: 'bad, and the verifier passed it',
  rejected: 'good, and the verifier flagged it',
  passed: 'good, and the verifier passed it',
  undecided: 'labelled, but neither passed nor failed: excluded from all rates',
  unparseable: 'the judge’s reply could not be read',
  bad: 'caught and missed failures',
  good: 'correct passes and false rejections',
  labelled: 'all verdicts that the rates count',
  agreed: 'caught failures and correct passes',
  ruled: 'verdicts that a person ruled on',
  overruled: 'overridden verdicts',
  passes: 'what the judge passed, with known truth or without',
  decided: 'what the judge passed or flagged, with known truth or without',
};
