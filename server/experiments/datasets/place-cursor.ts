import { invalid } from '../../platform';

/** A position in a list in the order of a dataset: the ordinal, then the id. */
export interface Place {
  readonly ordinal: number;
  readonly id: string;
}

export const writePlace = ({ ordinal, id }: Place): string =>
  Buffer.from(JSON.stringify([ordinal, id])).toString('base64url');

/** @throws AssayError invalid_request for a cursor that no list of this kind issued */
export function readPlace(cursor: string): Place {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(value)) {
      const [ordinal, id] = value as unknown[];
      if (Number.isSafeInteger(ordinal) && typeof id === 'string' && !id.includes('\u0000'))
        return { ordinal: Number(ordinal), id: id.toWellFormed() };
    }
  } catch {
    // Handled below like any other invalid cursor.
  }
  const message = 'must come from `next_cursor` of this list';
  throw invalid(`cursor: ${message}`, [{ path: 'cursor', message }]);
}
