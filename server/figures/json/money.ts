import type { JsonTable } from './table';

const LEVELS_MAX = 8;
const NONE = -1;

/**
 * The currency of a JSON number: from its key (`price_usd`), or from a `currency` next to or above
 * it.
 */
export function currencyOf(table: JsonTable, row: number): string | null {
  const own = table.stepOf(row);
  const step = own < 0 ? own : table.stepOfContainer(table.parentOf(row));
  const named = step < 0 ? table.keys.currencyIn(~step) : null;
  if (named !== null || table.currencies.size === 0) return named;
  let container = table.parentOf(row);
  for (
    let level = 0;
    container !== NONE && level < LEVELS_MAX;
    level++, container = table.above(container)
  ) {
    const code = table.currencies.get(container);
    if (code !== undefined) return code;
  }
  return null;
}
