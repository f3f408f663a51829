import { findCards } from './card';
import { findEmails } from './email';
import { findIbans } from './iban';
import { findKeys } from './key';
import { findPhones, normalPhone } from './phone';
import type { Range } from './range';

/** In this order, a place that two types claim belongs to the first one. */
export const piiTypes = ['key', 'email', 'iban', 'card', 'phone'] as const;
export type PiiType = (typeof piiTypes)[number];

export interface FoundPii extends Range {
  readonly type: PiiType;
}

export interface PiiOptions {
  /** ISO 3166 codes of regions whose national phone numbers are found too: `['DE']`. */
  readonly regions?: readonly string[];
}

const finders: Readonly<
  Record<PiiType, (text: string, regions: readonly string[]) => readonly Range[]>
> = {
  key: findKeys,
  email: findEmails,
  iban: findIbans,
  card: findCards,
  phone: findPhones,
};

/**
 * Personal data and secrets in a text: places as UTF-16 indices, in the order of the text, without
 * overlaps. Takes time linear in the text. It reads forms, not meaning: names, addresses and
 * numbers of documents are not found.
 */
export function findPii(
  text: string,
  types: readonly PiiType[],
  { regions = [] }: PiiOptions = {},
): FoundPii[] {
  const all = piiTypes
    .filter((type) => types.includes(type))
    .flatMap((type, rank) =>
      finders[type](text, regions).map(({ start, end }) => ({ type, start, end, rank })),
    )
    .toSorted((a, b) => a.rank - b.rank || a.start - b.start);
  return withoutOverlaps(all).toSorted((a, b) => a.start - b.start);
}

/** Keeps the earlier ones of a list; a merge of two sorted lists for each type. */
function withoutOverlaps(all: readonly (FoundPii & { readonly rank: number })[]): FoundPii[] {
  let merged: FoundPii[] = [];
  for (const type of piiTypes) {
    const next: FoundPii[] = [];
    let at = 0;
    for (const { rank: _rank, ...found } of all.filter((each) => each.type === type)) {
      while (at < merged.length && (merged[at]?.end ?? 0) <= found.start) at++;
      const other = merged[at];
      if (other === undefined || other.start >= found.end) next.push(found);
    }
    merged = [...merged, ...next].toSorted((a, b) => a.start - b.start);
  }
  return merged;
}

/**
 * The form in which two spellings of one value are equal: without case in e-mail addresses, and
 * without spaces and hyphens in cards, IBANs and phone numbers.
 */
export function normalPii(type: PiiType, value: string, regions: readonly string[]): string {
  switch (type) {
    case 'key':
      return value;
    case 'email':
      return value.toLowerCase();
    case 'card':
      return value.replace(/\D/g, '');
    case 'iban':
      return value.replace(/[^A-Za-z0-9]/g, '').toUpperCase();
    case 'phone':
      return normalPhone(value, regions);
  }
}
