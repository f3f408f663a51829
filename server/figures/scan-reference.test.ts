import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../domain';
import { decimalKey, isWhole, roundingRange, shift, type Quantity } from './decimal';
import { isWithin } from './float-range';
import type { FigureReading } from './reading';
import { scanFigures } from './scan';
import { SourceContents } from './source-contents';
import { SourceIndex } from './source-index';
import type { SourceItem } from './source-items';
import { figureOf, traceFigures } from './trace';

/**
 * The index against a slow reference: every figure is compared with every value of every source, by
 * its digits alone and without a float, a bucket or a packed date.
 */
function places(reading: FigureReading, index: SourceIndex): readonly SourceItem[] {
  const items = index.read().flatMap(({ items: all }) => all);
  const money = items.filter(
    (item) =>
      reading.currency === null || (item.reading.currency ?? reading.currency) === reading.currency,
  );
  const shares = reading.percent ? items.filter(mayBeShare(index)) : [];
  const steps = [
    money.filter((item) => reading.quantities.some((each) => isSame(each, item))),
    shares.filter((item) => reading.quantities.some((each) => isSame(shift(each, -2), item))),
    money.filter((item) => reading.quantities.some((each) => isShownAs(each, item))),
    shares.filter((item) => reading.quantities.some((each) => isShownAs(shift(each, -2), item))),
  ];
  return steps.find((found) => found.length > 0) ?? [];
}

function isSame({ decimal }: Quantity, { reading }: SourceItem): boolean {
  return reading.quantities.some((each) => decimalKey(each.decimal) === decimalKey(decimal));
}

function isShownAs(quantity: Quantity, { reading }: SourceItem): boolean {
  const range = roundingRange(quantity);
  return range !== null && reading.quantities.some(({ decimal }) => isWithin(decimal, range));
}

/** 0.914 may be shown as 91.4%; 5 may not be shown as 500%. */
function mayBeShare(index: SourceIndex): (item: SourceItem) => boolean {
  return (item) => {
    const { quantities, percent, currency } = item.reading;
    const decimal = quantities[0]?.decimal;
    if (decimal === undefined || percent || currency !== null) return false;
    const isOne = decimal.digits === '1' && decimal.exponent === 0;
    const isLarge = decimal.digits.length + decimal.exponent > 0 && !isOne;
    if (isLarge && /(?:^|\.)\w*_pct$/u.test(index.placeOf(item).path)) return false;
    return !isWhole(decimal) || decimal.digits === '' || isOne;
  };
}

const digits = fc.stringMatching(/^-?(?:0|[1-9]\d{0,3})(?:\.\d{1,3})?$/);
const long = fc.stringMatching(/^[1-9]\d{12,18}(?:\.\d{1,4})?$/);
const value = fc.oneof(
  { weight: 6, arbitrary: digits },
  { weight: 1, arbitrary: long },
  { weight: 1, arbitrary: fc.constantFrom('1', '0', '0.5', '1e3', '2.50e-2', '-1') },
  { weight: 2, arbitrary: digits.map((each) => `"restarted after ${each} s"`) },
  { weight: 1, arbitrary: fc.constantFrom('"$12.50"', '"5%"', '"web-7"', '"2024-03-05"', 'null') },
);
const keys = ['load', 'cpu_pct', 'price_usd', 'price_eur', 'note'] as const;
const row = fc
  .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 4 })
  .chain((names) =>
    fc
      .tuple(...names.map(() => value))
      .map((values) => `{${names.map((name, i) => `"${name}":${values[i] ?? '0'}`).join(',')}}`),
  );
const source = fc
  .oneof(
    fc.array(row, { maxLength: 40 }).map((rows) => `[${rows.join(',')}]`),
    fc.array(row, { maxLength: 8 }).map((rows) => `{"hosts":[${rows.join(', ')}],\n"total": 7}`),
    fc
      .array(digits, { maxLength: 12 })
      .map((all) => all.map((each) => `It was ${each} s.`).join(' ')),
  )
  .chain((text) => fc.constant({ label: 'tool', format: 'json' as const, text }));
const sources = fc
  .array(source, { minLength: 1, maxLength: 3 })
  .map((all) => all.map((each, i): Source => ({ ...each, id: `tc${i}` })));
const figure = fc
  .tuple(fc.constantFrom('', '', '$', '€'), digits, fc.constantFrom('', '', '%', ' million', 'k'))
  .map(([sign, number, unit]) =>
    unit === '%' ? `${number}%` : `${sign}${number.replace('-', '')}${unit}`,
  );

describe('INT-18 the index against a slow reference', () => {
  test('every place of a value, in generated sources', () => {
    fc.assert(
      fc.property(sources, fc.array(figure, { minLength: 1, maxLength: 8 }), (all, stated) => {
        const index = new SourceIndex(all);
        // A value of the sources is stated too, exact and rounded.
        const own = index.read().flatMap(({ items }) => items.slice(0, 4).map(({ text }) => text));
        const answer = [...stated, ...own, ...own.map(rounded)]
          .map((each) => `It is ${each} x.`)
          .join('\n');
        for (const { reading } of scanFigures(answer)) {
          if (reading.quantities.length === 0 || reading.year !== null) continue;
          const found = (index.find(reading)?.items ?? []).map((item) => index.placeOf(item));
          const expected = places(reading, index).map((item) => index.placeOf(item));
          expect(sorted(found)).toEqual(sorted(expected));
        }
      }),
    );
  });

  test('INT-2 sources known from earlier turns give the same figures as unknown ones', () => {
    const turns = fc.array(fc.tuple(sources, fc.array(figure, { minLength: 1, maxLength: 5 })), {
      minLength: 2,
      maxLength: 5,
    });
    fc.assert(
      fc.property(turns, fc.integer({ min: 2_000, max: 60_000 }), (all, bytes) => {
        const contents = new SourceContents(bytes);
        let earlier: readonly Source[] = [];
        for (const [own, stated] of all) {
          earlier = [...earlier, ...own].slice(-4).map((each, i) => ({ ...each, id: `tc${i}` }));
          const answer = stated.map((each) => `The load is ${each}, and it rose.`).join(' ');
          expect(figuresOf(answer, new SourceIndex(earlier, contents))).toEqual(
            figuresOf(answer, new SourceIndex(earlier)),
          );
        }
      }),
      { numRuns: 40 },
    );
  });
});

function figuresOf(answer: string, index: SourceIndex): unknown {
  return traceFigures(scanFigures(answer), answer, index).map((trace) => figureOf(trace, index));
}

function rounded(text: string): string {
  const number = Number(text);
  return Number.isFinite(number) ? String(Math.round(number * 10) / 10) : text;
}

function sorted(places_: readonly { id: string; path: string }[]): readonly string[] {
  return places_.map(({ id, path }) => `${id} ${path}`).sort();
}
