import { describe, expect, test } from 'vitest';
import type { Figure, Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

const json = (value: unknown): Source => ({
  id: 'tc1',
  label: 'tool',
  format: 'json',
  text: JSON.stringify(value),
});
const text = (value: string): Source => ({
  id: 'tc1',
  label: 'context',
  format: 'text',
  text: value,
});

function trace(answer: string, source: Source): readonly Figure[] {
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer), answer, index).map((found) => figureOf(found, index));
}

/**
 * Each number of the answer with its status, and the place that the sentence refers to, if it
 * differs.
 */
function statuses(answer: string, source: Source): readonly string[] {
  return trace(answer, source).map(
    ({ text: shown, status, expected }) =>
      `${shown} ${status}${expected ? ` ${expected.value}` : ''}`,
  );
}

const forecast = json({
  list: [
    {
      dt: '2024-01-04 08:00:00',
      main: { temp: -7.85, feels_like: -9.02, pressure: 1019 },
      wind: { speed: 0.59, gust: 0.8 },
    },
    {
      dt: '2024-01-04 14:00:00',
      main: { temp: 1.11, feels_like: -1.4, pressure: 1010 },
      wind: { speed: 0.93, gust: 2.93 },
    },
    {
      dt: '2024-01-05 08:00:00',
      main: { temp: -10.06, feels_like: -12.5, pressure: 1026 },
      wind: { speed: 0.84, gust: 0.82 },
    },
    {
      dt: '2024-01-06 08:00:00',
      main: { temp: -9.63, feels_like: -9.7, pressure: 1025 },
      wind: { speed: 0.81, gust: 0.92 },
    },
  ],
});
const series = text(
  '# unit: R\ndate,value\n2020-03-12,0.88\n2020-04-10,2.65\n2020-05-10,1.4\n2020-07-01,0.9\n2021-01-05,0.7\n2021-06-01,1.2\n2022-01-03,0.74\n',
);

