import { Chunk } from '@codemirror/merge';
import { Text } from '@codemirror/state';

/** A line of a diff. */
export interface DiffLine {
  readonly state: 'same' | 'removed' | 'added';
  /** Its number in each text, from 1; null if the text does not have it. */
  readonly before: number | null;
  readonly after: number | null;
  /** The line in segments; those that a small edit left unchanged are not `changed`. */
  readonly pieces: readonly { readonly text: string; readonly changed: boolean }[];
}

/** A line, or the number of unchanged lines skipped. */
export type DiffRow = DiffLine | { readonly state: 'fold'; readonly count: number };

/** Lines shown around a change. */
const around = 3;

/** The removed and added lines of a text, with the words that changed inside a line. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [textOf(before), textOf(after)];
  const rows: DiffLine[] = [];
  let nextA = 1;
  let nextB = 1;
  const same = (untilA: number) => {
    for (; nextA < untilA; nextA++, nextB++)
      rows.push({
        state: 'same',
        before: nextA,
        after: nextB,
        pieces: [{ text: a.line(nextA).text, changed: false }],
      });
  };
  for (const { changes, fromA, toA, fromB, toB } of Chunk.build(a, b, {
    scanLimit: 2000,
    timeout: 200,
  })) {
    same(lineFrom(a, fromA));
    const lost = changes.map((change) => [fromA + change.fromA, fromA + change.toA] as const);
    for (const end = lineFrom(a, toA); nextA < end; nextA++)
      rows.push({ state: 'removed', before: nextA, after: null, pieces: piecesOf(a, nextA, lost) });
    const gained = changes.map((change) => [fromB + change.fromB, fromB + change.toB] as const);
    for (const end = lineFrom(b, toB); nextB < end; nextB++)
      rows.push({ state: 'added', before: null, after: nextB, pieces: piecesOf(b, nextB, gained) });
  }
  same(a.lines + 1);
  return rows.flatMap((row) => withoutLast(row, a.lines, b.lines));
}

/**
 * Drops the empty line after the final newline that `textOf` appends; a line paired with it becomes
 * unpaired.
 */
function withoutLast(row: DiffLine, lastA: number, lastB: number): DiffLine[] {
  const before = row.before === lastA ? null : row.before;
  const after = row.after === lastB ? null : row.after;
  if (before === null && after === null) return [];
  const state = before === null ? 'added' : after === null ? 'removed' : 'same';
  return [{ ...row, state, before, after }];
}

/** The same lines, with long runs of unchanged ones collapsed. */
export function foldSame(lines: readonly DiffLine[]): readonly DiffRow[] {
  const near = new Set<number>();
  for (const [index, { state }] of lines.entries()) {
    if (state === 'same') continue;
    for (let at = index - around; at <= index + around; at++) near.add(at);
  }
  const rows: DiffRow[] = [];
  let hidden = 0;
  const fold = () => {
    if (hidden > 0) rows.push({ state: 'fold', count: hidden });
    hidden = 0;
  };
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) {
      hidden++;
      continue;
    }
    fold();
    rows.push(line);
  }
  fold();
  return rows;
}

/**
 * With a newline after every line, including the last: without it, adding a line after the last one
 * would mark that one as changed too.
 */
function textOf(text: string): Text {
  return Text.of([...text.split(/\r\n|\r|\n/), '']);
}

/** Number of the line at a chunk's edge, which may be one beyond the text. */
function lineFrom(text: Text, edge: number): number {
  return edge > text.length ? text.lines + 1 : text.lineAt(edge).number;
}

function piecesOf(
  text: Text,
  lineNumber: number,
  spans: readonly (readonly [number, number])[],
): DiffLine['pieces'] {
  const { from, to } = text.line(lineNumber);
  const pieces: { text: string; changed: boolean }[] = [];
  let at = from;
  const push = (until: number, changed: boolean) => {
    if (until > at) pieces.push({ text: text.sliceString(at, until), changed });
    at = Math.max(at, until);
  };
  for (const [start, end] of spans) {
    if (end <= from || start >= to) continue;
    push(Math.max(from, start), false);
    push(Math.min(to, end), true);
  }
  push(to, false);
  return pieces;
}
