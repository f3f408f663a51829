import { isWordAt, type Range } from './range';

/**
 * Payment card numbers: 12 to 19 digits of a known issuer with a valid check digit (ISO/IEC 7812-1,
 * annex B). Groups of digits, the first one of at least four, may be separated by one space or
 * hyphen each.
 */
const RUN = /\d+(?:[ \u00a0-]\d+)*/g;
const FIRST_GROUP_MIN = 4;
const DIGITS_MIN = 12;
const DIGITS_MAX = 19;

/** First digits and numbers of digits by issuer. */
const ISSUERS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^4/, [13, 16, 19]],
  [/^(?:5[1-5]|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^(?:30[0-5]|36|38|39)/, [14, 16, 19]],
  [/^35(?:2[89]|[3-8]\d)/, [16, 17, 18, 19]],
  [/^62/, [16, 17, 18, 19]],
  [/^(?:5018|5020|5038|5893|6304|6759|676[1-3])/, [12, 13, 14, 15, 16, 17, 18, 19]],
];

export function findCards(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: run, index } of text.matchAll(RUN)) {
    if (run.length < DIGITS_MIN) continue;
    const groups = groupsOf(run, index);
    for (let first = 0; first < groups.length; first++) {
      const last = lastOfCard(text, groups, first);
      const [from, to] = [groups[first], groups[last ?? -1]];
      if (last === null || from === undefined || to === undefined) continue;
      found.push({ start: from.start, end: to.end });
      first = last;
    }
  }
  return found;
}

function groupsOf(run: string, index: number): Range[] {
  const groups: Range[] = [];
  let start = 0;
  for (const group of run.split(/[ \u00a0-]/)) {
    groups.push({ start: index + start, end: index + start + group.length });
    start += group.length + 1;
  }
  return groups;
}

/** The last group of the longest card number that begins with a group; null if there is none. */
function lastOfCard(text: string, groups: readonly Range[], first: number): number | null {
  const { start, end: firstEnd } = groups[first] ?? { start: 0, end: 0 };
  if (firstEnd - start < FIRST_GROUP_MIN) return null;
  if (isWordAt(text, start - 1) || isDecimal(text, start - 1, -1)) return null;
  let digits = '';
  let found: number | null = null;
  for (let at = first; at < groups.length; at++) {
    const { start: from = 0, end = 0 } = groups[at] ?? {};
    if (digits.length + end - from > DIGITS_MAX) break;
    digits += text.slice(from, end);
    if (isCard(digits) && !isWordAt(text, end) && !isDecimal(text, end, 1)) found = at;
  }
  return found;
}

/** A point or comma with a digit on its other side: the digits are part of a decimal number. */
function isDecimal(text: string, index: number, direction: 1 | -1): boolean {
  return /[.,]/.test(text.charAt(index)) && /\d/.test(text.charAt(index + direction));
}

function isCard(digits: string): boolean {
  if (digits.length < DIGITS_MIN) return false;
  const isIssued = ISSUERS.some(
    ([first, lengths]) => lengths.includes(digits.length) && first.test(digits),
  );
  return isIssued && passesLuhn(digits);
}

/** Every second digit from the right counts double; the sum is a multiple of ten. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = digits.charCodeAt(digits.length - 1 - i) - 48;
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
