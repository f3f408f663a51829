import type { Random } from '../seed';

/**
 * Mutations of valid inputs (R-106). JSON is mutated as a tree whose leaves are text, so that it
 * may contain content that no JavaScript value can: duplicate members, `1e400`, half of a surrogate
 * pair.
 */
type Tree =
  | { readonly kind: 'leaf'; readonly text: string }
  | { readonly kind: 'array'; readonly items: Tree[] }
  | { readonly kind: 'object'; readonly items: Tree[]; readonly keys: string[] };

/** A random item. @throws Error for an empty list */
export function pick<T>(items: readonly T[], random: Pick<Random, 'between'>): T {
  if (items.length === 0) throw new Error('nothing to choose from');
  return items[random.between(0, items.length - 1)] as T;
}

const leaf = (text: string): Tree => ({ kind: 'leaf', text });

function treeOf(value: unknown): Tree {
  if (Array.isArray(value)) return { kind: 'array', items: value.map(treeOf) };
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return {
      kind: 'object',
      keys: members.map(([key]) => JSON.stringify(key)),
      items: members.map(([, member]) => treeOf(member)),
    };
  }
  return leaf(JSON.stringify(value) ?? 'null');
}

function write(tree: Tree): string {
  if (tree.kind === 'leaf') return tree.text;
  if (tree.kind === 'array') return `[${tree.items.map(write).join(',')}]`;
  return `{${tree.items.map((item, at) => `${tree.keys[at] ?? '""'}:${write(item)}`).join(',')}}`;
}

/** Values that fit few schemas. */
const oddLeaves: readonly string[] = [
  'null',
  'true',
  'false',
  '{}',
  '[]',
  '[[]]',
  '[{}]',
  '[null]',
  '""',
  '" "',
  '"\\t"',
  '0',
  '-0',
  '-1',
  '1',
  '1.5',
  '1e-7',
  '1e21',
  '1e308',
  '1e400',
  '-1e400',
  '5e-324',
  '2147483648',
  '-2147483649',
  '9007199254740993',
  '18446744073709551616',
  '0.1000000000000000055511151231257827',
  'NaN',
  'Infinity',
  '-Infinity',
  '01',
  '+1',
  '.5',
  '1.',
  '0x10',
  'undefined',
  "'a'",
  '"NaN"',
  '"Infinity"',
  '"1"',
  '"true"',
  '"null"',
  '"[]"',
  '"{}"',
  '"-1"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00a"',
  '"\\ud83d\\ude00"',
  '"\\u2028"',
  '"\\ufeff"',
  '"e\\u0301"',
  '"\\u202e"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"\\\\"',
  '"%00"',
  '"../../etc/passwd"',
  '"$(x)"',
  '"{{x}}"',
  '"$1"',
  '"%s"',
  '"\'"',
  '"a;b"',
  '"(a+)+$"',
  '"["',
  '"0000-00-00T00:00:00Z"',
  '"9999-12-31T23:59:59.999999999Z"',
  '"-000001-01-01T00:00:00Z"',
  '"2026-01-01"',
  '"2026-02-30T00:00:00Z"',
  '"http://[::1]"',
  '"file:///etc"',
  '"http://"',
  '"☃"',
];

const oddKeys: readonly string[] = [
  '"__proto__"',
  '"constructor"',
  '"prototype"',
  '"toString"',
  '"hasOwnProperty"',
  '"then"',
  '""',
  '" "',
  '"\\u0000"',
  '"\\ud800"',
  '"0"',
  '"-1"',
  '"a.b"',
  '"a[0]"',
  '"$ref"',
  '"toJSON"',
  '"id"',
  '"type"',
  '"const"',
  '"each"',
  '"length"',
  '"*"',
  '"😀"',
];

/**
 * A small size, rarely a large one: few faults need one, and it takes as long as hundreds of
 * others.
 */
export const sizeOf = (
  small: readonly number[],
  large: readonly number[],
  random: Random,
): number => pick(random.next() < 0.02 ? large : small, random);

