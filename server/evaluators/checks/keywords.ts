import { z } from 'zod';
import { defineCheck, listed } from './check';
import { evidenceAt } from './positions';
import { within } from './watchdog';

/** Characters of text times characters of words: what a search that finds nothing at every place costs at worst, a tenth of a second. */
const FREE_WORK = 100_000_000;

const Word = z.string().min(1).max(300);
const Value = z.union([z.array(Word).min(1).max(100), Word.transform((word) => [word])]);

/** `keywords`: every word stands somewhere in the text, case aside, also inside a longer word (VS-10). */
export const keywords = defineCheck({
  name: 'keywords',
  value: Value,
  expects: 'a list of 1 to 100 words',
  describe: (words) => `Names ${listed(words)}`,
  run(words, text) {
    const folded = text.toLowerCase();
    // Lower case of some letters is longer: then a place found in it is none of the text.
    const sameLength = folded.length === text.length;
    const search = () => words.map((word) => ({ word, start: folded.indexOf(word.toLowerCase()) }));
    const work = text.length * words.reduce((sum, word) => sum + word.length, 0);
    const places = work > FREE_WORK ? within(search, 'looking for the keywords') : search();
    const missing = places.filter(({ start }) => start === -1).map(({ word }) => word);
    const there = places.filter(({ start }) => start !== -1).map(({ word, start }) => ({ start, end: start + word.length }));
    return {
      value: (words.length - missing.length) / words.length,
      met: missing.length === 0,
      reasoning: missing.length === 0 ? `all ${words.length} keywords are there` : `missing: ${listed(missing)}`,
      evidence: sameLength ? there.toSorted((a, b) => a.start - b.start).flatMap((place) => evidenceAt(text, [place])) : [],
    };
  },
});
