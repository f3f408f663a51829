import { createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { alertKinds } from '@/server/alerts/input';

/** The filters of the history are kept in the URL. */
export const filterParsers = { kind: parseAsStringLiteral(alertKinds), series: parseAsString };

export interface Filters {
  readonly kind: (typeof alertKinds)[number] | null;
  /** The series within its kind: a verifier, a provider, a route's model. */
  readonly series: string | null;
}

export const noFilters: Filters = { kind: null, series: null };

export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

export function isFiltered(filters: Filters): boolean {
  return filterQuery(filters) !== '';
}

/** The history procedure's input: an unset filter is absent, not null. */
export function historyInput(project: string, { kind, series }: Filters) {
  return {
    project,
    limit: 50,
    ...(kind !== null && { kind }),
    ...(series !== null && { series: series.slice(0, 300) }),
  };
}