describe('INT-2 the place that a sentence points at', () => {
  test.each<[string, string, readonly string[]]>([
    [
      'date',
      'On January 5th the temperature is -10.06°C.',
      ['January 5th sourced', '-10.06°C sourced'],
    ],
    [
      'date of another row',
      'On January 5th the temperature is -7.85°C.',
      ['January 5th sourced', '-7.85°C misattributed -10.06'],
    ],
    [
      'ordinal',
      'On the second day, the temperature will be -7.85°C.',
      ['-7.85°C misattributed -10.06'],
    ],
    ['ordinal', 'On the first day, the temperature will be -7.85°C.', ['-7.85°C sourced']],
    ['weekday', 'On Friday the temperature will be -10.06°C.', ['-10.06°C sourced']],
    ['weekday', 'On Saturday the temperature will be -10.06°C.', ['-10.06°C misattributed -9.63']],
    [
      'sentence before',
      'On January 5th it is clear. The wind speed will be 0.59 m/s.',
      ['January 5th sourced', '0.59 misattributed 0.84'],
    ],
    [
      'date behind',
      'The wind speed is 0.84 m/s on January 5th.',
      ['0.84 sourced', 'January 5th sourced'],
    ],
    [
      'label',
      'The wind speed on January 4th is 0.8 m/s.',
      ['January 4th sourced', '0.8 misattributed 0.59'],
    ],
    [
      'quantity that no key names',
      'On January 4th the humidity is 1019.',
      ['January 4th sourced', '1019 misattributed'],
    ],
    ['superlative', 'The highest gust is 0.92 m/s.', ['0.92 misattributed 2.93']],
    ['superlative', 'The highest gust is 2.93 m/s.', ['2.93 sourced']],
    [
      'no row of that date',
      'On January 6th, 2025 the temperature is 1.11°C.',
      ['January 6th, 2025 unsourced', '1.11°C misattributed'],
    ],
    ['nothing speaks against it', 'We saw 1.11 and 1026.', ['1.11 sourced', '1026 sourced']],
  ])('%s: %s', (_, answer, expected) => {
    const got = statuses(answer, forecast).map((each) => each.replace(/ m\/s/u, ''));
    expect(got).toEqual(expected);
  });

  test.each<[string, readonly string[]]>([
    ['R was 0.88 in March 2020.', ['0.88 sourced', 'March 2020 sourced']],
    ['R was 0.74 in March 2020.', ['0.74 misattributed 0.88', 'March 2020 sourced']],
    ['R ranged from 0.7 to 2.65.', ['0.7 sourced', '2.65 sourced']],
    ['R ranged from 0.88 to 2.65.', ['0.88 misattributed 0.7', '2.65 sourced']],
    [
      'The chart shows R from March 2020 to January 2022.',
      ['March 2020 sourced', 'January 2022 sourced'],
    ],
    [
      'The chart shows R from March 2020 to June 2021.',
      ['March 2020 sourced', 'June 2021 misattributed 0.74'],
    ],
    ['R peaked in April 2020.', ['April 2020 sourced']],
    ['R peaked in June 2021.', ['June 2021 misattributed 2.65']],
    ['From May to July 2020, R was 1.4.', ['July 2020 sourced', '1.4 sourced']],
    ['In 2021 R was over 1.', ['2021 sourced', '1 sourced']],
  ])('a series: %s', (answer, expected) => {
    expect(statuses(answer, series)).toEqual(expected);
  });

  test('figures in prose are distinguished by the words next to them', () => {
    const letter = text(
      'Installation and setup cost you a fee of $300 today.\nA replacement keyboard for the laptop computer sells at $40 per piece.',
    );
    expect(statuses('Installation and setup cost a fee of $300.', letter)).toEqual([
      '$300 sourced',
    ]);
    expect(statuses('Installation and setup cost a fee of $40.', letter)).toEqual([
      '$40 misattributed $300',
    ]);
  });

  test('a temperature in brackets repeats the one before it', () => {
    expect(statuses('It is -10.06°C (14°F) on January 5th.', forecast)).toEqual([
      '-10.06°C sourced',
      '14°F derived',
      'January 5th sourced',
    ]);
  });

  test('the row that the sentence names', () => {
    const hosts = json({
      rows: [
        { host: 'web-1', state: 'up', disk: 91.4 },
        { host: 'web-2', state: 'up', disk: 40 },
      ],
    });
    expect(statuses('The disk of web-1 is at 91.4.', hosts)).toEqual(['91.4 sourced']);
    expect(statuses('The disk of web-2 is at 91.4.', hosts)).toEqual(['91.4 misattributed 40']);
    expect(statuses('The disk of web-9 is at 91.4.', hosts)).toEqual(['91.4 sourced']);
    expect(statuses('web-1 is at 91.4 and web-2 is at 40.', hosts)).toEqual([
      '91.4 sourced',
      '40 sourced',
    ]);
  });

  test.each<[string, readonly string[]]>([
    ['web-1 is at 40 and web-2 at 91.4.', ['40 misattributed 91.4', '91.4 misattributed 40']],
    ['web-1 is at 91.4, while web-2 is only at 40.', ['91.4 sourced', '40 sourced']],
    ['There is 91.4 on web-1 and 40 on web-2.', ['91.4 sourced', '40 sourced']],
    ['web-1 has 91.4, 40 on web-2.', ['91.4 sourced', '40 sourced']],
    ['web-1 and web-2 are at 91.4 and 40.', ['91.4 sourced', '40 sourced']],
    ['Compared with web-1, web-2 is at 91.4.', ['91.4 sourced']],
    [
      'db-1 is at 7; then 91.4 on web-1, and 40 on web-2 by now.',
      ['7 sourced', '91.4 sourced', '40 sourced'],
    ],
  ])('names and figures that take turns: %s', (answer, expected) => {
    const rows = [
      { host: 'web-1', disk: 91.4 },
      { host: 'web-2', disk: 40 },
      { host: 'db-1', disk: 7 },
    ];
    expect(statuses(answer, json({ rows }))).toEqual(expected);
  });

  test.each<[string, readonly string[]]>([
    ['Q1 2024 had 310 customers.', ['2024 sourced', '310 sourced']],
    ['Q1 2024 had 355 customers.', ['2024 sourced', '355 misattributed 310']],
    ['Customers: 310 in Q1 2024.', ['310 sourced', '2024 sourced']],
    ['There were 2024 customers.', ['2024 misattributed 310']],
  ])('a number of a name that is written out: %s', (answer, expected) => {
    const quarters = [
      { q: 'Q1 2024', customers: 310 },
      { q: 'Q2 2024', customers: 355 },
    ];
    expect(statuses(answer, json({ quarters }))).toEqual(expected);
  });

  test('words after the next figure belong to that one', () => {
    const rows = [
      { host: 'web-1', disk_pct: 91.4, free_gib: 17.2, total_gib: 200 },
      { host: 'web-2', disk_pct: 45.7, free_gib: 108.6, total_gib: 200 },
    ];
    expect(statuses('web-1 is at 91.4% and has 33 GiB.', json({ rows }))).toEqual([
      '91.4% sourced',
      '33 unsourced',
    ]);
    expect(statuses('web-1 has 91.4 GiB free.', json({ rows }))).toEqual([
      '91.4 misattributed 17.2',
    ]);
  });

  test('a name quoted next to the name of another row refers to its own row', () => {
    const rows = [
      { host: 'web-1', state: 'level 5', free: '7 GiB' },
      { host: 'web-2', state: 'level 3', free: '9 GiB' },
    ];
    expect(statuses('web-1 is at level 5 with 7 GiB.', json({ rows }))).toEqual([
      '5 sourced',
      '7 sourced',
    ]);
    expect(statuses('web-2 is at level 5 with 9 GiB.', json({ rows }))).toEqual([
      '5 misattributed 3',
      '9 sourced',
    ]);
    expect(statuses('web-2 has 7 GiB.', json({ rows }))).toEqual(['7 misattributed 9']);
  });

  test.each<[string, readonly string[]]>([
    [
      'On January 6th the temperature is -9.63°C; the day before, -10.06°C.',
      ['January 6th sourced', '-9.63°C sourced', '-10.06°C sourced'],
    ],
    [
      'On January 5th it is -10.06°C. The next day it is -9.63°C.',
      ['January 5th sourced', '-10.06°C sourced', '-9.63°C sourced'],
    ],
    ['On January 5th it is -9.63°C.', ['January 5th sourced', '-9.63°C misattributed -10.06']],
  ])('a day that is told by the one before: %s', (answer, expected) => {
    expect(statuses(answer, forecast)).toEqual(expected);
  });

  test.each<[string, readonly string[]]>([
    ['web-1 has 438.5 GiB free.', ['438.5 sourced']],
    ['web-1 has 438.5 GB free.', ['438.5 sourced']],
    ['web-1 has 438.5 TiB free.', ['438.5 misattributed']],
    ['web-1 has 438.5 MB free.', ['438.5 misattributed']],
    ['web-1 answers in 312 ms.', ['312 sourced']],
    ['web-1 answers in 312 s.', ['312 misattributed']],
    ['web-1 has been up for 36 hours.', ['36 sourced']],
    ['web-1 has been up for 36 days.', ['36 misattributed']],
    ['web-1 has been up for 36.', ['36 sourced']],
    ['web-1 waits 5 s at least.', ['5 sourced']],
  ])('the unit that a name ends in: %s', (answer, expected) => {
    const rows = [{ host: 'web-1', free_gib: 438.5, p95_ms: 312, uptime_hours: 36, wait_min: 5 }];
    expect(statuses(answer, json({ rows }))).toEqual(expected);
  });

  test('R-94 prototype keys are names like others', () => {
    expect(
      statuses(
        'It is 41.',
        json({ rows: [{ __proto__x: 41, constructor: 2 }, { constructor: 41 }] }),
      ),
    ).toEqual(['41 sourced']);
  });
});