function longText(random: Random): string {
  const unit = pick(
    ['a', ' ', '\\"', '\\u0000', '\\ud800', 'é', '😀', '1,', '(', '{{a}}', 'a.'],
    random,
  );
  const chars = sizeOf([2, 17, 101, 201, 301, 1_001], [4_097, 10_001, 70_000], random);
  return `"${unit.repeat(Math.ceil(chars / unit.length))}"`;
}

function deep(random: Random): string {
  const depth = sizeOf([3, 20, 65, 130], [1_000, 6_000], random);
  const [open, close] = pick(
    [
      ['[', ']'],
      ['{"a":', '}'],
      ['{"type":"object","properties":{"a":', '}}'],
    ] as const,
    random,
  );
  return `${open.repeat(depth)}1${close.repeat(depth)}`;
}

/** One object or array of the tree with the position of one of its items. */
interface Place {
  readonly parent: Exclude<Tree, { kind: 'leaf' }>;
  readonly at: number;
}

function placesOf(tree: Tree, found: Place[] = []): Place[] {
  if (tree.kind === 'leaf') return found;
  for (const [at, item] of tree.items.entries()) {
    found.push({ parent: tree, at });
    placesOf(item, found);
  }
  return found;
}

function oddTree(random: Random): Tree {
  const chance = random.next();
  if (chance < 0.06) return leaf(longText(random));
  if (chance < 0.09) return leaf(deep(random));
  return leaf(pick(oddLeaves, random));
}

/** The value of a string that is JSON text, as many attributes of spans are; else undefined. */
function jsonWithin(text: string): unknown {
  if (!/^"\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(JSON.parse(text) as string) as unknown;
  } catch {
    return undefined;
  }
}

/** Puts odd characters into a string, or a digit into a number. */
function bend(text: string, random: Random): string {
  const inner = random.next() < 0.8 ? jsonWithin(text) : undefined;
  if (inner !== undefined) return JSON.stringify(mutateJson(inner, random));
  if (!text.startsWith('"'))
    return pick([`-${text}`, `${text}0000000000`, `${text}e9`, `${text}.5`, `"${text}"`], random);
  const at = random.between(1, Math.max(1, text.length - 2));
  const odd = pick(
    [
      '\\u0000',
      '\\ud800',
      '\\n',
      ' ',
      '/',
      '{{',
      '}}',
      '%',
      '"',
      '\\',
      '\u007f',
      '😀',
      '-',
      '.',
      '1',
    ],
    random,
  );
  return text.slice(0, at) + odd + text.slice(random.next() < 0.7 ? at : at + 1);
}

type Change = (place: Place, item: Tree, random: Random, places: readonly Place[]) => void;

const replace = ({ parent, at }: Place, item: Tree): void => void (parent.items[at] = item);

function insert({ parent, at }: Place, item: Tree, key: string): void {
  parent.items.splice(at, 0, item);
  if (parent.kind === 'object') parent.keys.splice(at, 0, key);
}

const keyAt = ({ parent, at }: Place): string =>
  parent.kind === 'object' ? (parent.keys[at] ?? '""') : '""';

const changes: readonly Change[] = [
  (place, _item, random) => replace(place, oddTree(random)),
  (place, _item, random) => replace(place, oddTree(random)),
  (place, item, random) => {
    replace(place, item.kind === 'leaf' ? leaf(bend(item.text, random)) : oddTree(random));
  },
  ({ parent, at }) => {
    parent.items.splice(at, 1);
    if (parent.kind === 'object') parent.keys.splice(at, 1);
  },
  (place, item) => insert(place, item, keyAt(place)),
  (place, _item, random) => insert(place, oddTree(random), keyAt(place)),
  (place, _item, random) => insert(place, oddTree(random), pick(oddKeys, random)),
  (place, _item, random) => {
    if (place.parent.kind === 'object') place.parent.keys[place.at] = pick(oddKeys, random);
  },
  (place, item) => replace(place, { kind: 'array', items: [item] }),
  (place, item, random) =>
    replace(place, { kind: 'object', keys: [pick(oddKeys, random)], items: [item] }),
  (place, _item, random, places) => {
    const other = pick(places, random);
    // The item is copied, since a tree that contains itself would never end.
    replace(place, leaf(write(other.parent.items[other.at] ?? leaf('null')).slice(0, 100_000)));
  },
  (place, item, random) => {
    const text = write(item);
    const times = Math.min(
      sizeOf([2, 21, 51], [101, 1_001, 5_001], random),
      Math.ceil(100_000 / text.length),
    );
    replace(place, { kind: 'array', items: Array.from({ length: times }, () => leaf(text)) });
  },
];

