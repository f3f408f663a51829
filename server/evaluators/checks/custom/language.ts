import { z } from 'zod';
import { found } from '../check';
import { runWithin } from '../watchdog';
import { defineFieldCheck, type CustomCheck } from './definition';

/** Enough text to identify a language, and little enough to take milliseconds. */
const CHARS_READ = 20_000;
/** Shorter texts ("OK", "Yes, 12") belong to several languages. */
const LETTERS_MIN = 20;
/** In these scripts a few characters identify the language. */
const DENSE =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;
const DENSE_MIN = 4;

/** Code, addresses and markup are in no language. */
const FOREIGN = /```[^]*?(?:```|$)|`[^`\n]*`|https?:\/\/\S+|[\w.+-]+@[\w.-]+/g;

/** `language`: the text is in one of the expected languages. */
export const language: CustomCheck = defineFieldCheck({
  name: 'language',
  meaning: 'The text is in one of the expected languages. Code and addresses are ignored.',
  needs:
    'a value at `field` with at least 20 letters, or 4 characters of Chinese, Japanese, Korean or Thai',
  members: {
    expected: z
      .array(
        z
          .string()
          .regex(/^[a-z]{2}$/, 'must be a language code of two letters (ISO 639-1), such as `en`'),
      )
      .min(1)
      .max(100)
      .describe('Language codes (ISO 639-1).'),
  },
  example: { expected: ['en', 'de'] },
  notes: ['Uses tinyld on the first 20,000 characters.'],
  title: ({ expected }) => `Is in ${expected.join(' or ')}`,
  prepare:
    ({ expected }) =>
    async ({ text }) => {
      const prose = text.slice(0, CHARS_READ).replace(FOREIGN, ' ');
      const letters = prose.match(/\p{L}/gu)?.length ?? 0;
      const dense = prose.match(DENSE)?.length ?? 0;
      if (letters < LETTERS_MIN && dense < DENSE_MIN)
        return { unscored: `the text has ${letters} letters, too few to identify its language` };
      // Its profiles take 50 MB: they are loaded by the first check that needs them.
      const { detect } = await import('tinyld');
      const detected = runWithin(() => detect(prose), 'identifying the language');
      if (detected === '') return { unscored: 'the language of the text was not identified' };
      return found(expected.includes(detected), `the language is ${detected}`);
    },
});
