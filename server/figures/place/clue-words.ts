/**
 * The clues that a sentence can contain, by the beginnings of its words. Most sentences contain
 * none, so their patterns can be skipped. If you add a word to such a pattern, add its first three
 * letters here.
 */
export const ClueWord = { hedge: 1, extreme: 2, day: 4, month: 8 } as const;

const LETTERS_COMPARED = 3;
const SIGNS = new Set(Array.from('~≈≃∼±≥≤⩾⩽<>+', (sign) => sign.charCodeAt(0)));

const HEDGE =
  'ove mor abo lea exc upw gre hig sur bey und bel les few low nea alm up clo mos sho shy app aro rou som cir ca hov reg max min muc man lit lat top qui ord est giv so';
const EXTREME =
  'hig max pea lar gre war hot str rec low min sma col coo bot ran bet var flu osc big lon tal dee hea sho lig few wea che run';
const DAY = 'fy day sun mon tue wed thu fri sat nig mor wee qua yea yes tom';
const MONTH = 'jan feb mar apr may jun jul aug sep oct nov dec';

const clues = new Uint8Array(1 << (5 * LETTERS_COMPARED));
for (const [beginnings, clue] of [
  [HEDGE, ClueWord.hedge],
  [EXTREME, ClueWord.extreme],
  [DAY, ClueWord.day],
  [MONTH, ClueWord.month],
] as const) {
  for (const beginning of beginnings.split(' '))
    clues[codeAt(beginning, 0)] = (clues[codeAt(beginning, 0)] ?? 0) | clue;
}

/** The possible clues of a text, as bits of `ClueWord`; a bit that is not set is certain. */
export function clueWordsIn(text: string): number {
  let found = 0;
  let within = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const letter = isLetter(unit);
    if (letter && !within) found |= clues[codeAt(text, at)] ?? 0;
    else if (
      unit < 128 ? unit === 126 || (unit >= 60 && unit <= 62) || unit === 43 : SIGNS.has(unit)
    )
      found |= ClueWord.hedge;
    within = letter;
  }
  return found;
}

/**
 * The first three letters of the word at `at`, in any case, as 15 bits; a shorter word ends in
 * zeros.
 */
function codeAt(text: string, at: number): number {
  let code = 0;
  let i = at;
  for (; i < at + LETTERS_COMPARED && isLetter(text.charCodeAt(i)); i++)
    code = (code << 5) | (text.charCodeAt(i) & 31);
  return code << (5 * (LETTERS_COMPARED - (i - at)));
}

function isLetter(unit: number): boolean {
  return (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90);
}