/** One to four changes of a JSON value, as text, which is often but not always JSON. */
export function mutateJson(value: unknown, random: Random): string {
  const root: Tree = { kind: 'array', items: [treeOf(value)] };
  for (let left = random.between(1, 4); left > 0; left--) {
    const places = placesOf(root);
    if (places.length === 0) break;
    const place = pick(places, random);
    const item = place.parent.items[place.at] ?? leaf('null');
    pick(changes, random)(place, item, random, places);
  }
  // The root is an item like any other, and may have been removed or multiplied.
  return root.items.map(write).join('');
}

/** One to four changes of a text: pieces inserted, omitted, replaced, repeated, cut off. */
export function mutateText(from: string, pieces: readonly string[], random: Random): string {
  let text = from;
  for (let left = random.between(1, 4); left > 0; left--) {
    const at = random.between(0, text.length);
    const to = Math.min(text.length, at + random.between(0, random.next() < 0.8 ? 5 : 200));
    const piece = pick(pieces, random);
    const kind = random.between(0, 5);
    if (kind === 0) text = text.slice(0, at) + piece + text.slice(at);
    else if (kind === 1) text = text.slice(0, at) + text.slice(to);
    else if (kind === 2) text = text.slice(0, at) + piece + text.slice(to);
    else if (kind === 3) text = text.slice(0, to) + text.slice(at);
    else if (kind === 4) text = text.slice(0, random.next() < 0.3 ? at : text.length);
    else
      text =
        text.slice(0, at) +
        piece.repeat(sizeOf([2, 17, 129], [1_001, 9_001], random)) +
        text.slice(at);
  }
  return text.slice(0, 100_000);
}

const oddBytes: readonly (readonly number[])[] = [
  [0],
  [255],
  [128],
  [10],
  [18],
  [19],
  [11],
  [10, 0],
  [195],
  [237, 160, 128],
  [255, 255, 255, 255, 15],
  [255, 255, 255, 255, 255, 255, 255, 255, 255, 1],
  [50, 2, 10, 0],
  [239, 187, 191],
  [31, 139],
  [13, 10],
  [34],
  [123],
  [93],
];

/** One to four changes of bytes: inserted, omitted, replaced, repeated, cut off. */
export function mutateBytes(from: Buffer, random: Random): Buffer {
  let body = Buffer.from(from);
  for (let left = random.between(1, 4); left > 0; left--) {
    const at = random.between(0, body.length);
    const to = Math.min(body.length, at + random.between(0, random.next() < 0.8 ? 4 : 400));
    const piece = Buffer.from(pick(oddBytes, random));
    const kind = random.between(0, 5);
    if (kind === 0) body = Buffer.concat([body.subarray(0, at), piece, body.subarray(at)]);
    else if (kind === 1) body = Buffer.concat([body.subarray(0, at), body.subarray(to)]);
    else if (kind === 2) body = Buffer.concat([body.subarray(0, at), piece, body.subarray(to)]);
    else if (kind === 3) body = Buffer.concat([body.subarray(0, to), body.subarray(at)]);
    else if (kind === 4) body = body.subarray(0, at);
    else if (at < body.length) body[at] = random.between(0, 255);
  }
  return body;
}

/** Splits bytes at random positions, as a network does. */
export function cutBytes(bytes: Buffer, random: Random): Buffer[] {
  const cuts = Array.from({ length: random.between(0, 6) }, () => random.between(0, bytes.length));
  const places = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((to, at) => bytes.subarray(places[at] ?? 0, to));
}
