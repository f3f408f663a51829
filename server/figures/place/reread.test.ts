import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

function isSourced(answer: string, value: unknown): boolean {
  const source: Source = { id: 'tc1', label: 'tool', format: 'json', text: JSON.stringify(value) };
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer), answer, index).every(
    (found) => figureOf(found, index).sourced,
  );
}

const falling = [
  (x: string) => `It fell by ${x}.`,
  (x: string) => `Sales declined ${x} last year.`,
  (x: string) => `It is down ${x}.`,
  (x: string) => `It plunged ${x}.`,
  (x: string) => `It slid ${x} in March.`,
  (x: string) => `There was a decrease of ${x}.`,
  (x: string) => `It ended with a shortfall of ${x}.`,
  (x: string) => `A net outflow of ${x} followed.`,
  (x: string) => `That is ${x} lower.`,
  (x: string) => `It showed a ${x} decline.`,
  (x: string) => `They made a loss of ${x}.`,
];
const rising = [
  (x: string) => `It rose by ${x}.`,
  (x: string) => `It is up ${x}.`,
  (x: string) => `They made a profit of ${x}.`,
  (x: string) => `That is ${x} higher.`,
  (x: string) => `It dropped to ${x}.`,
  (x: string) => `It fell below ${x}.`,
];

describe('INT-18 words give a figure its sign', () => {
  test('any of the words, any number: fallen is negative, risen and levels are not, another number is wrong', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 101, max: 9_999 }),
        fc.constantFrom('', '%'),
        (tenths, unit) => {
          const value = { change: -tenths / 10 };
          for (const say of falling) {
            const right = say(`${tenths / 10}${unit}`);
            expect([right, isSourced(right, value)]).toEqual([right, true]);
            expect(isSourced(say(`${((tenths + 13) / 10).toFixed(1)}${unit}`), value)).toBe(false);
          }
          for (const say of rising)
            expect([say('x'), isSourced(say(`${tenths / 10}${unit}`), value)]).toEqual([
              say('x'),
              false,
            ]);
        },
      ),
      { numRuns: 15 },
    );
  });

  test('both ends of a fall are levels', () => {
    expect(isSourced('It dropped from 80 to 70.', { before: 80, after: 70 })).toBe(true);
    expect(isSourced('It dropped from 80 to 70.', { before: -80, after: -70 })).toBe(false);
  });
});

const units: readonly (readonly [key: string, factor: number, shown: (x: string) => string])[] = [
  ['cents', 100, (x) => `$${x}`],
  ['cents', 100, (x) => `${x} dollars`],
  ['ms', 1_000, (x) => `${x} s`],
  ['ms', 60_000, (x) => `${x} minutes`],
  ['us', 1_000, (x) => `${x} ms`],
  ['s', 60, (x) => `${x} minutes`],
  ['seconds', 3_600, (x) => `${x} hours`],
  ['seconds', 86_400, (x) => `${x} days`],
  ['bytes', 1e6, (x) => `${x} MB`],
  ['bytes', 2 ** 20, (x) => `${x} MiB`],
  ['bytes', 2 ** 30, (x) => `${x} GB`],
  ['kb', 1e3, (x) => `${x} MB`],
  ['mb', 2 ** 10, (x) => `${x} GB`],
  ['bps', 100, (x) => `${x}%`],
  ['bps', 1e6, (x) => `${x} Mbps`],
  ['mhz', 1e3, (x) => `${x} GHz`],
  ['khz', 1e3, (x) => `${x} MHz`],
];
const spellings = [
  (key: string) => `total_${key}`,
  (key: string) => `total${key.charAt(0).toUpperCase()}${key.slice(1)}`,
  (key: string) => `total-${key}`,
  (key: string) => `p95_total_${key}`,
];

describe('INT-18 a key that ends in a unit is shown in another one of its measure', () => {
  test.each(units)('%s times %d', (key, factor, shown) => {
    fc.assert(
      fc.property(
        fc.integer({ min: 11, max: 989 }),
        fc.nat(spellings.length - 1),
        (tenths, spelling) => {
          fc.pre(tenths % 10 !== 0);
          const name = (spellings[spelling] ?? String)(key);
          const value = Math.round((tenths * factor) / 10);
          fc.pre(Math.abs(value - (tenths * factor) / 10) < factor / 100);
          const say = (x: number): string => `The total is ${shown(x.toFixed(1))}.`;
          expect([name, isSourced(say(tenths / 10), { [name]: value })]).toEqual([name, true]);
          expect(isSourced(say(tenths * 0.15), { [name]: value })).toBe(false);
          expect(isSourced(say(tenths), { [name]: value })).toBe(false);
        },
      ),
      { numRuns: 20 },
    );
  });

  test.each<[string, unknown, boolean]>([
    ['It is 12.5%.', { cpu_pct: 12.5 }, true],
    ['It is 1250%.', { cpu_pct: 12.5 }, false],
    ['It is 1250%.', { cpuPercent: 12.5 }, false],
    ['It is 1250%.', { ratio: 12.5 }, true],
    ['It took over 1 s.', { latency_ms: 1187 }, true],
    ['It took over 2 s.', { latency_ms: 1187 }, false],
    ['It costs $12.99.', { amount_cents: 1299, currency: 'EUR' }, false],
    ['Revenue was $1.5 billion.', { revenue_millions: 1500 }, true],
    ['Revenue was $1.6 billion.', { revenue_millions: 1500 }, false],
  ])('%s %j: %s', (answer, value, sourced) => {
    expect(isSourced(answer, value)).toBe(sourced);
  });
});

describe('INT-18 versions by their first parts', () => {
  test('any version, any length of its beginning; another number, or a part of a number, is wrong', () => {
    const part = fc.integer({ min: 1, max: 40 });
    fc.assert(
      fc.property(part, part, part, (major, minor, patch) => {
        const value = { version: `${major}.${minor}.${patch}`, host: '10.0.0.1' };
        expect(isSourced(`It runs v${major}.${minor}.`, value)).toBe(true);
        expect(isSourced(`It runs v${major}.${minor}.${patch}.`, value)).toBe(true);
        expect(isSourced(`It runs Python ${major}.${minor} now.`, value)).toBe(true);
        expect(isSourced(`It runs version ${major}.${minor} now.`, value)).toBe(true);
        expect(isSourced(`It runs v${major}.${minor + 1}.`, value)).toBe(false);
        expect(isSourced(`It runs v${major}.${minor}.${patch}1.`, value)).toBe(false);
        expect(isSourced(`It runs version ${major}.${minor + 1} now.`, value)).toBe(false);
        expect(isSourced(`It runs v${major}.${minor}0.`, value)).toBe(false);
      }),
      { numRuns: 30 },
    );
  });

  test('an address has no first parts', () =>
    expect(isSourced('It runs v10.0.', { host: '10.0.0.1' })).toBe(false));
});
