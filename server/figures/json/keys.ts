import { remembered } from '../remembered';
import { currencyCodes, currencySigns } from '../vocabulary';
import { holdsNamesOnly } from './plain-numbers';
import { QUOTE } from './units';

/** Codes that are also words (TRY, PEN, ALL) are not read from keys. */
const CODES = 'usd|eur|gbp|jpy|chf|cny|inr|aud|cad|sek|nok|dkk|pln';
const IN_KEY = new RegExp(`(?:^|[_\\-. ])(${CODES})(?:$|[_\\-. ])`, 'i');
const CAMEL_KEY = /[a-z](USD|Usd|EUR|Eur|GBP|Gbp|JPY|Jpy|CHF|Chf|CNY|Cny|INR|Inr|AUD|Aud|CAD|Cad)$/;
const NAMES_CURRENCY = new Set(['currency', 'currency_code', 'currencycode', 'ccy']);
const IN_PERCENT = /(?:^|[_\-. ]|(?<=\p{Ll})(?=\p{Lu}))(?:pct|percent|percentage)$/iu;
const KEY_LENGTH_MAX = 80;
const HAS_DIGIT = /\p{Nd}/u;
const NONE = -1;

/**
 * The distinct keys of a JSON text, numbered. Objects of one list have the same keys in the same
 * order, so the key that followed last time is compared first, unit by unit, without creating a
 * string.
 */
export class Keys {
  private readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();
  /** First position of a key in the text; -1 if it has escapes. */
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private readonly followers: number[] = [];
  private readonly figures: boolean[] = [];
  private readonly naming: boolean[] = [];
  private readonly currencies: (string | null | undefined)[] = [];
  private readonly percents: (boolean | undefined)[] = [];

  get size(): number {
    return this.texts.length;
  }

  textOf(key: number): string {
    return this.texts[key] ?? '';
  }

  /** A key's number; an unused number if the text does not have the key. */
  find(text: string): number {
    return this.numbers.get(text) ?? this.size;
  }

  /** The key that followed a key last time, or -1. */
  follower(key: number): number {
    return this.followers[key] ?? NONE;
  }

  follow(key: number, next: number): void {
    this.followers[key] = next;
  }

  /** The end of a known key's text at `at`, including its quote; -1 if another key is there. */
  endOf(key: number, units: Uint16Array, at: number): number {
    const start = this.starts[key] ?? NONE;
    const end = this.ends[key] ?? NONE;
    if (start === NONE) return NONE;
    let to = at;
    for (let from = start; from < end; from++, to++) if (units[from] !== units[to]) return NONE;
    return units[to] === QUOTE ? to : NONE;
  }

  /** The number of a key; `from` and `to` are its range in the text, or -1 if it has escapes. */
  numberOf(text: string, from: number, to: number): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    const key = this.texts.length;
    this.numbers.set(text, key);
    this.texts.push(text);
    this.starts.push(from);
    this.ends.push(to);
    this.followers.push(NONE);
    this.figures.push(HAS_DIGIT.test(text) && !holdsNamesOnly(text));
    this.naming.push(NAMES_CURRENCY.has(text.toLowerCase()));
    return key;
  }

  /** Whether a key may contain a figure. */
  mayHoldFigure(key: number): boolean {
    return this.figures[key] === true;
  }

  /** Whether the value under the key is a currency code. */
  namesCurrency(key: number): boolean {
    return this.naming[key] === true;
  }

  /** Whether the value under the key is a percentage: `cpu_pct`. */
  isInPercent(key: number): boolean {
    let known = this.percents[key];
    if (known === undefined) {
      known = endsInPercent(this.textOf(key));
      this.percents[key] = known;
    }
    return known;
  }

  /** The currency in a key itself (`price_usd`), or null. */
  currencyIn(key: number): string | null {
    let known = this.currencies[key];
    if (known === undefined) {
      known = currencyInName(this.textOf(key));
      this.currencies[key] = known;
    }
    return known;
  }
}

const endsInPercent = remembered((name) => IN_PERCENT.test(name.slice(-KEY_LENGTH_MAX)));

const IN_BRACKETS = /[([](?:([$€£¥])|([A-Z]{3}))[)\]]/u;

/** The currency in a key or a heading (`price_usd`, "Price ($)"), or null. */
export const currencyInName = remembered((name): string | null => {
  if (name.length > KEY_LENGTH_MAX) return null;
  const code = (IN_KEY.exec(name) ?? CAMEL_KEY.exec(name))?.[1]?.toUpperCase();
  if (code !== undefined) return code;
  const [, sign, letters] = IN_BRACKETS.exec(name) ?? [];
  if (sign !== undefined) return currencySigns.get(sign) ?? null;
  return letters !== undefined && currencyCodes.has(letters) ? letters : null;
});

/** The code in a string under such a key, or null. */
export function currencyCode(text: string): string | null {
  const code = text.toUpperCase();
  return text.length === 3 && currencyCodes.has(code) ? code : null;
}
