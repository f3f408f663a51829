import { z } from 'zod';
import { isBlank, normalText } from '../../domain';
import { defineCheck, listed } from './check';
import { evidenceAt } from './positions';
import { runWithin } from './watchdog';

/**
 * Characters of text times characters of words: the worst case of a search that finds nothing takes
 * a tenth of a second.
 */
const FREE_WORK = 100_000_000;

const Word = z
  .string()
  .max(300)
  .refine((word) => !isBlank(word));
const Value = z.union([z.array(Word).min(1).max(100), Word.transform((word) => [word])]);

/**
 * `keywords`: every word occurs in the text, ignoring case and composition (NFC, NFD), also inside
 * a longer word (VS-10).
 */
export const keywords = defineCheck({
  name: 'keywords',
  value: Value,
  expects: 'a list of 1 to 100 words',
  describe: (words) => `Names ${listed(words)}`,
  prepare(words) {
    const sought = words.map((word) => ({ word, folded: fold(word.normalize('NFC')) }));
    const chars = words.reduce((sum, word) => sum + word.length, 0);
    const allThere = `all ${words.length} keywords are there`;
    return (given) => {
      const { text, placesOf: placesIn } = normalText(given);
      const folded = fold(text);
      const search = (): FoundWord => placesOf(sought, folded);
      const { places, missing } =
        text.length * chars > FREE_WORK ? runWithin(search, 'looking for the keywords') : search();
      return {
        value: (words.length - missing.length) / words.length,
        met: missing.length === 0,
        reasoning: missing.length === 0 ? allThere : `missing: ${listed(missing)}`,
        // Some letters are longer in lower case: positions in the folded text then differ from
        // those in the text.
        evidence: folded.length === text.length ? evidenceAt(given, placesIn(places)) : [],
      };
    };
  },
});

/** Lower case; decomposes some letters, which are then composed again. */
const fold = (text: string): string => text.toLowerCase().normalize('NFC');

interface FoundWord {
  /** In the order of the text. */
  readonly places: readonly { readonly start: number; readonly end: number }[];
  readonly missing: readonly string[];
}

function placesOf(
  sought: readonly { readonly word: string; readonly folded: string }[],
  text: string,
): FoundWord {
  const places: { readonly start: number; readonly end: number }[] = [];
  const missing: string[] = [];
  for (const { word, folded } of sought) {
    const start = text.indexOf(folded);
    if (start === -1) missing.push(word);
    else places.push({ start, end: start + folded.length });
  }
  return { places: places.sort((a, b) => a.start - b.start), missing };
}
