import { bleu as bleuScore } from 'bleu-score';
import { z } from 'zod';
import { runWithin } from '../watchdog';
import { similarityFinding } from './compare';
import { defineComparison, type CustomCheck } from './definition';
import { similarityMin, similarityTitle } from './edit-distance';
import { checkLengths, comparedWords } from './words';

/** `bleu`: shared n-grams with a penalty for short texts (Papineni et al. 2002). */
export const bleu: CustomCheck = defineComparison({
  name: 'bleu',
  meaning:
    'BLEU (Papineni et al. 2002) of the text against the reference, of words in lower case, without smoothing.',
  needs: 'a value at `field`; `value` or a reference',
  members: {
    max_n: z
      .number()
      .int()
      .min(1)
      .max(4)
      .default(4)
      .describe('Longest n-gram, in words; at most the words of the shorter text.'),
    min: similarityMin(),
  },
  example: { max_n: 2, min: 0.3 },
  notes: ['A text has at most 1,000,000 characters. A comparison that takes over 2 s breaks.'],
  title: ({ min }) => similarityTitle('BLEU', min),
  prepare:
    ({ max_n: maxN, min }) =>
    (field, reference) => {
      checkLengths(field.text, reference.text);
      const [words, expected] = [comparedWords(field.text), comparedWords(reference.text)];
      const longest = Math.min(maxN, words.length, expected.length);
      const score =
        longest === 0
          ? 0
          : runWithin(
              () => bleuScore(tokensOf(expected), tokensOf(words), longest),
              'comparing the texts',
            );
      return similarityFinding('BLEU', score, min);
    },
});

/** The library counts n-grams as members of an object: no word may be "constructor". */
const tokensOf = (words: readonly string[]): string => words.map((word) => `·${word}`).join(' ');
