import { createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { reviewQueues, type ReviewQueue } from '@/server/labels/input';

/**
 * The state of the review page is kept in the URL, including the shown item: a reload continues
 * where it was, and a view can be shared.
 */
export const reviewParsers = {
  verifier: parseAsString,
  queue: parseAsStringLiteral(reviewQueues),
};
export const itemParser = parseAsString;

export interface ReviewFilters {
  readonly verifier: string | null;
  readonly queue: ReviewQueue | null;
}

export const reviewQuery: (filters: Partial<ReviewFilters>) => string =
  createSerializer(reviewParsers);

export function isFiltered({ verifier, queue }: ReviewFilters): boolean {
  return verifier !== null || queue !== null;
}

/** Input of the review procedures: an unset filter is absent, not null. */
export function reviewInput(project: string, { verifier, queue }: ReviewFilters) {
  return { project, ...(verifier !== null && { verifier }), ...(queue !== null && { queue }) };
}
