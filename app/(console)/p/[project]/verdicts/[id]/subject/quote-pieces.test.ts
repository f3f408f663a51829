import { describe, expect, test } from 'vitest';
import { measuredScore } from './score-fixture';
import { quotesByText, splitAtQuotes } from './quote-pieces';

describe('splitAtQuotes', () => {
  test.each([
    ['no quotes', 'abc', [], [['abc', []]]],
    [
      'one in the middle',
      'abcdef',
      [[2, 4, 0]],
      [
        ['ab', []],
        ['cd', [0]],
        ['ef', []],
      ],
    ],
    [
      'overlapping ones',
      'abcdef',
      [
        [0, 4, 0],
        [2, 6, 1],
      ],
      [
        ['ab', [0]],
        ['cd', [0, 1]],
        ['ef', [1]],
      ],
    ],
    [
      'one inside another of the same score',
      'abcdef',
      [
        [0, 6, 3],
        [2, 4, 3],
      ],
      [['abcdef', [3]]],
    ],
    [
      'positions are code points',
      '🧭a🇳🇴b',
      [
        [1, 2, 0],
        [4, 5, 1],
      ],
      [
        ['🧭', []],
        ['a', [0]],
        ['🇳🇴', []],
        ['b', [1]],
      ],
    ],
    [
      'beyond the end',
      'abc',
      [[2, 99, 0]],
      [
        ['ab', []],
        ['c', [0]],
      ],
    ],
    [
      'empty and turned round',
      'abc',
      [
        [1, 1, 0],
        [2, 1, 1],
      ],
      [['abc', []]],
    ],
    ['wholly outside', 'abc', [[7, 9, 0]], [['abc', []]]],
  ] as const)('VS-19 quotes are marked at their place: %s', (_, text, spans, expected) => {
    const pieces = splitAtQuotes(
      text,
      spans.map(([from, to, score]) => ({ from, to, score })),
    );
    expect(pieces.map((piece) => [piece.text, piece.scores])).toEqual(expected);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  });

  test('a piece begins where its quote does, in code points', () => {
    expect(splitAtQuotes('🧭🧭ab', [{ from: 2, to: 3, score: 0 }]).map(({ from }) => from)).toEqual(
      [0, 2, 3],
    );
  });

  test('a long text with many quotes is split in time', () => {
    const text = 'a🙂'.repeat(200_000);
    const spans = Array.from({ length: 400 }, (_, at) => ({
      from: at * 900,
      to: at * 900 + 40,
      score: at % 7,
    }));
    const pieces = splitAtQuotes(text, spans);
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
  });
});

test('references name a text, with any characters in its name; invalid references are left out', () => {
  const quotes = quotesByText([
    measuredScore({
      evidence: [
        { kind: 'quote', ref: 'output:2-4' },
        { kind: 'quote', ref: 'a:b:1-2' },
      ],
    }),
    measuredScore({
      evidence: [
        { kind: 'quote', ref: '__proto__:0-1' },
        { kind: 'source', ref: 'output:5-6' },
        { kind: 'quote', ref: 'output' },
      ],
    }),
  ]);
  expect([...quotes]).toEqual([
    ['output', [{ from: 2, to: 4, score: 0 }]],
    ['a:b', [{ from: 1, to: 2, score: 0 }]],
    ['__proto__', [{ from: 0, to: 1, score: 1 }]],
  ]);
});
