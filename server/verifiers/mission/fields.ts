import type { ConfigField } from '../config-field';

export const missionFields: readonly ConfigField[] = [
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
