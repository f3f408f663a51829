import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { normalised, similarityFinding } from './compare';
import { defineComparison, type CustomCheck } from './definition';

/**
 * Characters of one text times characters of the other: about half a second. The library keeps
 * state between its steps, so it must not be interrupted by a watchdog.
 */
const WORK_MAX = 2_500_000_000;

/** `edit_distance`: Levenshtein's distance of two texts, as similarity. */
export const editDistance: CustomCheck = defineComparison({
  name: 'edit_distance',
  meaning:
    'Similarity with the reference: 1 − Levenshtein distance / characters of the longer text (UTF-16 units).',
  needs: 'a value at `field`; `value` or a reference',
  members: {
    min: similarityMin(),
    normalized: z
      .boolean()
      .default(false)
      .describe('Ignores case, composition (NFKC) and the amount of white space.'),
  },
  example: { min: 0.8, normalized: true },
  notes: ['The product of the two lengths is at most 2,500,000,000 (50,000 characters each).'],
  title: ({ min }) => similarityTitle('Edit similarity', min),
  prepare:
    ({ min, normalized }) =>
    (field, reference) => {
      const fold = normalized ? normalised : (text: string): string => text.normalize('NFC');
      const [one, other] = [fold(field.text), fold(reference.text)];
      if (one.length * other.length > WORK_MAX)
        throw new Error(
          `the texts are too long to compare: ${one.length} and ${other.length} characters; the product is at most ${WORK_MAX}`,
        );
      const longer = Math.max(one.length, other.length);
      const edits = distance(one, other);
      return similarityFinding(
        `with ${edits} edits, the similarity`,
        longer === 0 ? 1 : 1 - edits / longer,
        min,
      );
    },
});

/** The member `min` of checks that measure a similarity. */
export function similarityMin() {
  return z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Met from this similarity up, with the value 1 or 0. Without it the similarity is the value, and 0.5 meets the check.',
    );
}

export const similarityTitle = (what: string, min: number | undefined): string =>
  min === undefined
    ? `${what} with the reference`
    : `${what} with the reference of at least ${min}`;
