import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../../domain';
import { figureOf, scanFigures, SourceIndex, traceFigures } from '..';

/** The figures of an answer that are not sourced. */
function flagged(answer: string, value: unknown): readonly string[] {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const source: Source = {
    id: 'tc1',
    label: 'tool',
    format: typeof value === 'string' ? 'text' : 'json',
    text,
  };
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer, [source]), answer, index)
    .map((found) => figureOf(found, index))
    .flatMap(({ text: shown, sourced }) => (sourced ? [] : [shown]));
}

type Lines = readonly (readonly [answer: string, expected: readonly string[]])[];

describe('INT-18 amounts in the scale of a head', () => {
  const table = (head: string): string =>
    `| ${head} | FY2023 |\n| --- | --- |\n| Revenue | 1,397.2 |\n| Debt | 355.5 |`;
  test.each<readonly [string, Lines[number][0], readonly string[]]>([
    ['USD million', 'Revenue was $1,397.2 million.', []],
    ['USD million', 'Revenue was $1.40 billion.', []],
    ['in millions', 'Debt was €355.5m.', []],
    ['$ thousands', 'Debt was $355.5 thousand.', []],
    ['$ thousands', 'Revenue was $1.4 million.', []],
    ['USD million', 'Revenue was $1,397.2 billion.', ['$1,397.2 billion']],
    ['USD million', 'Revenue was $1.39 billion.', ['$1.39 billion']],
    ['USD', 'Revenue was $1,397.2 million.', ['$1,397.2 million']],
  ])('%s: %s', (head, answer, expected) => {
    expect(flagged(answer, table(head))).toEqual(expected);
  });

  test('a scale that no head names is never taken', () => {
    const scales = [
      ['thousand', 3],
      ['million', 6],
      ['billion', 9],
    ] as const;
    fc.assert(
      fc.property(fc.constantFrom(...scales), fc.constantFrom(...scales), ([head], [stated]) => {
        const expected = head === stated ? [] : [`$355.5 ${stated}`];
        expect(flagged(`Debt was $355.5 ${stated}.`, table(`USD ${head}`))).toEqual(expected);
      }),
    );
  });
});

describe('INT-21 numbers that a source has as part of a name', () => {
  const source = {
    weeks: [{ week: '2024-W18', hours: 38 }],
    seats_2020: 7,
    seats_2024: 11,
    p95_ms: 176,
  };
  test.each<Lines[number]>([
    ['In week 18 it was 38.', []],
    ['In week 17 it was 38.', ['17']],
    ['It went from 7 in 2020 to 11 in 2024.', []],
    ['It went from 7 in 2019 to 11.', ['2019']],
    ['It answers 95% within 176 ms.', []],
    ['It answers 99% within 176 ms.', ['99%']],
    ['95% of all are good.', ['95%']],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, source)).toEqual(expected);
  });

  test('a year that dates a row stays a figure', () => {
    const rows = [
      { id: 'run-2021', year: 2021, cost: 40 },
      { id: 'run-2022', year: 2022, cost: 55 },
    ];
    expect(flagged('The cost was 40 in 2022.', rows)).toEqual(['40']);
  });
});

const months = ['2023-06', '2023-07', '2023-08', '2023-09'].map((month, i) => ({
  month,
  visitors: [58870, 50645, 47315, 39001][i],
}));

describe('INT-2 lists of values and of dates', () => {
  test.each<Lines[number]>([
    ['Between June and August the visitors moved from 58,870 to 47,315.', []],
    ['Between June and August the visitors moved from 47,315 to 58,870.', ['47,315', '58,870']],
    ['The visitors came to 58,870 and 50,645 in June and in July, respectively.', []],
    [
      'The visitors came to 50,645 and 58,870 in June and in July, respectively.',
      ['50,645', '58,870'],
    ],
    ['The visitors came to 58,870 and 47,315 in June 2023 and in August 2023.', []],
    ['Between June and September the visitors ranged from 39,001 to 58,870.', []],
  ])('%s', (answer, expected) => {
    expect(flagged(answer, months)).toEqual(expected);
  });

  test('each value belongs to the date of its place', () => {
    const names = ['June', 'July', 'August', 'September'];
    const pair = fc.tuple(fc.nat(3), fc.nat(3), fc.boolean()).filter(([a, b]) => a !== b);
    fc.assert(
      fc.property(pair, ([a, b, exchanged]) => {
        const shown = [months[a], months[b]].map((row) =>
          (row?.visitors ?? 0).toLocaleString('en'),
        );
        if (exchanged) shown.reverse();
        const answer = `The visitors came to ${shown.join(' and ')} in ${names[a]} and in ${names[b]}, respectively.`;
        expect(flagged(answer, months)).toEqual(exchanged ? shown : []);
      }),
      { numRuns: 24 },
    );
  });
});

describe('INT-2 names and words of columns', () => {
  const quarters = [
    { quarter: 'Q3', peak_kw: 9.4, high: 31 },
    { quarter: 'Q4', peak_kw: 8.8, high: 12 },
  ];
  const districts = [
    { district: 'Northgate', winner: 'Labour', labour_pct: 44.9, centre_pct: 33.4 },
    { district: 'Millfield', winner: 'Centre', labour_pct: 30.2, centre_pct: 52.9 },
  ];
  const groups = [
    { group: 'control', order_usd: 38.2, conversions: 561 },
    { group: 'green-button', order_usd: 37.65, conversions: 638 },
    { group: 'short-form', order_usd: 36.9, conversions: 709 },
  ];
  const soils = [
    { station: 'Summit', snow_mm: 766 },
    { station: 'Valley', snow_mm: 793 },
  ];
  const votes = [
    { district: 'Northgate', votes_cast: 29441 },
    { district: 'Harbour', votes_cast: 22998 },
  ];
  test.each<readonly [string, readonly string[], unknown]>([
    ['The peak load of Q4 was 8.8 kW.', [], quarters],
    ['The highest peak was 8.8 kW.', ['8.8'], quarters],
    ['Labour won Northgate with 44.9%, ahead of Centre (33.4%).', [], districts],
    ['Labour won Northgate with 30.2%.', ['30.2%'], districts],
    ['Green-button had 638 conversions against 561.', [], groups],
    ['Green-button had 561 conversions.', ['561'], groups],
    [
      'An order was $38.20 in the control, $37.65 with the green button, and $36.90 with the short form.',
      [],
      groups,
    ],
    ['An order was $37.65 with the short form.', ['$37.65'], groups],
    ['The snow depth in Valley is 793 mm.', [], soils],
    ['The water depth in Valley is 793 mm.', ['793'], soils],
    ['Nearly 30,000 people voted in Northgate, just under 23,000 in Harbour.', [], votes],
    ['Nearly 23,000 people voted in Northgate.', ['23,000'], votes],
  ])('%s', (answer, expected, source) => {
    expect(flagged(answer, source)).toEqual(expected);
  });
});
