import { isDigit, isLetter, skipDigits } from './characters';
import { NO_READING, type Token } from './reading';
import { currencyCodes } from './vocabulary';

/**
 * Digits inside names are not figures (INT-21): `web-1`, `utf8`, `COVID-19`, `550e8400-e29b-…`.
 * Versions and addresses are figures, each one token.
 */

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/iy;
const MAC = /[0-9a-f]{2}(?::[0-9a-f]{2}){5}/iy;
const DOTTED = /\d{1,9}(?:\.\d{1,9}){2,}/y;
const VERSION_TAIL = /(?:-?[A-Za-z][0-9A-Za-z]{0,20})(?:[.-][0-9A-Za-z]{1,20}){0,5}/y;
const IPV6 = /[0-9a-f:]{2,45}/iy;
const GROUPS_OF_THREE = /^\d{1,3}(?:\.\d{3}){2,}$/;
const GENERATION = /[2-6][DGdg](?![0-9A-Za-z])/y;
/** `v2` is a name; `v1.2` names a version. */
const PREFIXED_VERSION = /\d{1,9}(?:\.\d{1,9}){1,}/y;
const ADDRESS_REACH = 45;

/** `v1.2`: a version whose first digit is at `at`, after a lone v. */
export function readPrefixedVersion(text: string, at: number, floor: number): Token | null {
  if (at <= floor || (text[at - 1] !== 'v' && text[at - 1] !== 'V')) return null;
  if (at - 1 > floor && isNamePart(text.charCodeAt(at - 2))) return null;
  const match = stick(PREFIXED_VERSION, text, at);
  return match === null ? null : versionOf(text, at - 1, at, match[0]);
}

/** `1.2.3`, `10.0.0.1`: a version or IPv4 address whose first digit is at `at`. */
export function readVersion(text: string, at: number): Token | null {
  const match = text[skipDigits(text, at)] === '.' ? stick(DOTTED, text, at) : null;
  if (match === null) return null;
  const number = match[0];
  const parts = number.length <= 15 ? number.split('.') : [];
  if (parts.length === 4 && parts.every((part) => Number(part) <= 255))
    return literal(at, at + number.length, 'address', number);
  return GROUPS_OF_THREE.test(number) ? null : versionOf(text, at, at, number);
}

function versionOf(text: string, from: number, at: number, number: string): Token | null {
  if (isDigit(text.charCodeAt(at + number.length))) return null;
  const tail = stick(VERSION_TAIL, text, at + number.length);
  const end = at + number.length + (tail === null ? 0 : tail[0].length);
  return literal(from, end, 'version', text.slice(at, end).toLowerCase());
}

/** The end of the name that contains the digit at `at`, or null if the digit starts a figure. */
export function findNameEnd(text: string, at: number, floor: number): number | null {
  // One test at a fixed position shows whether a pattern can match at all.
  const pattern =
    text[at + 8] === '-'
      ? UUID
      : text[at + 2] === ':'
        ? MAC
        : isLetter(text.charCodeAt(at + 1))
          ? GENERATION
          : null;
  const identifier = pattern === null ? null : stick(pattern, text, at);
  if (identifier !== null) return at + identifier[0].length;
  if (at <= floor) return null;
  const before = text.charCodeAt(at - 1);
  if (isNamePart(before)) return startsAfterMarker(text, at, floor) ? null : skipName(text, at);
  if (before !== 45 || at - 2 < floor || !isNamePart(text.charCodeAt(at - 2))) return null;
  // "web-1" is a name; "usage-91.4%" states a figure after its dash.
  let end = skipDigits(text, at);
  if (text[end] === '.') end = skipDigits(text, end + 1);
  return text[end] === '%' ? null : skipName(text, at);
}

/** First index after a name: letters, digits, and joints followed by a letter or digit. */
export function skipName(text: string, at: number): number {
  let i = at;
  for (; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (isDigit(unit) || isNamePart(unit)) continue;
    const next = text.charCodeAt(i + 1);
    const joins =
      unit === 45 || unit === 46
        ? isDigit(next) || isLetter(next)
        : (unit === 47 || unit === 64) && isLetter(next);
    if (!joins) break;
  }
  return i;
}

function isNamePart(unit: number): boolean {
  return unit === 95 || isLetter(unit);
}

/**
 * Letters right before a digit that do not form a name: a currency (`EUR5`, `Rs5`) or a lone
 * emphasis sign (`_5_`).
 */
function startsAfterMarker(text: string, at: number, floor: number): boolean {
  let start = at;
  while (start > floor && at - start < 5 && isNamePart(text.charCodeAt(start - 1))) start--;
  const word = text.slice(start, at);
  return currencyCodes.has(word) || word === 'Rs' || /^_{1,3}$/u.test(word);
}

/** An IPv6 address that contains the digit at `at`. */
export function readIpv6(text: string, at: number, floor: number): Token | null {
  if (!nearColon(text, at)) return null;
  let from = at;
  while (from > floor && at - from < ADDRESS_REACH && isAddressUnit(text.charCodeAt(from - 1)))
    from--;
  if (from > floor && isNamePart(text.charCodeAt(from - 1))) return null;
  const match = stick(IPV6, text, from);
  if (match === null || match[0].length >= ADDRESS_REACH) return null;
  const address =
    match[0].endsWith(':') && !match[0].endsWith('::') ? match[0].slice(0, -1) : match[0];
  const end = from + address.length;
  if (end <= at || isNamePart(text.charCodeAt(end)) || !isIpv6(address)) return null;
  return literal(from, end, 'address', address.toLowerCase());
}

function isAddressUnit(unit: number): boolean {
  return unit === 58 || isDigit(unit) || (unit >= 97 && unit <= 102) || (unit >= 65 && unit <= 70);
}

/** Cheap rejection: a group of an address is at most four long and has a colon next to it. */
function nearColon(text: string, at: number): boolean {
  for (let i = at - 4; i <= at + 4; i++) {
    if (text.charCodeAt(i) === 58) return true;
  }
  return false;
}

function isIpv6(address: string): boolean {
  const doubled = address.indexOf('::');
  if (doubled === -1 ? countColons(address) !== 7 : address.indexOf('::', doubled + 1) !== -1)
    return false;
  const groups = address.split(':').filter((group) => group !== '');
  if (!groups.every((group) => group.length <= 4)) return false;
  return doubled === -1 ? groups.length === 8 : groups.length >= 1 && groups.length <= 7;
}

function countColons(address: string): number {
  let count = 0;
  for (let i = 0; i < address.length; i++) if (address.charCodeAt(i) === 58) count++;
  return count;
}

function literal(from: number, to: number, kind: 'version' | 'address', value: string): Token {
  return {
    from,
    to,
    kind,
    value,
    unit: null,
    scale: 0,
    reading: { ...NO_READING, literal: value },
  };
}

function stick(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
