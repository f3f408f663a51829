import type { ConfigField } from '../config-field';

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
  {
    key: 'second_opinion',
    name: 'Second opinion',
    meaning:
      'Whether a judge reads the statements that figures do not decide: trends, comparisons, facts without a figure. It costs a model call.',
    type: 'choice',
    options: [
      { value: 'off', name: 'Off', meaning: 'No model is asked.' },
      {
        value: 'report',
        name: 'Report',
        meaning: 'The judge adds a score to the verdict and does not change it.',
      },
      {
        value: 'decides',
        name: 'Decide',
        meaning:
          'A statement that no source supports makes the answer unsourced. Without a judge the verdict is inconclusive.',
      },
    ],
  },
];
