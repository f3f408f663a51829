import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { isWordAt, type Range } from './range';

/**
 * Phone numbers: international ones (`+49 …`, `0049 …`) that are valid in their country, numbers in
 * the North American form (`(212) 555-0123`), numbers after a word such as "phone", and national
 * numbers of the given regions.
 */
const CANDIDATE = /(?:\+ ?|\()?\d[\d \u00a0().\-/]{5,30}/g;
const NORTH_AMERICAN = /^(?:1[ .-])?(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[ .-])\d{3}[ .-]\d{4}$/;
/** Not one of the words that go with other numbers ("order", "invoice"). */
const LABEL =
  /(?:^|[^\p{L}])(?:tel|telephone|telefon|teléfono|telefono|téléphone|telefone|phone|phones|mobile|mobil|móvil|cell|celular|handy|fax|whatsapp|电话|手机|電話)\.?(?: ?(?:number|nummer|no\.?|nr\.?))?\s?[:：]?\s*$/iu;
const LABEL_CHARS = 32;
/** A date looks like a national number of many regions. */
const DATE = /^(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}(?!\d))/;
/** Groups of other digits that may follow a number in the same line. */
const GROUPS_DROPPED = 2;

export function findPhones(text: string, regions: readonly string[]): Range[] {
  const found: Range[] = [];
  for (const { 0: run, index } of text.matchAll(CANDIDATE)) {
    if (isWordAt(text, index - 1) || /\d[.,\-/]$/.test(text.slice(Math.max(0, index - 2), index)))
      continue;
    let number = trimmed(run);
    for (let dropped = 0; dropped <= GROUPS_DROPPED && number !== ''; dropped++) {
      const end = index + number.length;
      if (!isWordAt(text, end) && isPhone(text, index, number, regions)) {
        found.push({ start: index, end });
        break;
      }
      number = trimmed(number.replace(/\d+$/, ''));
    }
  }
  return found;
}

/** Without the text after the last digit. */
const trimmed = (run: string): string => run.replace(/\D+$/, '');

function isPhone(text: string, start: number, number: string, regions: readonly string[]): boolean {
  const digits = number.replace(/\D/g, '');
  if (digits.length < 7 || digits.length > 17) return false;
  if (number.startsWith('+') || digits.startsWith('00'))
    return parsePhoneNumberFromString(`+${digits.replace(/^00/, '')}`)?.isValid() === true;
  if (NORTH_AMERICAN.test(number)) return true;
  if (DATE.test(number)) return false;
  if (LABEL.test(text.slice(Math.max(0, start - LABEL_CHARS), start))) return digits.length <= 15;
  const isWritten = digits.startsWith('0') || digits.length < number.length;
  return (
    isWritten &&
    regions.some(
      (region) => parsePhoneNumberFromString(number, region as CountryCode)?.isValid() === true,
    )
  );
}

/** The number with its country code where that is known, otherwise its digits. */
export function normalPhone(number: string, regions: readonly string[]): string {
  const digits = number.replace(/\D/g, '');
  if (number.startsWith('+')) return `+${digits}`;
  if (digits.startsWith('00')) return `+${digits.slice(2)}`;
  for (const region of regions) {
    const parsed = parsePhoneNumberFromString(number, region as CountryCode);
    if (parsed?.isValid() === true) return parsed.number;
  }
  return digits;
}
