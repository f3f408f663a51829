import type { Attributes, AttributeValue } from '../span';
import { isList, isMap, structured } from './json-value';

/** Attributes of a span or members of a value: these functions accept both. */
type Members = Attributes;

/** A non-empty text; a number becomes its digits. Null for anything else. */
export function textOf(value: AttributeValue | undefined): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'object' && value !== null && 'raw' in value ? value.raw : null;
}

/** The text of the first of these keys that has one. */
export function attributeText(members: Members, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = textOf(members.get(key));
    if (text !== null) return text;
  }
  return null;
}

/** The value of the first of these keys that has one. */
export function valueAt(members: Members, ...keys: readonly string[]): AttributeValue {
  for (const key of keys) {
    const value = members.get(key);
    if (value !== undefined && value !== null && value !== '') return value;
  }
  return null;
}

/** A finite number of at least 0; numeric text counts. */
export function amountAt(members: Members, ...keys: readonly string[]): number | null {
  for (const key of keys) {
    const text = textOf(members.get(key));
    const number = text === null || text.trim() === '' ? Number.NaN : Number(text);
    if (Number.isFinite(number) && number >= 0) return number;
  }
  return null;
}

/** As `amountAt`, but an integer: a count of tokens. */
export function countAt(members: Members, ...keys: readonly string[]): number | null {
  const amount = amountAt(members, ...keys);
  return amount === null || !Number.isSafeInteger(Math.round(amount)) ? null : Math.round(amount);
}

/** The texts of a list, of JSON text of a list, or a single text. */
export function attributeTexts(value: AttributeValue | undefined): string[] {
  if (value === undefined || value === null) return [];
  const parsed = structured(value);
  return (isList(parsed) ? parsed : [parsed]).map(textOf).filter((text) => text !== null);
}

/** Members of an object, or of its JSON text. */
export function membersOf(
  value: AttributeValue | undefined,
): ReadonlyMap<string, AttributeValue> | null {
  const parsed = value === undefined ? null : structured(value);
  return isMap(parsed) ? parsed : null;
}

/** The members with the prefix `prefix`, keys without it. */
export function under(members: Members, prefix: string): Map<string, AttributeValue> {
  const found = new Map<string, AttributeValue>();
  for (const [key, value] of members)
    if (key.startsWith(prefix)) found.set(key.slice(prefix.length), value);
  return found;
}

/**
 * Lists that conventions flatten into keys, `<prefix>0.role`, `<prefix>1.role`: the members of each
 * item, in order of their numbers.
 */
export function itemsUnder(
  members: Members,
  prefix: string,
): ReadonlyMap<string, AttributeValue>[] {
  const items = new Map<number, Map<string, AttributeValue>>();
  for (const [key, value] of under(members, prefix)) {
    const dot = key.indexOf('.');
    const digits = dot === -1 ? key : key.slice(0, dot);
    if (!/^\d{1,9}$/.test(digits)) continue;
    const index = Number(digits);
    const item = items.get(index) ?? new Map<string, AttributeValue>();
    item.set(dot === -1 ? '' : key.slice(dot + 1), value);
    items.set(index, item);
  }
  return [...items].sort(([a], [b]) => a - b).map(([, item]) => item);
}
