import type { Region } from './exempt';
import { monthNames } from './month-names';

/**
 * Numbers of lists and headings are not figures (INT-21), but numbers at the beginning of a heading
 * or line that count something are: "## 3 Hosts Are Down". A number without a stop counts as
 * numbering only as part of a sequence.
 */
const LIST_NUMBER =
  /^[ \t]{0,40}(?:>[ \t]{0,4}){0,8}(?:[-*+][ \t]{1,4})?(?:\*\*|__)?\(?(\d{1,3})([.)])(?=(?:\*\*|__)?[ \t\u00a0]{1,8}\S)/gm;
const HEADING =
  /^[ \t]{0,3}(?:>[ \t]?){0,8}#{1,6}[ \t]{1,4}(?:\*\*|__)?(?=\d|[A-Za-z]{4,8}[ \t]\d)/gm;
const HEADING_NUMBER =
  /(?:(step|section|part|chapter|phase|option|appendix|figure|table)[ \t])?(\d{1,3}(?:\.\d{1,3}){0,4})([.):]?)(?=[ \t]{1,4}\S|$)/iy;
const LABEL =
  /^[ \t]{0,12}(?:>[ \t]{0,4}){0,8}(?:[-*+][ \t]{1,4})?(?:#{1,6}[ \t]{1,4})?(?:\*\*|__)?(?:step|section|part|chapter|phase|option|appendix|stage|point|item|question|scenario|approach|example|task|rule|tip)[ \t]\d{1,2}(?=[.):]|\*\*|__|[ \t][-–—][ \t])/gim;
/** `2)` and `(2)` inside a line, followed by a word. */
const INLINE = /(?<=^|[\s(])\(?(\d{1,2})\)(?=[ \u00a0](?:\*\*|__)?\p{L})/gmu;
/** The text allowed before the number of an item. */
const OPENS_ITEM = /(?:^|[.!?:;,\n]|\b(?:and|or)|\*\*|__)[ \u00a0]{0,2}$/iu;
const ENDS_SENTENCE = /[.!?:;][ \u00a0]{1,2}$/u;
const BRACKET_REACH = 200;

/**
 * @param inLines also numbers inside lines, and labels ("Step 5:"): for an answer, not for a source
 */
export function addNumbering(text: string, regions: Region[], inLines: boolean): void {
  addLists(text, regions);
  if (text.includes('#')) addHeadings(text, regions);
  if (!inLines) return;
  for (const { 0: label, index } of text.matchAll(LABEL))
    regions.push({ from: index, to: index + label.length });
  if (text.includes(')')) addInline(text, regions);
}

/**
 * A wrapped line may begin with the number that ends a sentence: a number that continues no list
 * must begin a paragraph.
 */
function addLists(text: string, regions: Region[]): void {
  const found = [...text.matchAll(LIST_NUMBER)];
  const numbers = new Set(found.map((match) => Number(match[1])));
  for (const { 0: mark, 1: digits, 2: stop, index } of found) {
    const number = Number(digits);
    const end = index + mark.length;
    const listed = numbers.has(number - 1) || numbers.has(number + 1);
    if (stop === '.' && isDay(text, end, listed)) continue;
    if (number === 1 || listed || stop === ')' || beginsParagraph(text, index))
      regions.push({ from: index, to: end });
  }
}

function beginsParagraph(text: string, lineStart: number): boolean {
  return (
    lineStart < 2 ||
    /(?:^|[\n.:;!?*|>])[ \t]{0,40}\r?\n$/u.test(text.slice(Math.max(0, lineStart - 43), lineStart))
  );
}

/**
 * "3. Mai 2024" begins with a day. An English month counts only with its year, and outside a list.
 */
function isDay(text: string, at: number, listed: boolean): boolean {
  const match = /^[ \u00a0]{1,2}(\p{L}{3,12})(?![\p{L}])\.?([ \u00a0]{1,2}\d{4}\b)?/u.exec(
    text.slice(at, at + 24),
  );
  const month = monthNames.get((match?.[1] ?? '').toLowerCase());
  return month !== undefined && (!month.english || (match?.[2] !== undefined && !listed));
}

interface HeadingNumber extends Region {
  readonly levels: readonly number[];
  /** A label or a stop marks it as numbering. */
  readonly sure: boolean;
}

function addHeadings(text: string, regions: Region[]): void {
  const found: HeadingNumber[] = [];
  for (const { 0: lead, index } of text.matchAll(HEADING)) {
    const from = index + lead.length;
    HEADING_NUMBER.lastIndex = from;
    const number = HEADING_NUMBER.exec(text);
    if (number === null) continue;
    const [all, label, levels = '', stop] = number;
    found.push({
      from,
      to: from + all.length,
      levels: levels.split('.').map(Number),
      sure: label !== undefined || stop !== '',
    });
  }
  found.forEach((heading, i) => {
    if (heading.sure || follows(found[i - 1], heading) || follows(heading, found[i + 1]))
      regions.push(heading);
  });
}

/**
 * Whether a heading's number is the next of its level, of the level above, or the first of the
 * level below.
 */
function follows(first: HeadingNumber | undefined, second: HeadingNumber | undefined): boolean {
  if (first === undefined || second === undefined) return false;
  const [before, after] = [first.levels, second.levels];
  const last = after.length - 1;
  if (last > before.length || after.slice(0, last).some((level, i) => level !== before[i]))
    return false;
  return last === before.length ? (after[last] ?? 2) <= 1 : after[last] === (before[last] ?? 0) + 1;
}

/**
 * "1) stop it 2) start it": a sequence from 1; a lone `5)` begins an item after the end of a
 * sentence.
 */
function addInline(text: string, regions: Region[]): void {
  let expected = 1;
  let first: Region | null = null;
  for (const { 0: mark, 1: digits, index } of text.matchAll(INLINE)) {
    const before = text.slice(Math.max(0, index - 8), index);
    const isParenthesized = mark.startsWith('(');
    if (isParenthesized ? !OPENS_ITEM.test(before) : closesBracket(text, index)) continue;
    const number = Number(digits);
    const region = { from: index, to: index + mark.length };
    if (number === expected && number > 1) {
      if (first !== null) regions.push(first);
      regions.push(region);
      first = null;
    } else if (!isParenthesized && ENDS_SENTENCE.test(before)) regions.push(region);
    else if (number === 1) first = region;
    expected = number === expected || number === 1 ? number + 1 : 1;
  }
}

/** Whether a bracket is open before `at` on its line: "(see 2) above". */
function closesBracket(text: string, at: number): boolean {
  let closed = 0;
  for (let i = at - 1; i >= 0 && i > at - BRACKET_REACH && text[i] !== '\n'; i--) {
    if (text[i] === ')' && !/\d/u.test(text.charAt(i - 1))) closed++;
    else if (text[i] === '(' && closed-- === 0) return true;
  }
  return false;
}
