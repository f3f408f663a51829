import { z } from 'zod';
import { countCodePoints } from '../../domain';
import { defineCheck, found } from './check';

const Value = z.number().int().min(0);
/** Composed and decomposed letters have the same length. */
const lengthOf = (text: string): number => countCodePoints(text.normalize('NFC'));
const expects = 'a whole number of characters, 0 or more';

/** `min_length`: at least this many characters (code points), inclusive. */
export const minLength = defineCheck({
  name: 'min_length',
  value: Value,
  expects,
  describe: (min) => `At least ${min} characters`,
  prepare: (min) => (text) => {
    const length = lengthOf(text);
    return found(length >= min, `the text has ${length} characters; at least ${min} are required`);
  },
});

/** `max_length`: at most this many characters (code points), inclusive. */
export const maxLength = defineCheck({
  name: 'max_length',
  value: Value,
  expects,
  describe: (max) => `At most ${max} characters`,
  prepare: (max) => (text) => {
    const length = lengthOf(text);
    return found(length <= max, `the text has ${length} characters; at most ${max} are allowed`);
  },
});
