import { z } from 'zod';
import { defineCheck, found } from './check';

const Count = z.number().int().min(0);
const Value = z
  .union([
    z.tuple([Count, Count]).transform(([min, max]) => ({ min, max })),
    z
      .strictObject({ min: Count.optional(), max: Count.optional() })
      .refine(({ min, max }) => min !== undefined || max !== undefined),
  ])
  .refine(({ min = 0, max = Number.MAX_SAFE_INTEGER }) => min <= max);

/**
 * A run of characters between white space that contains a letter or a digit; in scripts without
 * spaces each character counts.
 */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;
const HAS_WORD = /[\p{L}\p{N}]/u;

export function countWords(text: string): number {
  let count = 0;
  for (const [word] of text.normalize('NFC').matchAll(WORD)) if (HAS_WORD.test(word)) count++;
  return count;
}

/** `word_count`: an inclusive range; one end may be left open. */
export const wordCount = defineCheck({
  name: 'word_count',
  value: Value,
  expects: '[least, most] or {"min", "max"} in whole numbers, the least first',
  describe: ({ min, max }) =>
    max === undefined
      ? `At least ${min} words`
      : min === undefined
        ? `At most ${max} words`
        : `${min} to ${max} words`,
  prepare({ min = 0, max = Number.MAX_SAFE_INTEGER }) {
    const wanted = max === Number.MAX_SAFE_INTEGER ? `at least ${min}` : `${min} to ${max}`;
    return (text) => {
      const words = countWords(text);
      return found(
        words >= min && words <= max,
        `the text has ${words} words; required: ${wanted}`,
      );
    };
  },
});
