import type { TextRange } from './sentences';

/**
 * One word of a text. `stop` words connect others, `framing` words introduce, `saying` words
 * attribute: a name and these alone state nothing. All others are `content`.
 */
export interface Word {
  /** Folded. */
  readonly word: string;
  readonly from: number;
  readonly kind: 'content' | 'saying' | 'stop' | 'framing';
}

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

const STOP = listed(
  `a an the is are be been being am of and in on as this that these those it its they them their there here which who
   has have had do does did i you he she we our your my me us his her also so then der die das ein eine und ist sind le la les un une
   et est el los las y es il lo gli e`,
);
const FRAMING = listed(
  `according based per however additionally moreover furthermore therefore thus hence overall finally please sure certainly now currently`,
);
/** Words of attribution, and their subjects: a name and these alone state nothing. */
const SAYING = listed(
  `show shows showed shown report reports reported say says said state states stated find finds found indicate indicates indicated note
   notes noted see summary following follows agent agents output outputs result results tool tools detail details information info data`,
);
const WORD = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu;

/** The words of a range. Linear. */
export function wordsIn(text: string, { start, end }: TextRange): readonly Word[] {
  const words: Word[] = [];
  for (const match of text.slice(start, end).matchAll(WORD)) {
    const word = fold(match[0]);
    // Only "according to" is framing; other words of direction are content.
    const kind = word === 'to' && words.at(-1)?.word === 'according' ? 'framing' : kindOf(word);
    words.push({ word, from: start + match.index, kind });
  }
  return words;
}

/** Position of the first figure that begins at or after `start`. */
export function firstFrom(figures: readonly { readonly from: number }[], start: number): number {
  let [low, high] = [0, figures.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((figures[middle]?.from ?? Infinity) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without case, possessive and plural s; "isn't" and the like become `not`. */
export function fold(word: string): string {
  const lower = word.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  if (lower.endsWith("n't")) return 'not';
  const bare = /'(?:s|re|ve|ll|d|m)?$/u.test(lower)
    ? lower.slice(0, lower.lastIndexOf("'"))
    : lower;
  const isListed = [STOP, FRAMING, SAYING].some((list) => list.has(bare));
  if (bare.length < 4 || !bare.endsWith('s') || /(?:ss|us|is)$/u.test(bare) || isListed)
    return bare;
  return bare.slice(0, -1);
}

function kindOf(word: string): Word['kind'] {
  if (STOP.has(word)) return 'stop';
  if (SAYING.has(word)) return 'saying';
  return FRAMING.has(word) ? 'framing' : 'content';
}
