import { createSerializer, parseAsIsoDateTime, parseAsStringLiteral } from 'nuqs/server';

export const receivedKinds = ['turns', 'refused'] as const;

/** The filters of received items are kept in the URL. */
export const filterParsers = {
  what: parseAsStringLiteral(receivedKinds).withDefault('turns'),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export interface Filters {
  readonly what: (typeof receivedKinds)[number];
  readonly from: Date | null;
  readonly to: Date | null;
}

export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

/** The list procedure's input: an unset filter is absent, not null. */
export function listInput(project: string, { what, from, to }: Filters) {
  return { project, what, ...(from !== null && { from }), ...(to !== null && { to }) };
}
