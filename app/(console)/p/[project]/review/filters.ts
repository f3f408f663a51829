import { createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import {
  type AssignmentFilter,
  assignmentFilters,
  reviewQueues,
  type ReviewQueue,
} from '@/server/labels/input';

/**
 * The state of the review page is kept in the URL, including the shown item: a reload continues
 * where it was, and a view can be shared.
 */
export const reviewParsers = {
  verifier: parseAsString,
  queue: parseAsStringLiteral(reviewQueues),
  assigned: parseAsStringLiteral(assignmentFilters),
};
export const itemParser = parseAsString;

export interface ReviewFilters {
  readonly verifier: string | null;
  readonly queue: ReviewQueue | null;
  readonly assigned: AssignmentFilter | null;
}

export const noFilters: ReviewFilters = { verifier: null, queue: null, assigned: null };

export const reviewQuery: (filters: Partial<ReviewFilters>) => string =
  createSerializer(reviewParsers);

export function isFiltered({ verifier, queue, assigned }: ReviewFilters): boolean {
  return verifier !== null || queue !== null || assigned !== null;
}

/** Input of the review procedures: an unset filter is absent, not null. */
export function reviewInput(project: string, { verifier, queue, assigned }: ReviewFilters) {
  return {
    project,
    ...(verifier !== null && { verifier }),
    ...(queue !== null && { queue }),
    ...(assigned !== null && { assigned }),
  };
}
