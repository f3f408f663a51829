import type { Stretch } from './sentences';

/** A figure as the figure evaluator reads it: `from` and `to` are UTF-16 indices, `value` is canonical. */
export interface ReadFigure {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  readonly unit: string | null;
}

/**
 * One word of a text, or a figure as one. `stop` binds others together, `framing` leads over, `saying` tells that something is said,
 * `turn` turns, limits or dates what is said: it must stand in both texts or in neither. All else is `content`.
 */
export interface Word {
  /** Folded; `#91.4` for a figure. */
  readonly word: string;
  readonly from: number;
  readonly to: number;
  readonly kind: 'content' | 'turn' | 'saying' | 'stop' | 'framing';
  /** Of a figure; null where it has none, undefined for words. */
  readonly unit?: string | null;
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
/** Tell that something is said, or are what it is about: they must stand in both texts, but a name and these alone say nothing. */
const SAYING = listed(
  `show shows showed shown report reports reported say says said state states stated find finds found indicate indicates indicated note
   notes noted see summary following follows agent agents output outputs result results tool tools detail details information info data`,
);
/** What was and may be no more, denials, limits, conditions, possibilities and what others merely think, in the languages that most answers come in. */
const TURN = listed(
  `was were had did not no never none neither nor without cannot nobody nothing nowhere hardly barely scarcely unable except but only unless if whether
   may might could would should must can will maybe perhaps possibly probably likely unlikely almost nearly about approximately roughly
   claims claimed alleges alleged allegedly believes believed thinks thought assumes assumed suspects suspected denies denied expects
   expected wants wanted asks asked requests requested proposes proposed suggests suggested recommends recommended considers considered
   assuming suppose supposing imagine imagined hypothetical example rumor rumour myth former formerly previously when whenever once wenn
   sobald quand si cuando plans planned supposedly reportedly false untrue incorrect wrong unconfirmed pending before after until instead rather
   nicht kein keine keinen nie niemals ohne weder nur falls vielleicht pas jamais sans aucun aucune ne sin nunca ningún ninguna non mai
   senza nessuno niet geen nooit zonder não nunca sem`,
);

const WORD = /[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)*/gu;

/** The words of a stretch, its figures as one word each. `figures` are those of the whole text, in order. Linear. */
export function wordsIn(text: string, stretch: Stretch, figures: readonly ReadFigure[]): readonly Word[] {
  const words: Word[] = [];
  let at = stretch.start;
  const plain = (to: number): void => {
    for (const match of text.slice(at, to).matchAll(WORD)) {
      const from = at + match.index;
      const word = fold(match[0]);
      // "According to" frames as a whole; other words of direction say something.
      const kind = word === 'to' && words.at(-1)?.word === 'according' ? 'framing' : kindOf(word);
      words.push({ word, from, to: from + match[0].length, kind });
    }
  };
  for (let i = firstFrom(figures, stretch.start); i < figures.length; i++) {
    const figure = figures[i];
    if (figure === undefined || figure.to > stretch.end) break;
    if (figure.from < at) continue;
    plain(figure.from);
    words.push({ word: `#${figure.value}`, from: figure.from, to: figure.to, kind: 'content', unit: figure.unit });
    at = figure.to;
  }
  plain(stretch.end);
  return words;
}

/** Position of the first figure that begins at `start` or later. */
export function firstFrom(figures: readonly Pick<ReadFigure, 'from'>[], start: number): number {
  let [low, high] = [0, figures.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((figures[middle]?.from ?? Infinity) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without case, possessive and the s of a plural; "isn't" and its like are `not`. */
export function fold(word: string): string {
  const lower = word.normalize('NFKC').toLowerCase().replaceAll('’', "'");
  if (lower.endsWith("n't")) return 'not';
  const bare = /'(?:s|re|ve|ll|d|m)?$/u.test(lower) ? lower.slice(0, lower.lastIndexOf("'")) : lower;
  if (
    bare.length < 4 ||
    !bare.endsWith('s') ||
    /(?:ss|us|is)$/u.test(bare) ||
    STOP.has(bare) ||
    FRAMING.has(bare) ||
    SAYING.has(bare) ||
    TURN.has(bare)
  )
    return bare;
  return bare.slice(0, -1);
}

function kindOf(word: string): Word['kind'] {
  if (TURN.has(word)) return 'turn';
  if (STOP.has(word)) return 'stop';
  if (SAYING.has(word)) return 'saying';
  return FRAMING.has(word) ? 'framing' : 'content';
}
