/**
 * JSON.parse turns numbers into doubles: 9007199254740993 becomes …992, 1e400 infinity. In
 * OTLP/JSON a 64-bit integer, a time and a double may also be a string of the same digits, so a
 * number that would change is quoted before the text is parsed.
 */
import { skipSpace, skipString } from '../../domain';

/**
 * A single cheap test that most texts fail: a number of at least 16 characters or with an exponent
 * follows a key. Only a text that matches can contain such a number.
 */
const suspect = /"\s*:\s*-?\d(?:[\d.]{15}|[\d.]*[eE])/;

const integers: readonly string[] = [
  '"intValue"',
  '"startTimeUnixNano"',
  '"endTimeUnixNano"',
  '"timeUnixNano"',
  '"observedTimeUnixNano"',
];
const plainInteger = /^-?\d+$/;

/**
 * The same request with quotes around every number that JSON.parse would change. Expects text that
 * JSON.parse has accepted.
 */
export function quoteLostNumbers(text: string): string {
  if (!suspect.test(text)) return text;
  const pieces: string[] = [];
  let copied = 0;
  let at = text.indexOf('"');
  while (at !== -1) {
    const end = skipString(text, at);
    const colon = skipSpace(text, end);
    if (text[colon] === ':') {
      const start = skipSpace(text, colon + 1);
      const stop = skipNumber(text, start);
      if (stop > start && isLost(text.slice(at, end), text.slice(start, stop))) {
        pieces.push(text.slice(copied, start), '"', text.slice(start, stop), '"');
        copied = stop;
      }
    }
    at = text.indexOf('"', end);
  }
  return pieces.join('') + text.slice(copied);
}

/** Index after the number at `start`; `start` when none begins there. */
function skipNumber(text: string, start: number): number {
  let at = start;
  while ('+-.0123456789eE'.includes(text[at] ?? ' ')) at++;
  return at;
}

function isLost(key: string, number: string): boolean {
  if (key === '"doubleValue"') return losesDigits(number);
  return integers.includes(key) && plainInteger.test(number) && losesDigits(number);
}

/** Whether the double nearest to a JSON number has other digits. */
export function losesDigits(number: string): boolean {
  const value = Number(number);
  return !Number.isFinite(value) || significant(number) !== significant(String(value));
}

/** The significant digits: no sign, point, exponent, leading or trailing zeros. */
function significant(number: string): string {
  const exponent = number.search(/[eE]/);
  const digits = (exponent === -1 ? number : number.slice(0, exponent)).replaceAll(/[-.]/g, '');
  let start = 0;
  let end = digits.length;
  while (digits[start] === '0') start++;
  while (end > start && digits[end - 1] === '0') end--;
  return digits.slice(start, end);
}
