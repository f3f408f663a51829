import { skipString } from '../../domain';
import type { RequestHints } from './dialect';
import { JsonView } from './json-view';
import { type ListShape, OTHERS_MAX, toHints } from './list-shape';

/**
 * Reads a request from end to end: what stands where at its first level, and where the entries of
 * its list begin. Nothing is checked; what is asked of a body that is no JSON may throw.
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

type Place = readonly [start: number, end: number];

function viewOf(text: string, place: Place | undefined): JsonView | null {
  return place === undefined ? null : JsonView.glance(text.slice(place[0], place[1]));
}

/**
 * Strings and brackets that are read, some tens of milliseconds. What follows stays unknown,
 * and who spoke last with it.
 */
const TOKENS_MAX = 500_000;

/** Keys longer than this are none of those that are asked for. */
const MAX_KEY = 32;

interface Scan {
  readonly members: ReadonlyMap<string, Place>;
  /** Where the objects begin that are items of the member `list`. */
  readonly entries: number[];
}

/** Members of the object that begins at `from`; empty where none does. A name twice: the last. */
function scanObject(text: string, from: number, list?: string): Scan {
  const members = new Map<string, Place>();
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
