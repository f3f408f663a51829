import { classifyStorageError } from './storage-errors';

/** Tries after a deadlock or a similar fault: the same statement may succeed at once. */
const triesMax = 4;
let retries = 0;

/** How often this process has tried a statement again after a deadlock or a similar fault. */
export const countStorageRetries = (): number => retries;

/**
 * Stores rows together; if PostgreSQL refuses the data of one, bisects until the others are stored.
 * `store` is all or nothing. `onBad` receives each row that is refused on its own.
 * @throws on storage faults; rows stored before stay
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
      if (fault === 'retry' && tries < triesMax) {
        retries++;
        continue;
      }
      if (fault !== 'data') throw error;
      const [only] = rows;
      if (rows.length === 1 && only !== undefined) return await onBad(only, error);
      const middle = rows.length >> 1;
      await storeBisecting(rows.slice(0, middle), store, onBad);
      return await storeBisecting(rows.slice(middle), store, onBad);
    }
  }
}
