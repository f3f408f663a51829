import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

/** The figures of an answer that are not sourced. */
function flagged(answer: string, value: unknown): readonly string[] {
  return figuresOf(answer, value).flatMap(({ text, sourced }) => (sourced ? [] : [text]));
}

function statusesOf(answer: string, value: unknown): readonly unknown[] {
  return figuresOf(answer, value).map(({ status }) => status);
}

function figuresOf(answer: string, value: unknown): readonly ReturnType<typeof figureOf>[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const format = typeof value === 'string' ? 'text' : 'json';
  const source: Source = { id: 'tc1', label: 'tool', format, text };
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer), answer, index).map((found) => figureOf(found, index));
}

const forecast = [
  { date: '2024-01-04 08:00', temp: -7.85, wind: 0.59, gust: 0.8 },
  { date: '2024-01-04 20:00', temp: 1.11, wind: 0.93, gust: 2.93 },
  { date: '2024-01-05 08:00', temp: -10.06, wind: 0.84, gust: 0.82 },
  { date: '2024-01-05 20:00', temp: -8.5, wind: 1.47, gust: 1.62 },
  { date: '2024-01-06 08:00', temp: -9.63, wind: 0.81, gust: 0.92 },
];

describe('INT-2 a day applies until another is named', () => {
  test.each<[string, readonly string[]]>([
    [
      'On January 5th it is -10.06. It will be clear. The wind will be 0.84. The gust will be 0.82.',
      [],
    ],
    [
      'On January 5th it is -10.06. It will be clear. The wind will be 0.59. The gust will be 2.93.',
      ['0.59', '2.93'],
    ],
    ['On January 5th it is -10.06. Friday is cold. The wind will be 0.84.', []],
    ['On January 5th it is -10.06. Saturday is cold. The wind will be 0.84.', ['0.84']],
    ['On January 4th it is -7.85. The following day it is -10.06.', []],
    ['On January 4th it is -7.85. The following day it is 1.11.', ['1.11']],
    ['On day one the wind is 0.93, on day two 1.47.', []],
    ['On day one the wind is 1.47.', ['1.47']],
    ['On January 5th it is -10.06. The 6th brings a wind of 0.81.', []],
    ['On January 5th it is -10.06. The 6th brings a wind of 0.84.', ['0.84']],
    ['On January 5th it is -10.06.\n\nThe gust was 2.93 once.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, forecast)).toEqual(expected);
  });
});

describe('INT-2 extremes are those of the named period', () => {
  test.each<[string, readonly string[]]>([
    ['On January 4th there will be a high of 1.11 and a low of -7.85.', []],
    ['On January 5th there will be a high of -10.06.', ['-10.06']],
    ['The wind will range from 0.59 to 1.47.', []],
    ['The wind will range from 0.81 to 1.47.', ['0.81']],
    ['The wind will be relatively low, with gusts of 2.93.', []],
    ['On January 4th there will be a high of -7.85 in the morning.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, forecast)).toEqual(expected);
  });
});

describe('INT-2 months and relative years', () => {
  const growth = [
    { year: 2020, growth: 1.5 },
    { year: 2021, growth: 3.5 },
    { year: 2022, growth: 2.7 },
  ];
  test.each<[string, readonly string[]]>([
    ['Growth was 2.7 in 2022, against 3.5 in the previous year.', []],
    ['Growth was 2.7 in 2022, against 1.5 in the previous year.', ['1.5']],
    ['In 2021 growth was 3.5; the year before it was 1.5.', []],
    ['In 2021 growth was 3.5; the year before it was 2.7.', ['2.7']],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, growth)).toEqual(expected);
  });

  const cases = 'date,value\n2020-02-03,0.5\n2020-02-20,2.4\n2020-03-10,1.3\n2020-04-02,0.9\n';
  test.each<[string, readonly string[]]>([
    ['It began at 0.5 on February 3, 2020 and rose to 2.4 by the end of February.', []],
    ['It began at 0.5 on February 3, 2020 and rose to 2.4 by the end of March.', ['2.4']],
    ['Since March 2020 the lowest value was 0.9.', []],
    ['Since March 2020 the lowest value was 1.3.', ['March 2020', '1.3']],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, cases)).toEqual(expected);
  });
});

