import { createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { reviewQueues, type ReviewQueue } from '@/server/labels/input';

/**
 * What the desk shows is its address, the item in hand too: a reload goes on where it was, and a
 * view can be sent to a colleague.
 */
export const deskParsers = {
  verifier: parseAsString,
  queue: parseAsStringLiteral(reviewQueues),
};
export const itemParser = parseAsString;

export interface DeskFilters {
  readonly verifier: string | null;
  readonly queue: ReviewQueue | null;
}

export const deskQuery: (filters: Partial<DeskFilters>) => string = createSerializer(deskParsers);

export function isFiltered({ verifier, queue }: DeskFilters): boolean {
  return verifier !== null || queue !== null;
}

/** Input of the desk's procedures: absent, not null, where nothing is filtered. */
export function deskInput(project: string, { verifier, queue }: DeskFilters) {
  return { project, ...(verifier !== null && { verifier }), ...(queue !== null && { queue }) };
}
