import { invalid } from './errors';

/**
 * A place in a list that is ordered by a time and then an id. `at` is RFC 3339 in UTC with
 * microseconds.
 */
export interface Place {
  readonly at: string;
  readonly id: string;
}

export function cursorAt({ at, id }: Place): string {
  return Buffer.from(JSON.stringify([at, id])).toString('base64url');
}

/** @throws AssayError invalid_request on a cursor that no list of this kind has given */
export function readCursor(cursor: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value)) {
      const [at, id] = value as unknown[];
      if (typeof at === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(at) && typeof id === 'string')
        return { at, id };
    }
  } catch {
    // Falls through to the same answer as any other foreign cursor.
  }
  throw invalid('cursor: must come from `next_cursor` of this list', [
    { path: 'cursor', message: 'must come from `next_cursor` of this list' },
  ]);
}

/** For a text filter: a part of the text, `%` and `_` meaning themselves. */
export function anywhere(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
