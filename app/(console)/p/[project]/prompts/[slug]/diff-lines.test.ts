import { expect, test } from 'vitest';
import { diffLines, foldSame } from './diff-lines';

/** `-old`, `+new`, ` same`; changes inside a line are in brackets. */
function drawn(before: string, after: string): string[] {
  const sign = { same: ' ', removed: '-', added: '+' } as const;
  return diffLines(before, after).map(
    ({ state, pieces }) =>
      sign[state] +
      pieces
        .map(({ text, changed }) => (changed && state !== 'same' ? `[${text}]` : text))
        .join(''),
  );
}

test.each([
  ['nothing', 'a\nb', 'a\nb', [' a', ' b']],
  ['a word', 'Be kind.\nEnd', 'Be strict.\nEnd', ['-Be [kind].', '+Be [strict].', ' End']],
  ['a line more', 'a\nc', 'a\nb\nc', [' a', '+[b]', ' c']],
  ['a line less', 'a\nb\nc', 'a\nc', [' a', '-[b]', ' c']],
  ['a line at the end', 'a', 'a\nb', [' a', '+[b]']],
  ['the last line gone', 'a\nb', 'a', [' a', '-[b]']],
  ['the first line gone', 'a\nb', 'b', ['-[a]', ' b']],
  ['line endings alone', 'a\r\nb', 'a\nb', [' a', ' b']],
])('X-8 a diff shows %s', (_name, before, after, wanted) => {
  expect(drawn(before, after)).toEqual(wanted);
});

test('X-8 a diff loses nothing: each side can be reconstructed from it, with its line numbers', () => {
  let seed = 7;
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2 ** 31) % below;
  const text = () =>
    Array.from(
      { length: random(30) },
      () => ['', 'one', 'two words', 'three more words'][random(4)],
    ).join('\n');
  for (let round = 0; round < 300; round++) {
    const [before, after] = [text(), text()];
    const lines = diffLines(before, after);
    for (const [whole, side, gone] of [
      [before, 'before', 'added'],
      [after, 'after', 'removed'],
    ] as const) {
      const own = lines.filter(({ state }) => state !== gone);
      expect(own.map(({ pieces }) => pieces.map((piece) => piece.text).join('')).join('\n')).toBe(
        whole,
      );
      expect(own.map((line) => line[side])).toEqual(own.map((_line, index) => index + 1));
    }
  }
});

test('X-8 unchanged lines far from a change are collapsed, and counted', () => {
  const before = Array.from({ length: 40 }, (_, n) => `line ${n}`).join('\n');
  const rows = foldSame(diffLines(before, before.replace('line 20', 'line twenty')));
  expect(rows.map((row) => (row.state === 'fold' ? row.count : row.state))).toEqual([
    17,
    'same',
    'same',
    'same',
    'removed',
    'added',
    'same',
    'same',
    'same',
    16,
  ]);
  expect(foldSame(diffLines(before, before))).toEqual([{ state: 'fold', count: 40 }]);
});
