import type { JsonView } from './json-view';

/** Replaces the bytes from `start` to `end` with `json`. Offsets refer to the original text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly json: string;
}

/** Applies edits in any order; they must not overlap. Edits at the same offset keep their order. */
export function applyEdits(bytes: Buffer, edits: readonly Edit[]): Buffer {
  const parts: Buffer[] = [];
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    parts.push(bytes.subarray(at, edit.start), Buffer.from(edit.json));
    at = edit.end;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}

export function replaceValue(value: JsonView, json: string): Edit {
  return { start: value.start, end: value.end, json };
}

/**
 * Sets members of an object: existing ones get the new value in place, others are appended in
 * order.
 */
export function setMembers(
  object: JsonView,
  members: readonly (readonly [name: string, json: string])[],
): Edit[] {
  const edits: Edit[] = [];
  const added: string[] = [];
  for (const [name, json] of members) {
    const existing = object.at(name);
    if (existing === null) added.push(`${JSON.stringify(name)}:${json}`);
    else edits.push(replaceValue(existing, json));
  }
  if (added.length > 0) {
    const at = object.end - 1;
    edits.push({ start: at, end: at, json: `${object.size > 0 ? ',' : ''}${added.join(',')}` });
  }
  return edits;
}

export function appendItems(array: JsonView, items: readonly string[]): Edit {
  const last = array.items().at(-1);
  const at = last?.end ?? array.end - 1;
  return { start: at, end: at, json: `${last === undefined ? '' : ','}${items.join(',')}` };
}

export function prependItem(array: JsonView, item: string): Edit {
  const at = array.start + 1;
  return { start: at, end: at, json: array.items().length > 0 ? `${item},` : item };
}
