import { createHmac, hkdfSync } from 'node:crypto';
import { findPii, normalPii, type PiiType } from '../pii';
import type { MaskPath } from './paths';

/** The masking rules of a project, ready to use. */
export interface MaskRules {
  readonly types: readonly PiiType[];
  /** ISO 3166 codes of regions whose national phone numbers are found too. */
  readonly regions: readonly string[];
  readonly paths: readonly MaskPath[];
  /** The key of the project's tokens (`maskingKey`). */
  readonly key: Buffer;
}

/** The kind of value that a token replaces: a type of personal data, or a whole value at a path. */
export type MaskedType = PiiType | 'masked';

/** How many values were replaced, by type. */
export type MaskedCounts = readonly (readonly [MaskedType, number])[];

/** Masks the texts of one request, and counts the values that it replaces. */
export interface Masker {
  readonly rules: MaskRules;
  /**
   * The text with a token in place of each value found. `label`: the name of the member that holds
   * the text; the words "phone" or "password" before a value decide whether it is one.
   */
  text(text: string, label?: string): string;
  /** The token for a whole value; a token and an empty text stay unchanged. */
  valueToken(value: string): string;
  readonly counts: ReadonlyMap<MaskedType, number>;
}

/**
 * The key of a project's tokens, derived from ASSAY_SECRET (HKDF-SHA-256, RFC 5869): tokens cannot
 * be compared across projects, nor guessed without the secret.
 */
export const maskingKey = (secret: string, projectId: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, projectId, 'assay masking tokens v1', 32));

/**
 * Letters of a token: with 26^12 tokens, two of a million values share one with a probability of
 * 0.001 %. There are no digits, since tokens must not be read as figures.
 */
const TOKEN_LETTERS = 12;
const TOKEN = /^\[[a-z]+:[a-z]{12}\]$/;

/** The shortest value that is found is an e-mail address such as `a@b.co`. */
const CHARS_MIN = 6;
/** Characters of a label that are read. */
const LABEL_CHARS = 30;
/**
 * A token may separate values that were read as one number before; each pass ends at the same text
 * or with fewer values. Passes are limited so that the time stays linear.
 */
const PASSES_MAX = 6;
/** A moment in time has the digits of a phone number. */
const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?$/;

export function createMasker(rules: MaskRules): Masker {
  const counts = new Map<MaskedType, number>();

  function token(type: MaskedType, value: string): string {
    counts.set(type, (counts.get(type) ?? 0) + 1);
    const digest = createHmac('sha256', rules.key).update(`${type}\n${value}`).digest();
    let letters = '';
    for (const byte of digest.subarray(0, TOKEN_LETTERS))
      letters += String.fromCharCode(97 + (byte % 26));
    return `[${type}:${letters}]`;
  }

  function pass(text: string, before: string): string {
    const found = findPii(before + text, rules.types, { regions: rules.regions });
    let masked = '';
    let end = 0;
    for (const { type, start, end: stop } of found) {
      const from = start - before.length;
      if (from < end) continue;
      const value = text.slice(from, stop - before.length);
      masked += text.slice(end, from) + token(type, normalPii(type, value, rules.regions));
      end = stop - before.length;
    }
    return end === 0 ? text : masked + text.slice(end);
  }

  return {
    rules,
    counts,
    text(text, label = '') {
      if (text.length < CHARS_MIN || rules.types.length === 0 || MOMENT.test(text)) return text;
      const before = label === '' ? '' : `${label.slice(-LABEL_CHARS)}: `;
      let masked = text;
      for (let passes = 0; passes < PASSES_MAX; passes++) {
        const next = pass(masked, before);
        if (next === masked) break;
        masked = next;
      }
      return masked;
    },
    valueToken: (value) => (value === '' || TOKEN.test(value) ? value : token('masked', value)),
  };
}
