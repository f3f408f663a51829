import { classifyStorageError } from './storage-errors';

/** Deadlocks and the like: the same statement may succeed at once. */
const triesMax = 4;

/**
 * Stores rows together; when PostgreSQL refuses the data of one, halves around it, so that the
 * others are stored. `store` is all or nothing. `onBad` gets each row that is refused alone.
 * @throws on faults of storage; what was stored before stays
 */
export async function storeBisecting<Row>(
  rows: readonly Row[],
  store: (rows: readonly Row[]) => Promise<void>,
  onBad: (row: Row, error: unknown) => Promise<void> | void,
): Promise<void> {
  for (let tries = 1; rows.length > 0; tries++) {
    try {
      return await store(rows);
    } catch (error) {
      const fault = classifyStorageError(error);
      if (fault === 'retry' && tries < triesMax) continue;
      if (fault !== 'data') throw error;
      const [only] = rows;
      if (rows.length === 1 && only !== undefined) return await onBad(only, error);
      const middle = rows.length >> 1;
      await storeBisecting(rows.slice(0, middle), store, onBad);
      return await storeBisecting(rows.slice(middle), store, onBad);
    }
  }
}
