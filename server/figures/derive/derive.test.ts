import { describe, expect, test } from 'vitest';
import { processorMs } from '../../../testing/processor-time';
import type { Source } from '../../domain';
import { scanFigures } from '../scan';
import { SourceIndex } from '../source-index';
import { contextOf, derive, type Derivation } from './index';

const json = (value: unknown, id = 'tc1'): Source => ({
  id,
  label: 'disk',
  format: 'json',
  text: JSON.stringify(value),
});
const text = (content: string, id = 'ctx1'): Source => ({
  id,
  label: 'context',
  format: 'text',
  text: content,
});

/** How the figure `wanted` of an answer is derived, the last one that has this text. */
function deriveIn(answer: string, wanted: string, ...sources: Source[]): Derivation | null {
  const figures = scanFigures(answer);
  const index = new SourceIndex(sources);
  const placed = figures.map((each) => ({
    figure: each,
    item: index.find(each.reading)?.items[0] ?? null,
  }));
  const at = figures.findLastIndex((figure) => figure.text === wanted);
  const figure = figures[at];
  if (figure === undefined) throw new Error(`no figure ${wanted} in ${answer}`);
  return derive(figure, contextOf(answer, placed, at), index);
}

const disks = json({
  rows: [
    { host: 'web-1', free_gb: 12, price_usd: 100, disk_pct: 91.4, share: 0.914 },
    { host: 'web-2', free_gb: 25, price_usd: 50.5, disk_pct: 40, share: 0.4 },
    { host: 'web-3', free_gb: 40, price_usd: 20, disk_pct: 62, share: 0.62 },
  ],
});
const table = text(
  '# unit: people\ndate,cases,"tests done"\n2020-04-01,120,1000\n2020-04-02,130,1250\n2020-04-03,161,900\n',
);
const flights = json([
  { flight: 'HAT1', price: 129 },
  { flight: 'HAT2', price: 151 },
  { flight: 'HAT3', price: 68 },
]);

describe('INT-19 figures that follow from a whole column', () => {
  test.each<[string, string, Source, string | null]>([
    ['In total 77 GB are free.', '77', disks, 'sum(rows[*].free_gb) = 77'],
    ['The free space is 77 GB altogether.', '77', disks, 'sum(rows[*].free_gb) = 77'],
    ['Prices add up to $170.50.', '$170.50', disks, 'sum(rows[*].price_usd) = $170.50'],
    ['Prices add up to €170.50.', '€170.50', disks, null],
    ['On average 25.7 GB are free.', '25.7', disks, 'average(rows[*].free_gb) ≈ 25.666667'],
    ['On average 25.6 GB are free.', '25.6', disks, null],
    ['The average disk is 64% full.', '64%', disks, 'average(rows[*].disk_pct) ≈ 64.466667'],
    ['The mean share is 64.5%.', '64.5%', disks, 'average(rows[*].share) ≈ 64.466667%'],
    ['The highest disk usage is 91.4%.', '91.4%', disks, 'max(rows[*].disk_pct) = 91.4%'],
    ['The lowest price is $20.', '$20', disks, 'min(rows[*].price_usd) = $20'],
    ['There were 411 cases in total.', '411', table, 'sum(column "cases") = 411'],
    ['On average there were 137 cases a day.', '137', table, 'average(column "cases") = 137'],
    [
      'Of the tests done, 1,050 a day on average.',
      '1,050',
      table,
      'average(column "tests done") = 1,050',
    ],
    ['The three prices make 348 in total.', '348', flights, 'sum([*].price) = 348'],
    // without a word for it: whole sums alone, and only where the column is named
    ['Free space: 77 GB.', '77', disks, null],
    ['Cases: 411.', '411', table, 'sum(column "cases") = 411'],
    ['Something: 411.', '411', table, null],
    ['Cases: 137.', '137', table, null],
    // chance matches: one digit, and a meaningless name
    ['The total of the seats is 5.', '5', json([{ seats: 2 }, { seats: 3 }]), null],
    ['Value: 411.', '411', text('date,value\na,120\nb,130\nc,161'), null],
    // an object of objects, nested keys, a list of numbers
    [
      'Latency is 30 ms in total.',
      '30',
      json({ services: { a: { latency: 10 }, b: { latency: 20 } } }),
      'sum(services.*.latency) = 30',
    ],
    [
      'The average temperature is 11 °C.',
      '11',
      json({ list: [{ main: { temp: 10 } }, { main: { temp: 12 } }] }),
      'average(list[*].main.temp) = 11',
    ],
    ['The sizes total 60.', '60', json({ sizes: [10, 20, 30] }), 'sum(sizes[*]) = 60'],
    // names of places and rows are not amounts
    ['The ids total 30.', '30', json([{ id: 10 }, { id: 20 }]), null],
    ['In total 8,082 years.', '8,082', text('year,note\n2020,a\n2021,b\n2022,c\n2019,d'), null],
  ])('%s', (answer, figure, source, formula) => {
    expect(deriveIn(answer, figure, source)?.formula ?? null).toBe(formula);
  });

  test('INT-19 operands are the values themselves, with their places', () => {
    const index = new SourceIndex([disks]);
    const sum = deriveIn('In total 77 GB are free.', '77', disks);
    expect(sum?.operation).toBe('sum');
    expect(sum?.operands.map((item) => [index.placeOf(item).path, item.text])).toEqual([
      ['rows[0].free_gb', '12'],
      ['rows[1].free_gb', '25'],
      ['rows[2].free_gb', '40'],
    ]);
    expect(
      deriveIn('The highest disk usage is 91.4%.', '91.4%', disks)?.operands.map(
        ({ text: shown }) => shown,
      ),
    ).toEqual(['91.4']);
  });
});

