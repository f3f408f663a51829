/**
 * Converts JSON text to attribute values and back, and preserves the digits of every number.
 * Conventions put whole conversations into one attribute as JSON text, and the same content may
 * also arrive as a structured value.
 */
import { cleanText, skipValue } from '../../domain';
import type { AttributeValue } from '../span';
import type { JsonText } from './gen-span';

/**
 * Deeper text is read as plain text. A turn may nest 64 deep, and embedded values are at most five
 * levels deep in it.
 */
const DEPTH_MAX = 58;
const NOT_A_NUMBER = new Set(['NaN', 'Infinity', '-Infinity']);

/**
 * The value of a JSON text, with its strings cleaned; undefined for text that is not JSON or nests
 * too deep.
 */
export function readAttributeJson(text: string): AttributeValue | undefined {
  if (!isJson(text)) return undefined;
  return readAt({ text, at: 0 });
}

/** Parses a string that is JSON text of an object or a list; returns any other value unchanged. */
export function structured(value: AttributeValue): AttributeValue {
  return typeof value === 'string' && /^\s*[[{]/.test(value)
    ? (readAttributeJson(value) ?? value)
    : value;
}

/**
 * Parses a string that is any JSON text, including a quoted string or a number, for attributes that
 * are always JSON.
 */
export function parsed(value: AttributeValue): AttributeValue {
  return typeof value === 'string' ? (readAttributeJson(value) ?? value) : value;
}

/**
 * JSON text of a value; numbers that JSON cannot express (NaN) and bytes (base64) become strings.
 */
export function writeJson(value: AttributeValue): JsonText {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(writeJson).join(',')}]`;
  if (isMap(value))
    return `{${[...value].map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`).join(',')}}`;
  if ('raw' in value) return NOT_A_NUMBER.has(value.raw) ? JSON.stringify(value.raw) : value.raw;
  return JSON.stringify(value.bytes);
}

/**
 * A result, arguments or a document as embedded in a turn: JSON text is kept unchanged, other text
 * becomes a string.
 */
export function embedJson(value: AttributeValue): JsonText {
  if (typeof value !== 'string') {
    const text = writeJson(value);
    return isJson(text) ? text : JSON.stringify(text);
  }
  const text = value.trim();
  if (/^[[{]/.test(text)) return isJson(text) ? text : JSON.stringify(value);
  // Clients that encode every result as JSON send plain text in quotes.
  const inner = text.startsWith('"') ? readAttributeJson(text) : undefined;
  return typeof inner === 'string' ? embedJson(inner) : JSON.stringify(value);
}

export function isMap(
  value: AttributeValue | undefined,
): value is ReadonlyMap<string, AttributeValue> {
  return value instanceof Map;
}

export function isList(value: AttributeValue | undefined): value is readonly AttributeValue[] {
  return Array.isArray(value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
  } catch {
    return false;
  }
  return skipValue(text, text.length - text.trimStart().length).depth <= DEPTH_MAX;
}

interface Cursor {
  readonly text: string;
  at: number;
}

/** JSON.parse has accepted the text, and its depth is bounded. */
function readAt(cursor: Cursor): AttributeValue {
  const first = peek(cursor);
  if (first === '{') return readObject(cursor);
  if (first === '[') return readList(cursor);
  const { end } = skipValue(cursor.text, cursor.at);
  const token = cursor.text.slice(cursor.at, end);
  cursor.at = end;
  if (first === '"') return readString(token);
  if (token === 'null') return null;
  return token === 'true' || token === 'false' ? token === 'true' : { raw: token };
}

function readObject(cursor: Cursor): AttributeValue {
  const members = new Map<string, AttributeValue>();
  cursor.at++;
  while (peek(cursor) !== '}') {
    if (peek(cursor) === ',') cursor.at++;
    peek(cursor);
    const { end } = skipValue(cursor.text, cursor.at);
    const key = readString(cursor.text.slice(cursor.at, end));
    cursor.at = end;
    peek(cursor);
    cursor.at++;
    members.set(key, readAt(cursor));
  }
  cursor.at++;
  return members;
}

function readList(cursor: Cursor): AttributeValue {
  const items: AttributeValue[] = [];
  cursor.at++;
  while (peek(cursor) !== ']') {
    if (peek(cursor) === ',') cursor.at++;
    items.push(readAt(cursor));
  }
  cursor.at++;
  return items;
}

/** Moves the cursor to the next character that is not white space and returns it. */
function peek(cursor: Cursor): string | undefined {
  while (/\s/.test(cursor.text[cursor.at] ?? '')) cursor.at++;
  return cursor.text[cursor.at];
}

function readString(token: string): string {
  const value: unknown = JSON.parse(token);
  return typeof value === 'string' ? cleanText(value).text : token;
}
