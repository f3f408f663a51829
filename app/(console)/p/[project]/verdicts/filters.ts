import {
  createSerializer,
  parseAsArrayOf,
  parseAsIsoDateTime,
  parseAsString,
  parseAsStringLiteral,
} from 'nuqs/server';
import { Outcome } from '@/server/domain';
import { FiguresFound } from '@/server/verdicts/input';

/**
 * The filters of the verdict list are kept in the URL, so that Back works and a view can be shared.
 */
export const filterParsers = {
  outcome: parseAsArrayOf(parseAsStringLiteral(Outcome.options)).withDefault([]),
  verifier: parseAsString,
  model: parseAsString,
  session: parseAsString,
  turn: parseAsString,
  mission: parseAsString,
  tag: parseAsString,
  prompt: parseAsString,
  experiment: parseAsString,
  text: parseAsString,
  figures: parseAsStringLiteral(FiguresFound.options),
  from: parseAsIsoDateTime,
  to: parseAsIsoDateTime,
};

export interface Filters {
  readonly outcome: Outcome[];
  readonly verifier: string | null;
  /** An empty string selects those without a model. */
  readonly model: string | null;
  readonly session: string | null;
  readonly turn: string | null;
  readonly mission: string | null;
  readonly tag: string | null;
  readonly prompt: string | null;
  /** Verdicts of experiments are listed only for one of them. */
  readonly experiment: string | null;
  readonly text: string | null;
  readonly figures: FiguresFound | null;
  readonly from: Date | null;
  readonly to: Date | null;
}

export const noFilters: Filters = {
  outcome: [],
  verifier: null,
  model: null,
  session: null,
  turn: null,
  mission: null,
  tag: null,
  prompt: null,
  experiment: null,
  text: null,
  figures: null,
  from: null,
  to: null,
};

/** `?outcome=failed&model=m`, or nothing without filters. */
export const filterQuery: (filters: Partial<Filters>) => string = createSerializer(filterParsers);

export function isFiltered(filters: Filters): boolean {
  return (
    filters.outcome.length > 0 ||
    Object.values(filters).some((value) => !Array.isArray(value) && value !== null)
  );
}

/** The list procedure's input: an unset filter is absent, not null. */
export function listInput(project: string, filters: Filters) {
  return {
    project,
    ...(filters.outcome.length > 0 && { outcome: filters.outcome }),
    ...(filters.verifier !== null && { verifier: filters.verifier }),
    ...(filters.model !== null && { model: filters.model }),
    ...(filters.session !== null && { session: filters.session }),
    ...(filters.turn !== null && { turn: filters.turn }),
    ...(filters.mission !== null && { mission: filters.mission }),
    ...(filters.tag !== null && { tag: filters.tag }),
    ...(filters.prompt !== null && { prompt: filters.prompt }),
    ...(filters.experiment !== null && { experiment: filters.experiment }),
    ...(filters.text !== null && { text: filters.text }),
    ...(filters.figures !== null && { figures: filters.figures }),
    ...(filters.from !== null && { from: filters.from }),
    ...(filters.to !== null && { to: filters.to }),
  };
}

/** The label of each figure filter. */
export const figuresWords: Record<FiguresFound, string> = {
  looked_at: 'verified by integrity',
  scanned: 'scanned, without an envelope',
  figures: 'with figures',
  unsourced: 'with unsourced figures',
  sent_back: 'sent back with a message',
  helped: 'helped by the message',
};