describe('INT-19 figures that follow from others of the sentence', () => {
  test.each<[string, string, Source, string | null]>([
    ['web-1 has 12 GB and web-2 has 25 GB, together 37 GB.', '37', disks, '12 + 25 = 37'],
    ['web-2 (25 GB) has 13 GB more than web-1 (12 GB).', '13', disks, '25 − 12 = 13'],
    ['web-1 is at 91.4%, 51.4 points above web-2 (40%).', '51.4', disks, '91.4% − 40% = 51.4'],
    ['It rose from 12 to 25 GB, by 13 GB.', '13', disks, '25 − 12 = 13'],
    [
      'It rose from 12 to 25 GB, an increase of 108.3%.',
      '108.3%',
      disks,
      '(25 − 12) ÷ 12 ≈ 108.333333%',
    ],
    ['It fell from 40 to 25 GB, a change of -37.5%.', '-37.5%', disks, '(25 − 40) ÷ 40 = -37.5%'],
    ['12 of 40 GB are free (30%).', '30%', disks, '12 ÷ 40 = 30%'],
    ['web-2 has 25 GB, 2.1 times the 12 GB of web-1.', '2.1', disks, '25 ÷ 12 ≈ 2.083333'],
    ['12 GB is 15.6% of all free space.', '15.6%', disks, '12 ÷ sum(rows[*].free_gb) ≈ 15.584416%'],
    ['$100 + $50.50 = $150.50', '$150.50', disks, '$100 + $50.50 = $150.50'],
    [
      'The flights cost $129, $151 and $68, $348 in total.',
      '$348',
      flights,
      '$129 + $151 + $68 = $348',
    ],
    ['- HAT1: $129\n- HAT2: $151\nTotal: $280', '$280', flights, '$129 + $151 = $280'],
    [
      '- HAT1, 3 seats: $129\n- HAT2, 5 seats: $151\nTotal: $280',
      '$280',
      flights,
      '$129 + $151 = $280',
    ],
    ['It fell from 40 to 25 GB, an increase of 60%.', '60%', disks, '(40 − 25) ÷ 25 = 60%'],
    ['It was 40, then 25 GB, down 60%.', '60%', disks, null],
    ['It rose by 40 GB from 0.0002 to 40 GB.', '40', json([40, 0.0002]), null],
    ['- HAT1: $129\n- HAT2: $151\nDue: $280', '$280', flights, null],
    // no word for it, units that differ, figures without a source
    ['web-1 has 12 GB, web-2 has 25 GB, web-9 has 37 GB.', '37', disks, null],
    ['It is 12 °C at 25 km/h wind, together 37 °C.', '37', disks, null],
    ['A has 13 GB and B 24 GB, together 37 GB.', '37', disks, null],
    ['It rose from 12 to 25 GB, by 12.9 GB.', '12.9', disks, null],
    // years are not amounts, except for a span of years
    ['From 2012 to 2020 it rose by 8 GB.', '8', json({ a: [2012, 2020] }), null],
    [
      'From 2012 to 2020 it fell, 8 years longer.',
      '8',
      json({ a: [2012, 2020] }),
      '2020 − 2012 = 8',
    ],
  ])('%s', (answer, figure, source, formula) => {
    expect(deriveIn(answer, figure, source)?.formula ?? null).toBe(formula);
  });
});

