import { createSerializer, parseAsNumberLiteral, parseAsStringLiteral } from 'nuqs/server';

export const periods = [1, 7, 30] as const;
export type Days = (typeof periods)[number];
export const periodName: Record<Days, string> = { 1: 'Today', 7: '7 days', 30: '30 days' };

/** The period of the charts and the filters of the list are kept in the URL. */
export const filterParsers = {
  days: parseAsNumberLiteral(periods).withDefault(7),
  outcome: parseAsStringLiteral(['succeeded', 'failed', 'unknown']),
  verdict: parseAsStringLiteral(['PASS', 'RETRY', 'FAIL']),
};

export interface Filters {
  readonly outcome: 'succeeded' | 'failed' | 'unknown' | null;
  readonly verdict: 'PASS' | 'RETRY' | 'FAIL' | null;
}

export const noFilters: Filters = { outcome: null, verdict: null };

export const filterQuery: (filters: Partial<Filters> & { readonly days?: Days }) => string =
  createSerializer(filterParsers);

export function isFiltered({ outcome, verdict }: Filters): boolean {
  return outcome !== null || verdict !== null;
}

/** The list procedure's input: an unset filter is absent, not null. */
export function listInput(project: string, { outcome, verdict }: Filters) {
  return {
    project,
    limit: 50,
    ...(outcome !== null && { outcome }),
    ...(verdict !== null && { verdict }),
  };
}
