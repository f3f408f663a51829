import type { ScannedFigure } from '../scan';
import { clueWordsIn } from './clue-words';
import { WordPrints } from './fingerprint';

/** A word of a sentence in lower case, and its UTF-16 indexes there. */
interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

const WORD = /\p{L}[\p{L}\p{N}]*/gu;
const OTHER_WORDS = /(?![\0-\x7f])[\p{L}\p{N}]/u;
/** Minimum letters of a word: one letter names nothing. */
const SHORTEST = 2;
/** Maximum words of a name. */
export const NAME_WORDS_MAX = 4;

/**
 * One sentence of an answer and its figures. `from` and `to` are UTF-16 indexes of the answer. Its
 * words are read once.
 */
export class Sentence {
  private words: readonly Word[] | null = null;
  private prints: WordPrints | null = null;
  private clues: number | null = null;

  constructor(
    readonly from: number,
    readonly to: number,
    readonly text: string,
    readonly figures: readonly ScannedFigure[],
    /** A blank line separates it from the text before, and it is not an item of a list. */
    readonly opensBlock = false,
    /** The previous one in the same block. */
    readonly previous: Sentence | null = null,
    /**
     * The opening line of a list ("Rain by day:"), or the first row of a table; null outside both.
     */
    readonly head: Sentence | null = null,
  ) {}

  /** Whether its words can contain a clue (`ClueWord`); false is certain. */
  mayGive(clue: number): boolean {
    this.clues ??= clueWordsIn(this.text);
    return (this.clues & clue) !== 0;
  }

  /** The words between two indexes of its text, in order. */
  wordsBetween(from: number, to: number): string[] {
    this.words ??= wordsIn(this.text);
    const found: string[] = [];
    for (const word of this.words) {
      if (word.to <= from) continue;
      if (word.from >= to) break;
      // A word that is cut is read as its remaining part.
      if (word.from < from || word.to > to) return wordsOf(this.text.slice(from, to));
      if (word.text.length >= SHORTEST) found.push(word.text);
    }
    return found;
  }

  /** Its words that can form names of rows. */
  names(): WordPrints {
    if (this.prints === null) {
      this.prints = new WordPrints();
      this.prints.readText(this.text, Infinity);
    }
    return this.prints;
  }
}

const CONTINUES =
  /^\W*(?:(?:it|its|this|that|there|he|she|his|her|they|their)\b|the\s(?:\w+\s){1,3}(?:is|are|was|were|will|has|had|stood|stands|reached)\b)/i;
const OF_ALL =
  /\b(?:overall|average\w{0,2}|total\w{0,3}|sum\w{0,2}|mean|all|each|every|others?|across|most|least|\w{2,}est|combined|together|both|range[sd]?|compar\w{1,4}|peer|fleet|cluster)\b/i;

/** Whether a sentence continues with the subject of the previous one: "Its cpu is at 12". */
export function continuesPrevious({ text, previous }: Sentence): boolean {
  return previous !== null && CONTINUES.test(text) && !OF_ALL.test(text);
}

/** Words of a text in lower case, without those of one letter. */
function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(WORD) ?? []).filter((word) => word.length >= SHORTEST);
}

function wordsIn(text: string): readonly Word[] {
  const lower = text.toLowerCase();
  if (hasOtherWords(lower)) return wordsByPattern(lower, text);
  const words: Word[] = [];
  for (let at = 0; at < lower.length; ) {
    const unit = lower.charCodeAt(at);
    if (unit < 97 || unit > 122) {
      at++;
      continue;
    }
    const from = at;
    for (let next = unit; isWordPart(next); next = lower.charCodeAt(at)) at++;
    words.push({ text: lower.slice(from, at), from, to: at });
  }
  return words;
}

/** Whether there are letters or digits beyond the fast paths. */
function hasOtherWords(text: string): boolean {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) > 127) return OTHER_WORDS.test(text);
  return false;
}

/**
 * Text beyond ASCII. If lower-case letters take more code units than capitals, its words count as
 * cut.
 */
function wordsByPattern(lower: string, text: string): readonly Word[] {
  const shift = lower.length === text.length ? 0 : text.length;
  return [...lower.matchAll(WORD)].map(({ 0: word, index }) => ({
    text: word,
    from: index - shift,
    to: index + word.length + shift,
  }));
}

function isWordPart(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 48 && unit <= 57);
}
