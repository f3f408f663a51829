import { createSerializer, parseAsBoolean, parseAsIsoDateTime, parseAsString } from 'nuqs/server';

/**
 * The filters of the trace list are kept in the URL, so that Back works and a view can be shared.
 */
export const filterParsers = {
  text: parseAsString,
  session: parseAsString,
  model: parseAsString,
  service: parseAsString,
  errors: parseAsBoolean,
  failed: parseAsBoolean,
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export interface Filters {
  readonly text: string | null;
  readonly session: string | null;
  readonly model: string | null;
  readonly service: string | null;
  readonly errors: boolean | null;
  readonly failed: boolean | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export const noFilters: Filters = {
  text: null,
  session: null,
  model: null,
  service: null,
  errors: null,
  failed: null,
  from: null,
  to: null,
};

/** `?session=s&errors=true`, or nothing without filters. */
export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== null && value !== false);
}

/** The list procedure's input: an unset filter is absent, not null. */
export function listInput(project: string, filters: Filters) {
  return {
    project,
    ...(filters.text !== null && { text: filters.text }),
    ...(filters.session !== null && { session: filters.session }),
    ...(filters.model !== null && { model: filters.model }),
    ...(filters.service !== null && { service: filters.service }),
    ...(filters.errors === true && { errors: true }),
    ...(filters.failed === true && { failed: true }),
    ...(filters.from !== null && { from: filters.from }),
    ...(filters.to !== null && { to: filters.to }),
  };
}
