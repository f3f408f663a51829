import { createSerializer, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { experimentStates } from '@/server/experiments/input';
import type { ExperimentState } from './experiment-words';

/** The filters of the list of experiments are kept in the URL. */
export const filterParsers = {
  dataset: parseAsString,
  branch: parseAsString,
  state: parseAsStringLiteral(experimentStates),
};

export interface Filters {
  /** A slug, or `slug@version`. */
  readonly dataset: string | null;
  readonly branch: string | null;
  readonly state: ExperimentState | null;
}

export const noFilters: Filters = { dataset: null, branch: null, state: null };

export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some((value) => value !== null);
}

/** As many as `experiments.summaries` accepts. */
const pageSize = 50;

/** The list procedure's input: an unset filter is absent, not null. */
export function listInput(project: string, { dataset, branch, state }: Filters) {
  return {
    project,
    limit: pageSize,
    ...(dataset !== null && { dataset }),
    ...(branch !== null && { branch }),
    ...(state !== null && { state }),
  };
}
