import { createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { reviewQueues, type ReviewQueue } from '@/server/labels/input';

/**
 * The state of the review page is kept in the URL, including the shown item: a reload continues
 * where it was, and a view can be shared.
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

/** Input of the review procedures: an unset filter is absent, not null. */
export function deskInput(project: string, { verifier, queue }: DeskFilters) {
  return { project, ...(verifier !== null && { verifier }), ...(queue !== null && { queue }) };
}
