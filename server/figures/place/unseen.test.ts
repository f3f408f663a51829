import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

const json = (value: unknown): Source => ({
  id: 'tc1',
  label: 'tool',
  format: 'json',
  text: JSON.stringify(value),
});

/** The figures of an answer with their status. */
function statuses(answer: string, value: unknown): readonly string[] {
  const index = new SourceIndex([json(value)]);
  return traceFigures(scanFigures(answer), answer, index)
    .map((found) => figureOf(found, index))
    .map(({ text, status }) => `${text} ${status ?? ''}`);
}
const flagged = (answer: string, value: unknown): readonly string[] =>
  statuses(answer, value).filter((each) => !each.endsWith(' sourced'));

const pairs: readonly ((a: string, b: string, x: string, y: string) => string)[] = [
  (a, b, x, y) => `It rose ${x} in ${a} and ${y} in ${b}.`,
  (a, b, x, y) => `Growth went from ${x} in ${a} to ${y} in ${b}.`,
  (a, b, x, y) => `Growth was ${x} in ${a}, while it was ${y} in ${b}.`,
  (a, b, x, y) => `In ${a} it was ${x} and in ${b} ${y}.`,
];

describe('INT-2 two values with two years in one sentence', () => {
  test('as the source has them none is flagged, exchanged both are', () => {
    const tenths = fc.integer({ min: 11, max: 99 }).filter((value) => value % 10 !== 0);
    fc.assert(
      fc.property(
        fc.integer({ min: 1990, max: 2020 }),
        tenths,
        tenths,
        fc.nat(pairs.length - 1),
        (year, first, second, shape) => {
          fc.pre(first !== second);
          const say = pairs[shape] ?? String;
          const [x, y] = [first / 10, second / 10];
          const rows = [
            { year, growth_pct: x },
            { year: year + 1, growth_pct: y },
          ];
          const [a, b] = [String(year), String(year + 1)];
          expect(flagged(say(a, b, `${x}%`, `${y}%`), rows)).toEqual([]);
          expect(flagged(say(a, b, `${y}%`, `${x}%`), rows)).toEqual([
            `${y}% misattributed`,
            `${x}% misattributed`,
          ]);
        },
      ),
    );
  });
});

describe('INT-18 hedges widen to the precision shown, in their direction', () => {
  test.each<[string, number, boolean]>([
    ['nearly 100', 97, true],
    ['nearly 100', 3, false],
    ['nearly 100', 103, false],
    ['almost 100', 91, true],
    ['over 100', 108, true],
    ['over 100', 97, false],
    ['over 100', 187, false],
    ['over 70', 74.2, true],
    ['about 100', 96, true],
    ['about 100', 104, true],
    ['about 100', 120, false],
    ['around 12.5', 12.46, true],
    ['around 12.5', 13.4, false],
    ['more than 3 million', 3_200_000, true],
  ])('%s for %d: %s', (words, value, sourced) => {
    expect(flagged(`There were ${words} restarts.`, { restarts: value }).length === 0).toBe(
      sourced,
    );
  });
});

describe('INT-18 signs in words and units in names', () => {
  test.each<[string, unknown, boolean]>([
    ['It fell by 12.5%.', { change_pct: -12.5 }, true],
    ['Sales dropped 12.5%.', { change_pct: -12.5 }, true],
    ['It rose by 12.5%.', { change_pct: -12.5 }, false],
    ['They made a loss of $300.', { profit: -300 }, true],
    ['They made a profit of $300.', { profit: -300 }, false],
    ['It was 7 degrees below zero.', { temp: -7 }, true],
    ['It costs $12.99.', { price_cents: 1299 }, true],
    ['It costs $12.89.', { price_cents: 1299 }, false],
    ['It costs $1299.', { price_cents: 1299 }, false],
    ['It took 1.2 s.', { latency_ms: 1187 }, true],
    ['It took 1.3 s.', { latency_ms: 1187 }, false],
    ['It holds 5 MB.', { size_bytes: 5_000_000 }, true],
    ['It holds 5 GB.', { size_bytes: 5_000_000 }, false],
    ['It blows at 18 km/h.', { wind_kmh: 18 }, true],
    ['It blows at 18 mph.', { wind_kmh: 18 }, false],
    ['It weighs 18 lb.', { weight_kg: 18 }, false],
    ['It is 18 miles away.', { distance_km: 18 }, false],
    ['It is 18 °F.', { temp_celsius: 18 }, false],
  ])('%s %j: %s', (answer, value, sourced) => {
    expect(flagged(answer, value).length === 0).toBe(sourced);
  });
});

describe('INT-21 citations, standards and SQL are no figures', () => {
  test.each<[string, readonly string[]]>([
    ['The disk is full [1].', []],
    ['The disk is full.[2, 3] It was "new" [4–6].', []],
    ['The values are: [1, 2].', ['1', '2']],
    ['Dates follow ISO 8601 and RFC 2119; see ISO/IEC 27001:2022.', []],
    ['An RFC of 21 pages', ['21']],
    ['INSERT INTO orders (id, total) VALUES (1, 22.5),\n(2, 33.5);\nThat adds 2 rows.', ['2']],
    ['SELECT * FROM orders\nWHERE total > 500;', []],
    ['UPDATE orders SET total = 5', []],
    ['Select 3 items from the list.', ['3']],
  ])('%s', (text, figures) => {
    expect(scanFigures(text).map((figure) => figure.text)).toEqual(figures);
  });
});
