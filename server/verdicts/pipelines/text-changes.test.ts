import { expect, test } from 'vitest';
import { changesOfText, type TextStretch } from './text-changes';

/** `=same`, `-removed`, `+added`. */
const written = (stretches: readonly TextStretch[] | null) =>
  stretches?.map(({ text, state }) => `${{ same: '=', removed: '-', added: '+' }[state]}${text}`) ??
  null;

test.each([
  ['nothing', '', '', []],
  ['the same', 'It rose. It fell.', 'It rose. It fell.', ['=It rose. It fell.']],
  [
    'one sentence less',
    'It rose. By 5 %. It fell.',
    'It rose. It fell.',
    ['=It rose. ', '-By 5 %. ', '=It fell.'],
  ],
  ['one more at the end', 'It rose. ', 'It rose. And fell.', ['=It rose. ', '+And fell.']],
  ['one for another', 'A. B. C.', 'A. X. C.', ['=A. ', '-B. ', '+X. ', '=C.']],
  ['all', 'A.', 'B.', ['-A.', '+B.']],
  ['lines without full stops', 'one\ntwo\nthree', 'one\nthree', ['=one\n', '-two\n', '=three']],
  ['from nothing', '', 'A.', ['+A.']],
])('SOAR-22 the removals and additions of a synthesis: %s', (_, before, after, wanted) => {
  const changes = changesOfText(before, after);
  expect(written(changes)).toEqual(wanted);
  const side = (left: 'added' | 'removed') =>
    changes
      ?.filter(({ state }) => state !== left)
      .map(({ text }) => text)
      .join('');
  expect([side('added'), side('removed')]).toEqual([before, after]);
});

test('SOAR-22 long texts are compared where they differ, and not at all if they differ everywhere', () => {
  const lines = (name: string, count: number) =>
    Array.from({ length: count }, (_, at) => `${name} ${at}.\n`).join('');
  expect(
    written(changesOfText(`${lines('a', 5000)}x.\n`, `${lines('a', 5000)}y.\n`))?.slice(1),
  ).toEqual(['-x.\n', '+y.\n']);
  expect(changesOfText(lines('a', 5000), lines('b', 5000))).toBeNull();
});
