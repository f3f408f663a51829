import type { Source } from '../../domain';
import { readTextTable } from '../text-table';
import type { DeriveSources } from './derivation';
import { splitName } from './words';

/** A list of a source and its length, for counts without a filter. */
export interface List {
  /** Index of its source. */
  readonly source: number;
  readonly name: string;
  readonly words: readonly string[];
  readonly length: number;
  /**
   * The only list of its source, or the whole source: "entries" and "rows" without a name refer to
   * it.
   */
  readonly whole: boolean;
}

const LISTS_MAX = 2_000;
const DEPTH_MAX = 16;
const NAME_LENGTH_MAX = 160;
/**
 * A tool result that is one string of JSON text is parsed as JSON, however often it was wrapped.
 */
const UNWRAPS_MAX = 3;

/** The lists of a turn's sources. Costs as much as parsing their JSON once. */
export function readLists(index: DeriveSources): readonly List[] {
  const lists: List[] = [];
  for (const [position, content] of index.read().entries()) {
    const source = index.sources[position];
    if (source === undefined || lists.length >= LISTS_MAX) break;
    const found =
      content.table !== null
        ? jsonLists(source, position, LISTS_MAX - lists.length)
        : tableRows(source, position);
    const [only] = found;
    lists.push(...(found.length === 1 && only !== undefined ? [{ ...only, whole: true }] : found));
  }
  return lists;
}

function tableRows(source: Source, position: number): readonly List[] {
  const table = readTextTable(source.text);
  return table === null
    ? []
    : [{ source: position, name: 'rows', words: [], length: table.lines, whole: true }];
}

interface Open {
  readonly value: object;
  readonly name: string;
  readonly key: string;
  readonly depth: number;
}

function jsonLists({ text }: Source, source: number, limit: number): readonly List[] {
  const lists: List[] = [];
  const root = parse(text);
  const open: Open[] = isObject(root) ? [{ value: root, name: '', key: '', depth: 0 }] : [];
  for (let next = open.pop(); next !== undefined && lists.length < limit; next = open.pop()) {
    const { value, name, key, depth } = next;
    if (Array.isArray(value)) {
      lists.push({
        source,
        name: `${name}[*]`.slice(-NAME_LENGTH_MAX),
        words: splitName(key),
        length: value.length,
        whole: depth === 0,
      });
    }
    if (depth >= DEPTH_MAX) continue;
    for (const [step, inner] of Object.entries(value)) {
      if (!isObject(inner)) continue;
      const path = Array.isArray(value)
        ? `${name}[${step}]`
        : `${name}${name === '' ? '' : '.'}${step.slice(0, NAME_LENGTH_MAX)}`;
      open.push({
        value: inner,
        name: path.slice(-NAME_LENGTH_MAX),
        key: Array.isArray(value) ? '' : step,
        depth: depth + 1,
      });
    }
  }
  return lists;
}

function parse(text: string): unknown {
  let value: unknown = text;
  try {
    for (let unwraps = 0; unwraps <= UNWRAPS_MAX && typeof value === 'string'; unwraps++)
      value = JSON.parse(value);
  } catch {
    // NaN, which Python writes, or invalid JSON: nothing is counted there.
    return null;
  }
  return value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
