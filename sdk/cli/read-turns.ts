import { jsonFault } from './json-fault';
import { type Slice, setMembers, sliceArray, sliceObject } from './json-slices';

/**
 * Turns of a file: one JSON turn, an array of turns, `{"turns":[…]}`, or one turn per line. Their
 * JSON text is not changed.
 */

export interface ReadTurn {
  /** Line of the file, from 1. */
  readonly line: number;
  readonly id: string;
  /** JSON text of an object. */
  readonly text: string;
}

export interface BadTurn {
  readonly line: number;
  readonly code: string;
  readonly message: string;
}

export interface ReadTurns {
  readonly turns: readonly ReadTurn[];
  readonly bad: readonly BadTurn[];
}

export interface Overrides {
  readonly session?: string | undefined;
  readonly model?: string | undefined;
}

/** Turns without an id get one from `newId`, so that a retried request finds its own turns. */
export function readTurns(file: string, overrides: Overrides, newId: () => string): ReadTurns {
  const text = file.replace(/^\uFEFF/, '');
  const documentValue = parse(text);
  const parts = documentValue === null ? lineSlices(text) : itemSlices(documentValue.value, text);
  const isLines = documentValue !== null || parts.some((slice) => parse(slice.text) !== null);
  if (!isLines && parts.length > 1) return { turns: [], bad: [faultOfDocument(text)] };
  const lineOf = createLineCounter(text);
  const turns: ReadTurn[] = [];
  const bad: BadTurn[] = [];
  for (const slice of parts) {
    const line = lineOf(slice.at);
    const value = parse(slice.text)?.value;
    if (value === undefined)
      bad.push({ line, code: 'not_json', message: `not valid JSON${columnOf(slice.text)}` });
    else if (typeof value !== 'object' || value === null || Array.isArray(value))
      bad.push({ line, code: 'invalid', message: 'a turn must be a JSON object' });
    else turns.push({ line, ...withMembers(slice, value, overrides, newId) });
  }
  return { turns, bad };
}

/** The error of a file in which no line is JSON on its own: it was meant as one JSON value. */
function faultOfDocument(text: string): BadTurn {
  const [, line = '1', problem = ''] = /^line (\d+), ([^]*)$/.exec(jsonFault(text)) ?? [];
  const message = `not valid JSON${problem === '' ? '' : `: ${problem}`}`;
  return { line: Number(line), code: 'not_json', message };
}

/** The fault of one line: `: column 7: a comma is missing`. */
export function columnOf(line: string): string {
  const fault = jsonFault(line).replace(/^line \d+, /, '');
  return fault === '' ? '' : `: ${fault}`;
}

function withMembers(
  slice: Slice,
  value: object,
  { session, model }: Overrides,
  newId: () => string,
): { id: string; text: string } {
  const givenId = 'id' in value ? value.id : null;
  const id = typeof givenId === 'string' && givenId !== '' ? givenId : newId();
  const set = new Map<string, string>();
  // An id that is not a string is sent unchanged: the server reports the error.
  if (givenId === null || givenId === undefined || givenId === '')
    set.set('id', JSON.stringify(id));
  if (session !== undefined) set.set('session_id', JSON.stringify(session));
  if (model !== undefined) set.set('model', JSON.stringify(model));
  return { id, text: set.size === 0 ? slice.text : setMembers(slice, set) };
}

function parse(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
}

function itemSlices(value: unknown, text: string): Slice[] {
  const at = text.length - text.trimStart().length;
  const slice = { at, text: text.trim() };
  if (Array.isArray(value)) return sliceArray(slice);
  if (
    typeof value === 'object' &&
    value !== null &&
    'turns' in value &&
    Array.isArray(value.turns)
  ) {
    const list = sliceObject(slice).findLast(({ key }) => key === 'turns');
    return list === undefined ? [] : sliceArray(list);
  }
  return [slice];
}

/** Lines that are not blank. */
function lineSlices(text: string): Slice[] {
  const slices: Slice[] = [];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, end);
    const lead = line.length - line.trimStart().length;
    if (line.trim() !== '') slices.push({ at: at + lead, text: line.trim() });
    at = end + 1;
  }
  return slices;
}

/** Continues from the previous offset: offsets must be passed in ascending order. */
function createLineCounter(text: string): (at: number) => number {
  let line = 1;
  let from = 0;
  return (at) => {
    for (
      let next = text.indexOf('\n', from);
      next !== -1 && next < at;
      next = text.indexOf('\n', from)
    ) {
      line++;
      from = next + 1;
    }
    return line;
  };
}
