/**
 * Stored JSON text as a value. A number that JavaScript would change (9007199254740993, 1e400)
 * becomes the text of its digits, so that no judge sees a figure that was never sent.
 */
import { cleanValue } from '../../domain';

/** A quoted text or a number in JSON text that JSON.parse accepts. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;
/** A number with fewer digits and without an exponent is exact. */
const SUSPECT = /[\d.]{16}|\d[eE]/;
const EXACT_DIGITS = 15;

/** The value of JSON text, strings cleaned; undefined for text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return cleanValue(SUSPECT.test(text) ? JSON.parse(text.replace(TOKENS, quoteInexact)) : value);
  } catch {
    return undefined;
  }
}

/** The value of JSON text; other text stays a text; null stays null. */
export function valueOf(text: string | null): unknown {
  if (text === null) return null;
  const value = parseJson(text);
  return value === undefined ? text : value;
}

/** Parses a text that is JSON of an object or a list; any other text stays unchanged. */
export function structuredValue(text: string | null): unknown {
  return text !== null && /^\s*[[{]/.test(text) ? valueOf(text) : text;
}

function quoteInexact(token: string): string {
  if (token.startsWith('"')) return token;
  const value = Number(token);
  const digits = token
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');
  const isExact =
    Number.isFinite(value) &&
    (value !== 0 || digits === '') &&
    (digits.length <= EXACT_DIGITS || String(value) === token);
  return isExact ? token : JSON.stringify(token);
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const textAt = (value: unknown, name: string): string | null => {
  const member = isObject(value) && Object.hasOwn(value, name) ? value[name] : null;
  return typeof member === 'string' && member !== '' ? member : null;
};
