import { expect, test } from 'vitest';
import { countCodePoints } from '@/server/domain';
import { splitAtClaims } from './claim-pieces';

const claim = (text: string, start: number | null) => ({
  text,
  start,
  end: start === null ? null : start + countCodePoints(text),
  state: 'supported' as const,
  supportedBy: [],
  by: null,
  reason: null,
});
const answer = '🧭 It is slow. Hello. It is the index 🧭.';
const marked = (claims: Parameters<typeof splitAtClaims>[1]) =>
  splitAtClaims(answer, claims).map(({ text, claim: index }) =>
    index === null ? text : [index, text],
  );

test('SOAR-21 claims are marked at their places, which count code points, and keep their numbers', () => {
  const expected = ['🧭 ', [1, 'It is slow.'], ' Hello. ', [0, 'It is the index 🧭.']];
  expect(marked([claim('It is the index 🧭.', 21), claim('It is slow.', 2)])).toEqual(expected);
});

test.each([
  ['that has no place', claim('It is slow.', null)],
  ['over another one', claim('slow. Hello.', 8)],
  ['of another text', claim('It was slow.', 3)],
  ['beyond the end', claim('It is slow.', 90)],
])('a claim %s is not marked, and affects no other', (_, odd) => {
  expect(marked([claim('It is slow.', 2), odd])).toEqual([
    '🧭 ',
    [0, 'It is slow.'],
    ' Hello. It is the index 🧭.',
  ]);
});

test('without claims nothing is marked, and the text is one piece', () => {
  expect(marked([])).toEqual([answer]);
  expect(splitAtClaims('', [])).toEqual([]);
});
