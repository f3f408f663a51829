import type { DeriveSources } from './derivation';
import type { Group } from './group';
import { jsonGroups } from './json-groups';
import { tableGroups } from './table-groups';

/**
 * Maximum values read and columns kept for one turn, to bound its cost regardless of its sources.
 */
const ITEMS_MAX = 20_000;
const COLUMNS_MAX = 512;

/** The possible columns of a turn's sources. Linear in the values read. */
export function readGroups(index: DeriveSources): readonly Group[] {
  const all: Group[] = [];
  let left = ITEMS_MAX;
  for (const content of index.read()) {
    if (content.table === null) {
      const items = content.items.slice(0, left);
      left -= items.length;
      all.push(...tableGroups(items, content.text, content.layout));
    } else {
      const { groups, read } = jsonGroups(content, left);
      left -= read;
      all.push(...groups);
    }
  }
  return all.slice(0, COLUMNS_MAX);
}
