import { createSerializer, parseAsIsoDateTime, parseAsString } from 'nuqs/server';

/** The filters of the session list are kept in the URL. */
export const filterParsers = {
  text: parseAsString,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export interface Filters {
  readonly text: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export const noFilters: Filters = { text: null, from: null, to: null };

export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** The list procedure's input: an unset filter is absent, not null. */
export function listInput(project: string, filters: Filters) {
  return {
    project,
    ...(filters.text !== null && { text: filters.text }),
    ...(filters.from !== null && { from: filters.from }),
    ...(filters.to !== null && { to: filters.to }),
  };
}
