import { createSerializer, parseAsInteger, parseAsString } from 'nuqs/server';

/** The filters of the items of a dataset are kept in the URL. */
export const filterParsers = {
  /** Null means the latest version. */
  version: parseAsInteger,
  split: parseAsString,
  tag: parseAsString,
};

export interface Filters {
  readonly version: number | null;
  readonly split: string | null;
  readonly tag: string | null;
}

export const noFilters = { split: null, tag: null } as const;

export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

/** The version selects the listed data; it is not a filter. */
export const isFiltered = ({ split, tag }: Filters): boolean => split !== null || tag !== null;

export function itemsInput(
  dataset: { readonly project: string; readonly slug: string; readonly version: number },
  { split, tag }: Filters,
) {
  return {
    ...dataset,
    limit: 50,
    ...(split !== null && { split }),
    ...(tag !== null && { tag }),
  };
}

export const diffParsers = { from: parseAsInteger, to: parseAsInteger };