describe('INT-19 counts of a whole list', () => {
  test.each<[string, string, Source, string | null]>([
    [
      '3 hosts are down.',
      '3',
      json({ hosts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
      'count(hosts[*]) = 3',
    ],
    [
      '2 hosts are down.',
      '2',
      json({ hosts: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] }),
      null,
    ],
    [
      'The number of open tickets is 2.',
      '2',
      json({ tickets: ['x', 'y'], other: [1] }),
      'count(tickets[*]) = 2',
    ],
    ['It returned 3 rows.', '3', disks, 'count(rows[*]) = 3'],
    ['There are 3 entries.', '3', table, 'count(rows) = 3'],
    ['It took 3 days.', '3', disks, null],
    ['3.0 rows', '3.0', disks, null],
    ['No 0 rows.', '0', json({ rows: [] }), null],
  ])('%s', (answer, figure, source, formula) => {
    expect(deriveIn(answer, figure, source)?.formula ?? null).toBe(formula);
  });
});

/** Per turn, on a loaded two-core machine. */
const BOUND_MS = 2_000;

describe('R-102 hostile sources cost a bounded time', () => {
  const numbers = (count: number, of: (i: number) => unknown) =>
    Array.from({ length: count }, (_, i) => of(i));
  const hostile: readonly (readonly [string, Source])[] = [
    ['100,000 rows', json(numbers(100_000, (i) => ({ a: i, b: i * 1.5 })))],
    [
      '20,000 columns',
      json(
        numbers(2, () =>
          Object.fromEntries(numbers(20_000, (i) => [`k${i}`, i]) as [string, unknown][]),
        ),
      ),
    ],
    ['huge exponents', text(`[${numbers(20_000, (i) => `1e${i * 7_919}`).join(',')}]`)],
    ['long numbers', text(`[${numbers(300, () => '9'.repeat(5_000)).join(',')}]`)],
    ['many denominators', text(`[${numbers(20_000, (i) => `1e-${i % 60}`).join(',')}]`)],
    ['long keys', json(numbers(2_000, (i) => ({ [`${'x'.repeat(1_000)}`]: i })))],
    ['nested lists', text(`${'['.repeat(60)}1,2${']'.repeat(60)}`)],
    ['200,000 nested lists', text('['.repeat(200_000) + ']'.repeat(200_000))],
    ['prototype keys', text('[{"__proto__":1,"constructor":2},{"__proto__":3,"constructor":4}]')],
    ['a table of commas', text('a,b\n' + '1,2\n'.repeat(60_000))],
  ];

  test.each(hostile)(
    'R-102 %s',
    (_, source) => {
      const answer = numbers(
        2_000,
        (i) => `${i + 7.25} points on average, a total, the highest, 3 rows, 30% more of`,
      ).join(' ');
      const measure = (): number => {
        const index = new SourceIndex([source]);
        index.read();
        const placed = scanFigures(answer).map((figure) => ({
          figure,
          item: index.find(figure.reading)?.items[0] ?? null,
        }));
        return processorMs(() => {
          for (const [i, { figure }] of placed.entries())
            derive(figure, contextOf(answer, placed, i), index);
        });
      };
      // Processor time includes collecting the garbage of other tests in this process: the minimum
      // of three runs is the code's own.
      let leastMs = measure();
      for (let run = 1; run < 3 && leastMs >= BOUND_MS; run++)
        leastMs = Math.min(leastMs, measure());
      expect(leastMs).toBeLessThan(BOUND_MS);
    },
    30_000,
  );

  test('R-89 keys named like prototypes are columns like any other', () => {
    const source = text('{"rows":[{"__proto__":10},{"__proto__":20}]}');
    expect(deriveIn('The rows total 30.', '30', source)?.formula).toBe(
      'sum(rows[*].__proto__) = 30',
    );
  });
});
