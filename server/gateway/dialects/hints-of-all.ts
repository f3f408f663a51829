import { skipString } from '../../domain';
import type { RequestHints } from './dialect';
import { JsonView } from './json-view';
import { type ListShape, OTHERS_MAX, toHints } from './list-shape';

/**
 * Scans a whole request for its top-level members and the entries of its list. Does not validate:
 * accessors may throw if the body is not JSON.
 */
export function readAll(body: Buffer, shape: ListShape): RequestHints {
  const text = body.toString('latin1');
  const root = scanObject(text, 0, shape.list);
  const at = (name: string): JsonView | null => viewOf(text, root.members.get(name));
  let last: string | null = null;
  for (let others = 0; others <= OTHERS_MAX && last !== 'result' && last !== 'user'; others++) {
    const entry = root.entries.pop();
    if (entry === undefined) break;
    const { members } = scanObject(text, entry);
    last = shape.speaker((name) => viewOf(text, members.get(name)));
  }
  return toHints(at, last === 'result', shape);
}

type Range = readonly [start: number, end: number];

function viewOf(text: string, range: Range | undefined): JsonView | null {
  return range === undefined ? null : JsonView.glance(text.slice(range[0], range[1]));
}

/**
 * Maximum number of strings and brackets, which take some tens of milliseconds to scan. Beyond it,
 * the rest and the last speaker stay unknown.
 */
const TOKENS_MAX = 500_000;

/** Every key that is searched for is shorter. */
const MAX_KEY = 32;

interface Scan {
  readonly members: ReadonlyMap<string, Range>;
  /** Offsets of the objects in the member `list`. */
  readonly entries: number[];
}

/** Members of the object at `from`; empty if there is none. The last of equal names wins. */
function scanObject(text: string, from: number, list?: string): Scan {
  const members = new Map<string, Range>();
  let entries: number[] = [];
  let depth = 0;
  let name = '';
  let value = -1;
  let inList = false;
  let tokens = 0;
  for (let i = from; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if ((code === 0x22 || code === 0x7b || code === 0x5b) && ++tokens > TOKENS_MAX)
      return { members, entries: [] };
    if (code === 0x22) {
      const end = skipString(text, i) - 1;
      if (depth === 1 && value === -1) name = end - i > MAX_KEY ? '' : text.slice(i + 1, end);
      i = end;
    } else if (code === 0x7b || code === 0x5b) {
      depth++;
      if (depth === 1 && code === 0x5b) break;
      if (depth === 3 && inList && code === 0x7b) entries.push(i);
    } else if (code === 0x3a && depth === 1) {
      value = i + 1;
      inList = name === list;
      if (inList) entries = [];
    } else if (code === 0x7d || code === 0x5d || (code === 0x2c && depth === 1)) {
      if (depth === 1 && value !== -1) members.set(name, [value, i]);
      if (depth === 1) value = -1;
      if (code !== 0x2c) depth--;
      if (depth <= 0) break;
    }
  }
  return { members, entries };
}
