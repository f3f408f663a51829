import type { ConfigField } from '../config-field';

export const consistencyFields: readonly ConfigField[] = [
  {
    key: 'both_orders',
    name: 'Ask in both orders',
    meaning:
      'Judges lean to what they read first. On: each pair is asked about twice, with the outputs exchanged, and where the answers differ the pair is a tie. Twice the calls.',
    type: 'switch',
  },
  {
    key: 'output_chars',
    name: 'Shown of each output',
    meaning: 'Characters of each output in one judge call. A longer one is judged in windows.',
    type: 'number',
    min: 500,
    max: 100_000,
    whole: true,
  },
];
