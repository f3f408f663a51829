/**
 * The path of a value in a row: `a.b[0]["c.d"]`; from the item of `each`: `@.a`; from the entry of
 * a label's or judgement's own `each`: `@@.a`. `@` and `@@` are the item and the entry themselves.
 * `[0]` of a text is its first character.
 */
export interface Path {
  readonly from: 'row' | 'item' | 'entry';
  readonly steps: readonly (string | number)[];
}

/** Null when it is not a path. Linear in its length. */
export function parsePath(text: string): Path | null {
  const from = text.startsWith('@@') ? 'entry' : text.startsWith('@') ? 'item' : 'row';
  const steps: (string | number)[] = [];
  let at = from === 'entry' ? 2 : from === 'item' ? 1 : 0;
  while (at < text.length) {
    const first = steps.length === 0 && from === 'row';
    const step = text[at] === '[' ? bracketStep(text, at) : nameStep(text, at, first);
    if (step === null) return null;
    steps.push(step.value);
    at = step.next;
  }
  return steps.length === 0 && from === 'row' ? null : { from, steps };
}

interface Step {
  readonly value: string | number;
  readonly next: number;
}

/** `.name`; at the beginning without the dot. */
function nameStep(text: string, at: number, first: boolean): Step | null {
  if ((text[at] === '.') === first) return null;
  const start = first ? at : at + 1;
  let end = start;
  while (end < text.length && text[end] !== '.' && text[end] !== '[' && text[end] !== ']') end++;
  return end === start || text[end] === ']' ? null : { value: text.slice(start, end), next: end };
}

/** `[3]` or `["any name"]`. */
function bracketStep(text: string, at: number): Step | null {
  if (text[at + 1] !== '"') {
    const end = text.indexOf(']', at);
    const digits = text.slice(at + 1, end);
    return end === -1 || !/^\d{1,9}$/.test(digits)
      ? null
      : { value: Number(digits), next: end + 1 };
  }
  let end = at + 2;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (text[end] !== '"' || text[end + 1] !== ']') return null;
  try {
    const name: unknown = JSON.parse(text.slice(at + 1, end + 1));
    return typeof name === 'string' ? { value: name, next: end + 2 } : null;
  } catch {
    return null;
  }
}
