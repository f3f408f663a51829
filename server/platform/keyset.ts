import { invalid } from './errors';

/** A position in a list ordered by time, then id. `at` is RFC 3339 in UTC with microseconds. */
export interface KeysetPosition {
  readonly at: string;
  readonly id: string;
}

export function cursorAt({ at, id }: KeysetPosition): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

/** @throws AssayError invalid_request for a cursor that no list of this kind issued */
export function readCursor(cursor: string): KeysetPosition {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value)) {
      const [at, id] = value as unknown[];
      if (typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) && typeof id === 'string')
        return { at, id };
    }
  } catch {
    // Handled below like any other invalid cursor.
  }
  throw invalid('cursor: must come from `next_cursor` of this list', [
    { path: 'cursor', message: 'must come from `next_cursor` of this list' },
  ]);
}

/** A pattern that matches the text as a substring, with `%` and `_` escaped. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