const say: readonly ((names: readonly string[], values: readonly string[]) => string)[] = [
  ([a, b, c], [x, y, z]) => `We offer ${a} (${x}), ${b} (${y}) and ${c} (${z}).`,
  ([a, b, c], [x, y, z]) => `${a}, ${b} and ${c} cost ${x}, ${y} and ${z}.`,
  ([a, b, c], [x, y, z]) => `${x} for ${a}, ${y} for ${b} and ${z} for ${c}.`,
  ([a, b, c], [x, y, z]) => `${a} costs ${x}, ${b} costs ${y}, while ${c} costs ${z}.`,
  ([a, b, c], [x, y, z]) => `- ${a}: ${x}\n- ${b}: ${y}\n- ${c}: ${z}`,
];

describe('INT-2 lists of names and values are rows of the source', () => {
  test('as the source has them none is flagged, exchanged ones are', () => {
    const names = fc.shuffledSubarray(['Espresso', 'Latte', 'Mocha', 'Chai', 'Cortado'], {
      minLength: 3,
      maxLength: 3,
    });
    const cents = fc.uniqueArray(fc.integer({ min: 101, max: 999 }), {
      minLength: 3,
      maxLength: 3,
    });
    fc.assert(
      fc.property(names, cents, fc.nat(say.length - 1), (items, prices, shape) => {
        const rows = items.map((item, i) => ({ item, price: (prices[i] ?? 0) / 100 }));
        const shown = rows.map(({ price }) => `$${price.toFixed(2)}`);
        const [x = '', y = '', z = ''] = shown;
        const sentenceOf = say[shape] ?? String;
        expect(flagged(sentenceOf(items, shown), rows)).toEqual([]);
        expect(flagged(sentenceOf(items, [y, x, z]), rows)).toEqual([y, x]);
      }),
      { numRuns: 60 },
    );
  });
});

describe('INT-2 a record applies to the next sentences', () => {
  const hosts = [
    { host: 'web-1', disk: 91.4, cpu: 12.5 },
    { host: 'web-2', disk: 45.7, cpu: 22.5 },
  ];
  test.each<[string, readonly string[]]>([
    ['web-1 has a disk at 91.4. Its cpu is at 12.5.', []],
    ['web-1 has a disk at 91.4. Its cpu is at 22.5.', ['22.5']],
    ['web-1 has a disk at 91.4. Another host has a cpu of 22.5.', []],
    ['web-1 has a disk at 91.4. The highest cpu is 22.5.', []],
    ['web-1 has a disk of 12.5 and a cpu of 91.4.', ['12.5', '91.4']],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, hosts)).toEqual(expected);
  });
});

describe('INT-2 percentiles with one unit', () => {
  const routes = [
    { route: '/a', p50_ms: 12, p95_ms: 120, p99_ms: 340 },
    { route: '/b', p50_ms: 15, p95_ms: 180, p99_ms: 510 },
  ];
  test.each<[string, readonly string[]]>([
    ['The p99 of /a is 340 ms and its p95 is 120 ms.', []],
    ['The p99 of /a is 120 ms.', ['120']],
    ['The p95 is 510 ms.', ['510']],
    ['It took 510 ms.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, routes)).toEqual(expected);
  });
});

describe('INT-2 neighbours in prose', () => {
  const letter =
    'Clients report a 35% increase in team productivity and a 50% reduction in project lead times.';
  test.each<[string, readonly string[]]>([
    ['Clients saw a 35% increase in productivity and a 50% reduction in lead times.', []],
    ['A 35% increase in productivity comes with a 50% reduction in lead times.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, letter)).toEqual(expected);
  });
});

describe('INT-18 INT-19 a second unit in brackets follows from the figure before it, or is in no source', () => {
  const measured = [
    { name: 'a', temp_c: 18.5, span_km: 10, mass_kg: 4.5, wind_kmh: 21.6, took_ms: 1500 },
  ];
  test.each<[string, string]>([
    ['It is 18.5 °C (65.3 °F).', 'derived'],
    ['It is 18.5°C (65°F).', 'derived'],
    ['It is 18.5 °C (75.3 °F).', 'unsourced'],
    ['It spans 10 km (6.2 miles).', 'derived'],
    ['It spans 10 km (16.1 miles).', 'unsourced'],
    ['It weighs 4.5 kg (9.9 lb).', 'derived'],
    ['It weighs 4.5 kg (2.04 lb).', 'unsourced'],
    ['It blows at 21.6 km/h (6 m/s).', 'derived'],
    ['It blows at 21.6 km/h (13.4 mph).', 'derived'],
    ['It blows at 21.6 km/h (34.8 mph).', 'unsourced'],
  ])('%s', (answer, expected) => {
    expect(statusesOf(answer, measured)).toEqual(['sourced', expected]);
  });
});
