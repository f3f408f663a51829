import { l, n } from 'js-rouge';
import { z } from 'zod';
import { runWithin } from '../watchdog';
import { similarityFinding } from './compare';
import { defineComparison, type CustomCheck } from './definition';
import { similarityMin, similarityTitle } from './edit-distance';
import { checkLengths, comparedWords } from './words';

const variants = ['rouge-1', 'rouge-2', 'rouge-l'] as const;

/** `rouge`: shared words, pairs of words, or subsequences (Lin 2004), as F1. */
export const rouge: CustomCheck = defineComparison({
  name: 'rouge',
  meaning: 'ROUGE (Lin 2004) of the text and the reference, as F1 of words in lower case.',
  needs: 'a value at `field`; `value` or a reference',
  members: {
    variant: z
      .enum(variants)
      .default('rouge-l')
      .describe('Single words, pairs of words, or the longest common subsequence of sentences.'),
    min: similarityMin(),
  },
  example: { variant: 'rouge-l', min: 0.4 },
  notes: ['A text has at most 1,000,000 characters. A comparison that takes over 2 s breaks.'],
  title: ({ variant, min }) => similarityTitle(variant.toUpperCase(), min),
  prepare:
    ({ variant, min }) =>
    (field, reference) => {
      checkLengths(field.text, reference.text);
      const hasWords =
        comparedWords(field.text).length > 0 && comparedWords(reference.text).length > 0;
      const options = { tokenizer: comparedWords };
      const measure = (): number =>
        variant === 'rouge-l'
          ? l(field.text, reference.text, options)
          : n(field.text, reference.text, { ...options, n: variant === 'rouge-1' ? 1 : 2 });
      const score = hasWords ? runWithin(measure, 'comparing the texts') : 0;
      return similarityFinding(variant.toUpperCase(), score, min);
    },
});
