import { getCountrySpecifications, isValidIBAN } from 'ibantools';
import { isWordAt, type Range } from './range';

/**
 * IBANs (ISO 13616) with a valid check number and the length and structure of their country, with
 * or without a space or hyphen between groups.
 */
const START = /[A-Za-z]{2}\d{2}/g;
const specifications = getCountrySpecifications();

export function findIbans(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: prefix, index } of text.matchAll(START)) {
    if (isWordAt(text, index - 1)) continue;
    const country = prefix.slice(0, 2).toUpperCase();
    const length = Object.hasOwn(specifications, country)
      ? (specifications[country]?.chars ?? null)
      : null;
    const end = length === null ? null : endOf(text, index, length);
    if (end === null || isWordAt(text, end)) continue;
    const iban = text
      .slice(index, end)
      .replace(/[^A-Za-z0-9]/g, '')
      .toUpperCase();
    if (isValidIBAN(iban)) found.push({ start: index, end });
  }
  return found;
}

/** The end of `length` letters and digits, at most one separator between two of them. */
function endOf(text: string, start: number, length: number): number | null {
  let at = start;
  for (let seen = 0; seen < length; seen++) {
    if (seen > 0 && /[ \u00a0-]/.test(text.charAt(at))) at++;
    if (!/[A-Za-z0-9]/.test(text.charAt(at))) return null;
    at++;
  }
  return at;
}
