import { retryField } from '../checkpoint';
import type { ConfigField } from '../config-field';

export const synthesisFields: readonly ConfigField[] = [
  retryField,
  {
    key: 'answer_chars',
    name: 'Shown of the answer',
    meaning: 'Characters of the answer in one judge call. A longer one is judged in windows.',
    type: 'number',
    min: 1_000,
    max: 200_000,
    whole: true,
  },
  {
    key: 'output_chars',
    name: 'Shown of all outputs',
    meaning:
      'Characters of all outputs together in one judge call. Longer outputs are judged in windows.',
    type: 'number',
    min: 2_000,
    max: 200_000,
    whole: true,
  },
];
