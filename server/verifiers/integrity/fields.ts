import type { ConfigField } from '../config-field';

/** The members of `IntegrityConfig`, as people are asked for them. */
export const integrityFields: readonly ConfigField[] = [
  {
    key: 'allow_user_figures',
    name: 'Allow figures of the user',
    meaning:
      'On: a figure that the user wrote in the question counts as sourced when the answer repeats it. Off: only tool results and context count.',
    type: 'switch',
  },
  {
    key: 'derived_counts_as_sourced',
    name: 'Allow derived figures',
    meaning:
      'On: sums, differences, counts and the like of sourced values count as sourced. Off: they are marked as derived, and are unsourced.',
    type: 'switch',
  },
];
