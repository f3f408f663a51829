import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

/** The figures of an answer that are not sourced. */
function flagged(answer: string, value: unknown): readonly string[] {
  const isText = typeof value === 'string';
  const text = isText ? value : JSON.stringify(value);
  const source: Source = { id: 'tc1', label: 'tool', format: isText ? 'text' : 'json', text };
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer, [source]), answer, index)
    .map((found) => figureOf(found, index))
    .flatMap(({ text: shown, sourced }) => (sourced ? [] : [shown]));
}

type Lines = readonly (readonly [answer: string, expected: readonly string[]])[];

describe('INT-18 dates and times as values', () => {
  const bills = [
    { number: 'A-71x', issued: '2024-02-01', due: '2024-03-02', open: true },
    { number: 'B-72x', issued: '2024-02-05', due: '2024-03-06', open: false },
    { number: 'C-73x', issued: '2024-02-12', due: '2024-03-13', open: true },
  ];
  test.each<Lines[number]>([
    ['B-72x was issued on 5 February 2024 and is due on 6 March 2024.', []],
    ['B-72x was issued on 5 February 2024 and is due on 2 March 2024.', ['2 March 2024']],
    ['B-72x was issued on 6 March 2024.', ['6 March 2024']],
    ['A-71x is due on 2 March, and C-73x is due on 13 March.', []],
    ['A-71x is due on 13 March, and C-73x is due on 2 March.', ['13 March', '2 March']],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, bills)).toEqual(expected);
  });

  test('a line of a list takes no name of a date from the line that opens it', () => {
    const flights = [
      {
        flight: 'HAT136',
        scheduled_departure_time_est: '19:00',
        scheduled_arrival_time_est: '21:30',
      },
      {
        flight: 'HAT039',
        scheduled_departure_time_est: '22:00',
        scheduled_arrival_time_est: '03:00',
      },
    ];
    const answer = '1. **HAT136**:\n   - Departure: 07:00 PM EST\n   - Arrival: 09:30 PM EST';
    expect(flagged(answer, flights)).toEqual([]);
  });

  test('any date of another row is flagged', () => {
    const rows = bills.length;
    fc.assert(
      fc.property(
        fc.nat(rows - 1),
        fc.nat(rows - 1),
        fc.constantFrom('issued', 'due'),
        (a, b, key) => {
          const [named, shown] = [bills[a], bills[b]];
          const day = key === 'due' ? shown?.due : shown?.issued;
          const found = flagged(`${named?.number ?? ''} was ${key} on ${day ?? ''}.`, bills);
          expect(found).toEqual(a === b ? [] : [day]);
        },
      ),
      { seed: 23, numRuns: 60 },
    );
  });
});

describe('INT-18 lists of one quantity', () => {
  const marks = [
    { name: 'Ada Lund', maths: 91, physics: 88 },
    { name: 'Ben Okoro', maths: 67, physics: 72 },
    { name: 'Cho Min', maths: 95, physics: 97 },
    { name: 'Dee Ruiz', maths: 58, physics: 61 },
  ];
  test.each<Lines[number]>([
    ['Ada got 91, Ben 67, Cho 95 and Dee 58.', []],
    ['Ada got 91, Ben 67, Cho 95 and Dee 61.', ['61']],
    ['- Ada Lund: 88\n- Ben Okoro: 72\n- Cho Min: 95\n- Dee Ruiz: 61', ['95']],
    ['- Ada Lund: 88\n- Ben Okoro: 72\n- Cho Min: 97\n- Dee Ruiz: 61', []],
    ['Ada got 88 in physics and 91 in maths.', []],
    ['Ada got 91 in physics.', ['91']],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, marks)).toEqual(expected);
  });

  test('of any list the one figure of another column is flagged', () => {
    const mark = fc.integer({ min: 100, max: 999 });
    const table = fc.uniqueArray(mark, { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(table, fc.nat(3), (values, odd) => {
        const rows = ['Alma', 'Bodo', 'Cira', 'Dora'].map((name, i) => ({
          name,
          speed: values[i],
          reach: values[i + 4],
        }));
        const shown = rows.map(
          ({ name, speed, reach }, i) => `${name}: ${i === odd ? reach : speed}`,
        );
        expect(flagged(shown.map((line) => `- ${line}`).join('\n'), rows)).toEqual([
          String(rows[odd]?.reach),
        ]);
        const right = rows.map(({ name, speed }) => `- ${name}: ${speed}`).join('\n');
        expect(flagged(right, rows)).toEqual([]);
      }),
      { seed: 23, numRuns: 100 },
    );
  });
});

describe('INT-18 logs of key=value lines', () => {
  const log = [
    '2024-05-13T01:00:00Z INFO [nightly-311] started',
    '2024-05-13T01:42:00Z INFO [nightly-311] finished minutes=42 rows=184203 failed=17 mb=39',
    '2024-05-14T01:47:00Z INFO [nightly-312] finished minutes=47 rows=191870 failed=0 mb=49',
    '2024-05-15T02:31:00Z INFO [nightly-313] finished minutes=91 rows=187455 failed=2304 mb=73',
  ].join('\n');
  test.each<Lines[number]>([
    ['nightly-312 had 191,870 rows and took 47 minutes.', []],
    ['nightly-312 had 187,455 rows.', ['187,455']],
    ['nightly-312 finished at 01:47.', []],
    ['nightly-312 finished at 01:42.', ['01:42']],
    ['nightly-311 loaded nearly 50 MB.', ['50']],
    ['nightly-312 loaded nearly 50 MB.', []],
    ['On 14 May 2024, 184,203 rows were read.', ['184,203']],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, log)).toEqual(expected);
  });
});

describe('INT-18 columns of years, previous values and units next to a value', () => {
  const report =
    '| USD million | FY2022 | FY2023 |\n| --- | --- | --- |\n| Revenue | 1,284.6 | 1,397.2 |\n| Debt | 410.0 | 355.5 |';
  const labs = [
    { test: 'potassium', value: 4.3, unit: 'mmol/L', previous: 4.6 },
    { test: 'protein', value: 27, unit: 'mg/L', previous: 31 },
  ];
  test.each<readonly [answer: string, source: unknown, expected: readonly string[]]>([
    ['In FY2023 revenue was $1,397.2 million and debt $355.5 million.', report, []],
    ['In FY2023 revenue was $1,397.2 million and debt $410.0 million.', report, ['$410.0 million']],
    ['Revenue rose from $1,284.6 million in FY2022 to $1,397.2 million in FY2023.', report, []],
    ['Potassium is 4.3 mmol/L; it was 4.6 before.', labs, []],
    ['Potassium is normal at 4.6 mmol/L.', labs, ['4.6']],
    ['Potassium is 4.6 mmol/L; it was 4.3 before.', labs, ['4.6', '4.3']],
    ['Protein is 27 mg/L.', labs, []],
    ['Protein is 27 mg/dL.', labs, ['27']],
  ])('%s', (answer, source, expected) => {
    expect(flagged(answer, source).map((text) => text.replace(/ m(?:mol|g)\/d?L$/u, ''))).toEqual(
      expected,
    );
  });
});
