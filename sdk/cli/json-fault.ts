/**
 * The position of the first JSON fault in a text (RFC 8259), for its author: V8 reports a position
 * only for some faults, and repeats the text. One pass, without recursion: the sender controls the
 * nesting depth.
 */

/** In a larger text a position does not help people. */
const longestRead = 1024 * 1024;

type State = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'next' | 'end';

const expectedText: Readonly<Record<State, string>> = {
  value: 'a value is missing',
  'first value': 'a value or `]` is missing',
  name: 'a name in double quotes is missing',
  'first name': 'a name in double quotes or `}` is missing',
  colon: '`:` is missing',
  next: 'a comma or a closing bracket is missing',
  end: 'there is more text after the end of the value',
};

const scalar = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
const space = /[ \t\n\r]*/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

interface Fault {
  readonly at: number;
  readonly problem: string;
}

/** `line 2, column 7: a comma is missing`; empty for a text that is too long. */
export function jsonFault(text: string): string {
  if (text.length > longestRead) return '';
  if (text.trim() === '') return 'it is empty';
  const fault = findFault(text);
  if (fault === null) return '';
  const before = text.slice(0, fault.at).split('\n');
  const line = before.length;
  return `line ${line}, column ${(before.at(-1)?.length ?? 0) + 1}: ${fault.problem}`;
}

function findFault(text: string): Fault | null {
  const open: string[] = [];
  let state: State = 'value';
  let at = 0;
  for (;;) {
    at = after(space, text, at) ?? at;
    if (at >= text.length)
      return state === 'end'
        ? null
        : { at, problem: `it ends too early, and ${expectedText[state]}` };
    const read = readToken(text, at, state, open);
    if ('problem' in read) return read;
    ({ at, state } = read);
  }
}

function readToken(
  text: string,
  at: number,
  state: State,
  open: string[],
): Fault | { readonly at: number; readonly state: State } {
  const sign = text.charAt(at);
  const done = (): State => (open.length === 0 ? 'end' : 'next');
  if (state === 'colon' && sign === ':') return { at: at + 1, state: 'value' };
  if (state === 'next' && sign === ',')
    return { at: at + 1, state: open.at(-1) === '}' ? 'name' : 'value' };
  if ((state === 'next' || state.startsWith('first')) && sign === open.at(-1)) {
    open.pop();
    return { at: at + 1, state: done() };
  }
  if (sign === '"' && (state.endsWith('name') || state.endsWith('value'))) {
    const end = readString(text, at);
    if (typeof end !== 'number') return end;
    return { at: end, state: state.endsWith('name') ? 'colon' : done() };
  }
  if (state.endsWith('value')) {
    if (sign === '{' || sign === '[') {
      open.push(sign === '{' ? '}' : ']');
      return { at: at + 1, state: sign === '{' ? 'first name' : 'first value' };
    }
    const end = after(scalar, text, at);
    if (end !== null) return { at: end, state: done() };
  }
  return { at, problem: expectedText[state] };
}

/** Just after the string that opens at `from`. */
function readString(text: string, from: number): number | Fault {
  for (let at = from + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20)
      return { at, problem: 'a control character or a line break in a string must be escaped' };
    if (code !== 0x5c) continue;
    const end = after(escape, text, at);
    if (end === null) return { at, problem: 'this escape is not one of JSON' };
    at = end - 1;
  }
  return { at: from, problem: 'the string has no closing quote' };
}

function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
