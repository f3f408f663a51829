import { parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** The state of a comparison is kept in the URL. The first id is the baseline. */
export const compareParsers = {
  ids: parseAsArrayOf(parseAsString).withDefault([]),
  slice: parseAsStringLiteral(['tag', 'split']),
  /** Filters the items only: the adjusted p values depend on all verifiers. */
  verifier: parseAsString,
};

export type SliceBy = 'tag' | 'split';
