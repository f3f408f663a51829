import { expect, test } from 'vitest';
import type { Figure } from '@/server/domain';
import { answerOf, splitAtFigures } from './answer-pieces';

function figure(text: string, start: number): Figure {
  return {
    text,
    start,
    end: start + Array.from(text).length,
    kind: 'number',
    value: text,
    unit: null,
    sourced: true,
    source: null,
    citation_ok: null,
    source_text: null,
    cited: null,
    reason: null,
  };
}

test('positions are code points: an emoji before a figure does not shift it', () => {
  const answer = '🌡️ Oslo 🇳🇴 has 12.5 °C and 𝟚 more 3.';
  const points = Array.from(answer);
  const figures = [figure('12.5', points.indexOf('1')), figure('3', points.lastIndexOf('3'))];
  expect(splitAtFigures(answer, figures)).toEqual([
    { text: '🌡️ Oslo 🇳🇴 has ', figure: null },
    { text: '12.5', figure: 0 },
    { text: ' °C and 𝟚 more ', figure: null },
    { text: '3', figure: 1 },
    { text: '.', figure: null },
  ]);
});

test('figures out of order or past the end neither repeat nor lose text', () => {
  const answer = 'a 1 b 2';
  const pieces = splitAtFigures(answer, [figure('2', 6), figure('1', 2), figure('9', 40)]);
  expect(pieces.map((piece) => piece.text).join('')).toBe(answer);
  expect(pieces.map((piece) => piece.figure)).toEqual([null, 1, null, 0]);
});

test('in an envelope the positions count in its answer', () => {
  const output = JSON.stringify({ answer: 'It is 91.4%.', facts: [] });
  expect(answerOf(output, [figure('91.4%', 6)])).toBe('It is 91.4%.');
  expect(answerOf('It is 91.4%.', [figure('91.4%', 6)])).toBe('It is 91.4%.');
  expect(answerOf('Something else', [figure('91.4%', 6)])).toBeNull();
});
