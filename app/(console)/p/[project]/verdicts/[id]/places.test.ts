import { expect, test } from 'vitest';
import type { Figure } from '@/server/domain';
import { reasonOf, statusOf } from './figure-status';
import { findValue, type PlaceMark, placesOf, splitAtPlaces, splitToken } from './places';

const mark = (path: string, text: string | null = null, figure = 0): PlaceMark => ({
  id: 'tc1',
  path,
  figures: [figure],
  state: 'found',
  text,
});
const cut = (stretches: ReturnType<typeof splitAtPlaces>) =>
  stretches.map((each) => [each.text, each.mark?.figures ?? null]);

test('spans of a text source are code points, end exclusive', () => {
  expect(
    cut(
      splitAtPlaces('🌧️ 12 mm, 🌞 8 h', [mark('text[12:13]', '8', 1), mark('text[3:5]', '12', 0)]),
    ),
  ).toEqual([
    ['🌧️ ', null],
    ['12', [0]],
    [' mm, 🌞 ', null],
    ['8', [1]],
    [' h', null],
  ]);
});

test('a path without a span marks nothing in plain text', () => {
  expect(cut(splitAtPlaces('a 1', [mark('rows[0].x', '1')]))).toEqual([['a 1', null]]);
});

test('two figures in one JSON string are two places; a number is one', () => {
  expect(cut(splitToken('"from 3 to 5"', [mark('note', '3', 0), mark('note', '5', 1)]))).toEqual([
    ['"from ', null],
    ['3', [0]],
    [' to ', null],
    ['5', [1]],
    ['"', null],
  ]);
  expect(cut(splitToken('91.40', [mark('x', '91.40', 4), mark('x', '91.4', 5)]))).toEqual([
    ['91.40', [4, 5]],
  ]);
  expect(cut(splitToken('"\\u0033 %"', [mark('x', '3 %', 2)]))).toEqual([['"\\u0033 %"', [2]]]);
});

test('only a whole value is found', () => {
  expect(findValue('"41 and 1"', '1')).toBe(8);
  expect(findValue('"1.5 1"', '1')).toBe(5);
  expect(findValue('"41"', '1')).toBe(-1);
});

const plain: Figure = {
  text: '40%',
  start: 0,
  end: 3,
  kind: 'percent',
  value: '40',
  unit: '%',
  sourced: true,
  source: { id: 'tc1', path: 'rows[1].pct' },
  citation_ok: null,
  source_text: '40',
  cited: null,
  reason: null,
};
const misattributed: Figure = {
  ...plain,
  sourced: false,
  status: 'misattributed',
  reason: 'misattributed',
  expected: { id: 'tc1', path: 'rows[0].pct', value: '91.4' },
};
const derived: Figure = {
  ...plain,
  sourced: false,
  status: 'derived',
  reason: 'derived',
  source: null,
  source_text: null,
  derived: {
    formula: 'sum(rows[*].gb) = 40',
    operands: [
      { id: 'tc1', path: 'rows[0].gb', value: '15' },
      { id: 'tc1', path: 'rows[1].gb', value: '25' },
    ],
  },
};

test('a figure marks the place of its value, the place its sentence refers to, and its operands', () => {
  const states = (...figures: Figure[]) =>
    [...(placesOf(figures).get('tc1') ?? [])].map(([path, marks]) => [
      path,
      marks.map((each) => [each.state, ...each.figures]),
    ]);
  expect(states(plain)).toEqual([['rows[1].pct', [['found', 0]]]]);
  expect(states(misattributed, derived)).toEqual([
    ['rows[1].pct', [['misplaced', 0]]],
    ['rows[0].pct', [['expected', 0]]],
    ['rows[0].gb', [['operand', 1]]],
    ['rows[1].gb', [['operand', 1]]],
  ]);
  // A place that supports one figure remains its source, even if the value of another figure occurs
  // only there.
  expect(states(misattributed, plain)[0]).toEqual(['rows[1].pct', [['found', 1, 0]]]);
});

test('a verdict from before statuses is sourced or unsourced, with its own reason', () => {
  expect([
    statusOf(plain),
    statusOf({ ...plain, sourced: false }),
    statusOf(misattributed),
  ]).toEqual(['sourced', 'unsourced', 'misattributed']);
  expect(reasonOf(plain)).toBeNull();
  expect(reasonOf({ ...plain, reason: 'not_in_sources' })).toBe(
    'This value is in no source of the turn.',
  );
  expect(reasonOf({ ...misattributed, explanation: 'the first day has 91.4' })).toBe(
    'The first day has 91.4.',
  );
});
