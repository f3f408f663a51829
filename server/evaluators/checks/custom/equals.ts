import { z } from 'zod';
import { found, quoted } from '../check';
import { jsonOf, normalised, normalisedValue, sameJson } from './compare';
import { defineComparison, type CustomCheck } from './definition';

/** `equals`: the field is the reference: text by text, any other JSON by structure. */
export const equals: CustomCheck = defineComparison({
  name: 'equals',
  meaning:
    'The value equals `value`, or the reference: texts character by character, other JSON by its structure (a text is then read as JSON).',
  needs: 'a value at `field`; `value` or a reference',
  members: {
    normalized: z
      .boolean()
      .default(false)
      .describe('Ignores case, composition (NFKC) and the amount of white space in texts.'),
  },
  example: { reference: '$.reference', normalized: true },
  title: ({ normalized }) =>
    normalized ? 'Equals the reference, normalised' : 'Equals the reference',
  prepare:
    ({ normalized }) =>
    (field, reference) => {
      const isText = typeof reference.value === 'string';
      const one = isText ? field.text : jsonOf(field.value);
      const met = normalized
        ? sameJson(normalisedValue(one), normalisedValue(reference.value))
        : sameJson(one, reference.value);
      if (met) return found(true, 'the value equals the reference');
      const isClose = isText && normalised(field.text) === normalised(reference.text);
      return found(
        false,
        isClose
          ? 'the texts differ only in case or white space'
          : `the value is ${quoted(field.text)}; the reference is ${quoted(reference.text)}`,
      );
    },
});
