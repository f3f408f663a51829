import type { ClaimOutput } from './output';
import { unwrapData } from './output';
import { wordsIn } from './words';

/** A scalar of an output's data. */
export interface Leaf {
  readonly index: number;
  /** `rows[0].price`, spelled as figures are placed. */
  readonly path: string;
  /** The same with every position left out: leaves of one column share it. */
  readonly column: string;
  /** Words of its key and of the keys above it. */
  readonly keys: ReadonlySet<string>;
  /** Words of its value; none for numbers and true. */
  readonly values: readonly string[];
  readonly text: string;
}

/** An object of an output's data, with what stands in it directly. */
export interface DataRecord {
  readonly leaves: Leaf[];
  readonly parent: DataRecord | null;
}

/** A string with more words is prose: it is read by sentences, as a summary is. */
const VALUE_WORDS = 8;
const PLAIN_KEY = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u;
const LEAVES_MAX = 200_000;

export interface ReadData {
  readonly records: readonly DataRecord[];
  readonly prose: readonly { readonly path: string; readonly text: string }[];
}

/** Reads the data of one output. False, null and empty values are none: what they mean is for a judge. */
export function readRecords({ data }: Pick<ClaimOutput, 'data'>, index: number): ReadData {
  const records: DataRecord[] = [];
  const prose: { path: string; text: string }[] = [];
  let left = LEAVES_MAX;
  const keysOf = createKeyWords();
  const scalar = (value: unknown, path: string, keys: ReadonlySet<string>, record: DataRecord): void => {
    if (value === null || value === false || value === '' || left-- <= 0) return;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const values = typeof value === 'string' ? wordsIn(text, { start: 0, end: text.length }, []).map(({ word }) => word) : [];
    if (values.length > VALUE_WORDS) prose.push({ path, text });
    else record.leaves.push({ index, path, column: path.replaceAll(/\[\d+\]/g, '[*]'), keys, values, text: text.slice(0, 200) });
  };
  const walk = (value: unknown, path: string, keys: ReadonlySet<string>, record: DataRecord): void => {
    if (Array.isArray(value)) {
      for (const [i, each] of value.entries()) walk(each, `${path}[${i}]`, keys, record);
    } else if (typeof value === 'object' && value !== null) {
      const own: DataRecord = { leaves: [], parent: record };
      records.push(own);
      for (const [key, each] of Object.entries(value)) walk(each, pathOf(path, key), keysOf(keys, key), own);
    } else scalar(value, path === '' ? '$' : path, keys, record);
  };
  const root: DataRecord = { leaves: [], parent: null };
  records.push(root);
  walk(unwrapData(data), '', new Set(), root);
  return { records, prose };
}

function pathOf(path: string, key: string): string {
  if (PLAIN_KEY.test(key)) return path === '' ? key : `${path}.${key}`;
  return `${path}[${JSON.stringify(key)}]`;
}

/** Words of a key after those above it; one set for all leaves of the same keys. `disk_pct` and `diskPct` are two words. */
function createKeyWords(): (above: ReadonlySet<string>, key: string) => ReadonlySet<string> {
  const known = new Map<ReadonlySet<string>, Map<string, ReadonlySet<string>>>();
  return (above, key) => {
    let below = known.get(above);
    if (below === undefined) known.set(above, (below = new Map()));
    let keys = below.get(key);
    if (keys === undefined) {
      const spelled = key.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').slice(0, 200);
      keys = new Set([...above, ...wordsIn(spelled, { start: 0, end: spelled.length }, []).map(({ word }) => word)].slice(0, 60));
      below.set(key, keys);
    }
    return keys;
  };
}
