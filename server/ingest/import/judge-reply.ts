/**
 * Reads judges' replies in the formats of well-known evaluations. Only a stated verdict counts: a
 * reply with none, or with two that differ, is `failed`, never a verdict.
 *
 * - `rating`: `[[7]]`, 1 to 10, decimals allowed (MT-Bench, single answer).
 * - `pair_letters`: `[[A]]`, `[[B]]`, or `[[C]]` for a tie (MT-Bench, pairs).
 * - `pair_stated`: `Output (a)` alone, or prose that states which output is better: in its first
 *   sentence, or else in the last statement (LLMBar).
 * - `error_stated`: prose that ends in "… contains an error" or "… contains no error"; the last
 *   statement counts (ReaLMistake).
 */
export const judgeReplyFormats = ['rating', 'pair_letters', 'pair_stated', 'error_stated'] as const;
export type JudgeReplyFormat = (typeof judgeReplyFormats)[number];

/** The scale of a mapping that a format uses for its verdicts. */
export const scaleOfFormat = {
  rating: 'grade',
  pair_letters: 'category',
  pair_stated: 'category',
  error_stated: 'pass_fail',
} as const;

export type ForeignReply =
  | {
      readonly state: 'read';
      readonly value: number | 'first' | 'second' | 'tie' | 'error' | 'no_error';
    }
  | { readonly state: 'failed'; readonly reason: string };

type Value = Extract<ForeignReply, { state: 'read' }>['value'];

const CHARS_MAX = 262_144;

export function readJudgeReply(format: JudgeReplyFormat, text: string): ForeignReply {
  if (text.length > CHARS_MAX) return failed(`a reply has at most ${CHARS_MAX} characters`);
  if (text.trim() === '') return failed('the reply is empty');
  switch (format) {
    case 'rating':
      return readRating(text);
    case 'pair_letters':
      return readLetters(text);
    case 'pair_stated':
      return readStated(text.trim());
    case 'error_stated':
      return readError(text);
  }
}

const failed = (reason: string): ForeignReply => ({ state: 'failed', reason });
const read = (value: Value): ForeignReply => ({ state: 'read', value });

/** The only value of all matches, or why there is none. */
function onlyOf(values: readonly Value[], name: string): ForeignReply {
  const [first, ...others] = [...new Set(values)];
  if (first === undefined) return failed(`the reply states no ${name}`);
  return others.length === 0 ? read(first) : failed(`the reply states more than one ${name}`);
}

function readRating(text: string): ForeignReply {
  const ratings = Array.from(text.matchAll(/\[\[(\d{1,3}(?:\.\d{1,4})?)\]\]/g), ([, digits]) =>
    Number(digits),
  );
  if (ratings.some((rating) => rating < 1 || rating > 10))
    return failed('the rating is out of its range, 1 to 10');
  return onlyOf(ratings, 'rating');
}

function readLetters(text: string): ForeignReply {
  const letters = Array.from(
    text.matchAll(/\[\[([ABC])\]\]/g),
    ([, letter]): Value => (letter === 'A' ? 'first' : letter === 'B' ? 'second' : 'tie'),
  );
  return onlyOf(letters, 'verdict');
}

const OUTPUT = String.raw`output\s{0,3}\(?([ab])\)`;
const MARKS = String.raw`[\s'"*]{0,5}`;
const ALONE = new RegExp(String.raw`^${MARKS}${OUTPUT}[\s'".*]{0,5}$`, 'i');
const OPENS = new RegExp(
  String.raw`^${MARKS}${OUTPUT}${MARKS} is (?:the )?better\b[^.\n]{0,40}(?:[.\n]|$)`,
  'i',
);
const WORDS = String.raw`(?:\s+(?!not\b|less\b|neither\b)[\w-]{1,40}){0,6}?`;
const STATED = [
  String.raw`${OUTPUT}['"*]{0,5}\s+(?:is|are|was|would be|(?:can|could|should) be considered|seems?|appears?)${WORDS}\s+(?:better|best|superior|preferred|preferable|winner|choice)\b`,
  String.raw`\b(?:better|best|superior|preferred|preferable)(?:\s+[\w-]{1,40}){0,5}?\s+(?:is|would be)\s*:?${MARKS}${OUTPUT}`,
  String.raw`\b(?:prefer|choose|select|go with|favou?r)${MARKS}${OUTPUT}`,
].map((pattern) => new RegExp(pattern, 'gi'));

function readStated(text: string): ForeignReply {
  const opening = (ALONE.exec(text) ?? OPENS.exec(text))?.[1];
  if (opening !== undefined) return read(sideOf(opening));
  let last: { readonly end: number; readonly letter: string } | null = null;
  for (const pattern of STATED) {
    for (const match of text.matchAll(pattern)) {
      const end = match.index + match[0].length;
      const letter = match[1];
      if (letter !== undefined && (last === null || end > last.end)) last = { end, letter };
    }
  }
  if (last !== null) return read(sideOf(last.letter));
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const alone = [lines[0], lines.at(-1)].flatMap((line) =>
    line === undefined ? [] : (ALONE.exec(line)?.[1] ?? []),
  )[0];
  return alone === undefined
    ? failed('the reply does not say which output is better')
    : read(sideOf(alone));
}

const sideOf = (letter: string): Value => (letter.toLowerCase() === 'a' ? 'first' : 'second');

function readError(text: string): ForeignReply {
  const statements = text.matchAll(/\bcontains (?:an error|(no) errors?)\b/gi);
  const last = Array.from(
    statements,
    ([, none]): Value => (none === undefined ? 'error' : 'no_error'),
  ).at(-1);
  return last === undefined
    ? failed('the reply does not say whether there is an error')
    : read(last);
}
