import { isMap, isScalar, LineCounter, parseDocument, stringify } from 'yaml';

/** A definition as typed, read as far as possible. */
export interface DraftRead {
  /** Null if the text is not a YAML object. */
  readonly definition: Readonly<Record<string, unknown>> | null;
  /** Empty if the text can be sent. */
  readonly faults: readonly Fault[];
}

/** A definition that is not stored yet. */
export interface BegunDraft {
  readonly slug: string;
  readonly definition: Readonly<Record<string, unknown>>;
}

export interface Fault {
  /** From 1; null if it belongs to no line. */
  readonly line: number | null;
  readonly message: string;
}

/** Aliases are limited, since a short text could otherwise expand to gigabytes. */
const aliasesMax = 100;

export function readDraft(text: string): DraftRead {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const faults = document.errors.map(({ message, pos: [at] }) => ({
    line: lines.linePos(at).line,
    message: message.split('\n')[0] ?? message,
  }));
  if (faults.length > 0) return { definition: null, faults };
  if (!isMap(document.contents))
    return {
      definition: null,
      faults: [{ line: null, message: 'The definition must be a YAML mapping.' }],
    };
  try {
    const definition = document.toJS({ maxAliasCount: aliasesMax }) as Record<string, unknown>;
    return { definition, faults: [] };
  } catch (error) {
    const message = error instanceof Error ? error.message : 'The text cannot be read.';
    return { definition: null, faults: [{ line: null, message }] };
  }
}

export const slugOf = ({ definition }: DraftRead): string | null =>
  typeof definition?.slug === 'string' && definition.slug !== '' ? definition.slug : null;

/** Errors of the server by path, such as `checks[0].max`, at the lines that they name. */
export function placeFaults(text: string, fields: Readonly<Record<string, string>>): Fault[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, keepSourceTokens: false });
  const lineOf = (path: readonly string[]): number | null => {
    for (let length = path.length; length > 0; length -= 1) {
      const at = positionOf(document.contents, path.slice(0, length));
      if (at !== null) return lines.linePos(at).line;
    }
    return null;
  };
  return Object.entries(fields).map(([field, message]) => {
    const path = field.split(/[.[\]]+/).filter((part) => part !== '' && part !== 'definition');
    return { line: lineOf(path), message: path.length === 0 ? message : `${field}: ${message}` };
  });
}

/** The position of a member's key, or of a list's item; null if the text does not have it. */
function positionOf(root: unknown, path: readonly string[]): number | null {
  let node: unknown = root;
  let position: number | null = null;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === part);
      if (pair === undefined || !isScalar(pair.key)) return null;
      position = pair.key.range?.[0] ?? null;
      node = pair.value;
    } else if (hasItems(node)) {
      node = node.items[Number(part)];
      if (node === undefined) return null;
      position = rangeOf(node);
    } else return null;
  }
  return position;
}

const hasItems = (node: unknown): node is { readonly items: readonly unknown[] } =>
  typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);

function rangeOf(node: unknown): number | null {
  if (typeof node !== 'object' || node === null || !('range' in node)) return null;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : null;
}

/** The text of a definition, with prompts and sources as blocks. */
export const textOf = (slug: string, definition: Readonly<Record<string, unknown>>): string =>
  stringify({ slug, ...definition }, { lineWidth: 100 });

/** A slug that no verifier of the project has: `pii-leak`, `pii-leak-2`. */
export function freeSlug(slug: string, takenSlugs: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? slug : `${slug}-${number}`;
    if (!takenSlugs.includes(free)) return free;
  }
}

/** The start and the end of a line in `text`, as offsets from 0; `line` counts from 1. */
export function rangeOfLine(text: string, line: number): readonly [number, number] {
  const before = text.split('\n').slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, 0);
  const end = text.indexOf('\n', start);
  return [start, end === -1 ? text.length : end];
}
