import { z } from 'zod';
import { standardScale } from '../../code';
import type { ConfigField } from '../config-field';

export const CodeConfig = z.object({
  /**
   * A file of at least this size counts as complete when the expected amount is unknown (QEL-19).
   */
  code_bytes: z.number().int().min(1).max(100_000).default(standardScale.code),
  data_bytes: z.number().int().min(1).max(100_000).default(standardScale.data),
  /** Code points of the files in one call of the semantic judge (QEL-49). */
  shown_chars: z.number().int().min(500).max(200_000).default(24_000),
});
export type CodeConfig = z.infer<typeof CodeConfig>;

const bytes = { type: 'number', min: 1, max: 100_000, whole: true } as const;

export const codeFields: readonly ConfigField[] = [
  {
    ...bytes,
    key: 'code_bytes',
    name: 'Size of a whole file of code',
    meaning:
      'Bytes without blanks and comments from which a file counts as filled in, where the request requires no number of functions or classes.',
  },
  {
    ...bytes,
    key: 'data_bytes',
    name: 'Size of a whole file of data',
    meaning: 'The same for JSON, YAML, Markdown and lists of packages.',
  },
  {
    key: 'shown_chars',
    name: 'Shown to the semantic judge',
    meaning:
      'Characters of all files together in one judge call. Longer work is judged in windows.',
    type: 'number',
    min: 500,
    max: 200_000,
    whole: true,
  },
];
