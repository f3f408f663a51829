import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Source } from '../domain';
import { scanFigures } from './scan';
import { SourceIndex } from './source-index';
import { figureOf, traceFigures } from './trace';

const figures = (text: string, ...sources: string[]): readonly string[] =>
  scanFigures(
    text,
    sources.map((each) => ({ text: each })),
  ).map((figure) => figure.text);
const values = (text: string): readonly string[] => scanFigures(text).map(({ value }) => value);

function isSourced(answer: string, text: string): boolean {
  const source: Source = { id: 'tc1', label: 'tool', format: 'json', text };
  const index = new SourceIndex([source]);
  return traceFigures(scanFigures(answer), answer, index).every(
    (found) => figureOf(found, index).sourced,
  );
}

describe('INT-21 numbering, and what counts at the beginning of a heading or line', () => {
  test.each<[string, readonly string[]]>([
    ['## 3 Hosts Are Down', ['3']],
    ['# 12 Servers Failed In May', ['12']],
    ['## 3.5 Million Users', ['3.5 Million']],
    ['## Revenue Grew 12% In Oslo', ['12%']],
    ['## 1 Results\n## 2 Outlook', []],
    ['## 2 Results\n### 2.1 Hosts\n### 2.2 Pods\n## 3 Outlook', []],
    ['## 4. Hosts\n## Step 7 Restart', []],
    ['5) Restart web', []],
    ['5) Restart 3 hosts', ['3']],
    ['Steps: 1) stop it 2) start 4 pods 3) wait', ['4']],
    ['Do this: (1) stop, (2) start.', []],
    ['All is well. 5) Restart it.', []],
    ['Failures (1) rose and errors (2) fell', ['1', '2']],
    ['(see the table of web 2) below', ['2']],
    ['**Step 5:** restart 3 pods', ['3']],
    ['the total of all rows was\n42. It then fell', ['42']],
    ['- a\n\n42. It is numbered', []],
  ])('%s', (text, expected) => {
    expect(figures(text)).toEqual(expected);
  });

  test('a heading with a count is read, with any number and words', () => {
    const word = fc.constantFrom(
      'Hosts',
      'Key Findings',
      'Open Tickets',
      'Pods Failed',
      'Days Lost',
    );
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 99 }), word, (n, words) => {
        expect(figures(`## ${n} ${words}`)).toEqual([String(n)]);
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 90 }), word, (n, words) => {
        expect(figures(`## ${n} ${words}\ntext\n## ${n + 1} Outlook`)).toEqual([]);
      }),
    );
  });
});

describe('INT-21 citation marks', () => {
  test.each<[string, readonly string[]]>([
    ['The disk is full [1].', []],
    ['The disk is full [12, 13]; so is web [1]-[3].', []],
    ['It is full.[^4] It is full【5†source】 and full [doc 6].', []],
    ['It is at 95% [7].', ['95%']],
    ['The load is [91].', ['91']],
    ['It reached [91] today.', ['91']],
    ['The values are: [1, 2].', ['1', '2']],
  ])('%s', (text, expected) => {
    expect(figures(text)).toEqual(expected);
  });

  test('any list of marks behind a statement, and any number that is announced', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 299 }), { minLength: 1, maxLength: 4 }),
        (marks) => {
          expect(figures(`The disk of web is full [${marks.join(', ')}].`)).toEqual([]);
          expect(figures(`The load was [${marks[0] ?? 1}].`)).toEqual([String(marks[0])]);
        },
      ),
    );
  });
});

describe('INT-21 standards, unless the sources give another number', () => {
  test.each([
    'ISO 8601',
    'RFC 9535',
    'IEEE 754',
    'ISO/IEC 27001:2022',
    'HTTP/2',
    'HTTP/1.1',
    'TLS 1.3',
    'OAuth 2.0',
    'UTF-8',
    'SHA-256',
  ])('%s', (name) => {
    expect(figures(`It follows ${name} since 5 days.`)).toEqual(['5']);
  });

  test.each<[string, string, readonly string[]]>([
    ['It speaks TLS 1.3.', '{"tls":"1.2"}', ['1.3']],
    ['It speaks TLS 1.3.', '{"tls_version":"1.3"}', []],
    ['It follows ISO 8602.', 'dates are in ISO 8601', ['8602']],
    ['It follows ISO 8601.', 'dates are in ISO 8601 and ISO 4217', []],
    ['It follows ISO 8601.', '{"disk":5}', []],
    ['HTTP errors rose to 12', '{}', ['12']],
    ['An RFC of 21 pages', '', ['21']],
    ['Wi-Fi 6 hosts', '', ['6']],
  ])('%s against %s', (text, source, expected) => {
    expect(figures(text, source)).toEqual(expected);
  });

  test('any number of any body; one that a source contradicts is a figure', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('ISO', 'RFC', 'IEEE', 'IEC', 'FIPS', 'PEP'),
        fc.integer({ min: 100, max: 99_999 }),
        (body, n) => {
          expect(figures(`See ${body} ${n}.`, `as in ${body} ${n}`)).toEqual([]);
          expect(figures(`See ${body} ${n}.`, `as in ${body} ${n + 1}`)).toEqual([String(n)]);
        },
      ),
    );
  });
});

describe('INT-21 code without a fence, and the prose next to it', () => {
  test.each<[string, readonly string[]]>([
    ['SELECT AVG(x) FROM t WHERE y < 1980', []],
    ['select count(*) from orders where total > 500', []],
    ['SELECT a FROM t WHERE b = 5; It has 93 rows.', ['93']],
    ['SELECT AVG(x) FROM t WHERE y < 1980\nThe average is 147.3.', ['147.3']],
    ['SELECT a\nFROM t\nWHERE b > 5\n  AND c IN (1,\n 2)\nThere are 7.', ['7']],
    ['insert into t (a, b) values (1, 2.5),\n(3, 4);\nThat adds 2 rows.', ['2']],
    ["UPDATE t SET a = 5, b = '6. x' WHERE c = 7", []],
    ['delete from t where id = 5;', []],
    ['WITH a AS (SELECT 1) SELECT * FROM a LIMIT 10', []],
    ['Action: SELECT name FROM t LIMIT 3', []],
    ['Select 3 items from the list.', ['3']],
    ['select 5 hosts from cluster', ['5']],
    ['Update 5 hosts, set the limit to 10.', ['5', '10']],
    ['Delete from the 7 rows 2.', ['7', '2']],
    ['$ docker run -p 8080:80 nginx', []],
    ['kubectl scale --replicas=3 deploy/web\nIt now has 4 pods.', ['4']],
    ['chmod 755 run.sh', []],
    ['$ 5 per host', ['$ 5']],
    ['docker uses 5 GB - more than before', ['5']],
    ['head counts rose by 12 -- a record', ['12']],
    ['const limit = 5;\nThe limit is 6.', ['6']],
    ['for (let i = 0; i < 10; i++) {', []],
    ['def scale(x, by=3):', []],
    ['return 5 items to the shop', ['5']],
    ['let us say 5 hosts;', ['5']],
    ['if (the load is over 90%)', ['90%']],
    ['disk_pct = 91', ['91']],
    ['{"disk": 91}', ['91']],
  ])('%s', (text, expected) => {
    expect(figures(text)).toEqual(expected);
  });

  test('statements made of any parts end where the sentence behind them begins', () => {
    const name = fc.constantFrom('orders', 'a.b', 'cars_data', '"t"');
    const list = fc.constantFrom(
      '*',
      'id',
      'a, b',
      'count(*)',
      'max(x) as m',
      'AVG(CAST(x AS INT))',
    );
    const tail = fc.constantFrom(
      '',
      ' where x > 5',
      ' order by 2',
      ' group by 1 limit 10',
      ' where y in (1, 2)',
    );
    const end = fc.constantFrom(';', ';\n', '\n\n', '\n');
    const style = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => text.toUpperCase(),
    );
    fc.assert(
      fc.property(
        list,
        name,
        tail,
        end,
        style,
        fc.integer({ min: 20, max: 999 }),
        (items, table, rest, close, write, n) => {
          expect(
            figures(`${write(`select ${items} from ${table}${rest}`)}${close} The answer is ${n}.`),
          ).toEqual([String(n)]);
        },
      ),
    );
  });
});

describe('INT-18 dates in other languages and orders', () => {
  const spell: readonly ((year: string, month: number, day: number) => string)[] = [
    (y, m, d) =>
      `${d}. ${'Januar Februar März April Mai Juni Juli August September Oktober November Dezember'.split(' ')[m - 1] ?? ''} ${y}`,
    (y, m, d) =>
      `le ${d} ${'janvier février mars avril mai juin juillet août septembre octobre novembre décembre'.split(' ')[m - 1] ?? ''} ${y}`,
    (y, m, d) =>
      `${d} de ${'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' ')[m - 1] ?? ''} de ${y}`,
    (y, m, d) =>
      `${d} ${'gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre'.split(' ')[m - 1] ?? ''} ${y}`,
    (y, m, d) =>
      `${d} de ${'janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro'.split(' ')[m - 1] ?? ''} de ${y}`,
    (y, m, d) =>
      `${d} ${'stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada grudnia'.split(' ')[m - 1] ?? ''} ${y}`,
    (y, m, d) =>
      `${d} ${'января февраля марта апреля мая июня июля августа сентября октября ноября декабря'.split(' ')[m - 1] ?? ''} ${y}`,
    (y, m, d) => `${y}年${m}月${d}日`,
    (y, m, d) => `${y}년 ${m}월 ${d}일`,
    (y, m, d) => `${String(m).padStart(2, '0')}/${String(d).padStart(2, '0')}/${y}`,
    (y, m, d) => `${String(d).padStart(2, '0')}/${String(m).padStart(2, '0')}/${y}`,
    (y, m, d) => `${String(d).padStart(2, '0')}.${String(m).padStart(2, '0')}.${y}`,
  ];

  test('any day is its ISO date, in an answer and in a source, and no other day is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1990, max: 2040 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 27 }),
        (year, month, day) => {
          const iso = (d: number): string =>
            `${year}-${String(month).padStart(2, '0')}-${String(d).padStart(2, '0')}`;
          for (const write of spell) {
            const written = write(String(year), month, day);
            expect([
              written,
              isSourced(`It was ${written}.`, JSON.stringify({ at: iso(day) })),
            ]).toEqual([written, true]);
            expect([
              written,
              isSourced(`It was ${iso(day)}.`, JSON.stringify({ at: written })),
            ]).toEqual([written, true]);
            // If day and month may be swapped, the next day may be a reading of the same text.
            const isOpen = day + 1 === month || day === month;
            const next = isSourced(`It was ${written}.`, JSON.stringify({ at: iso(day + 1) }));
            expect([written, isOpen ? false : next]).toEqual([written, false]);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  test.each<[string, readonly string[]]>([
    ['le 3 mai', ['--05-03']],
    ['le 1er mai', ['--05-01']],
    ['3. Mai 2024 war es', ['2024-05-03']],
    ['5月3日', ['--05-03']],
    ['03.05.24', ['2024-05-03']],
    ['3 mayo sandwiches', ['3']],
    ['3 Mars missions', ['3']],
    ['1. March on\n2. Stop', []],
    ['may 5 but 2 may win', ['5', '2']],
  ])('%s', (text, expected) => {
    expect(values(text)).toEqual(expected);
  });
});

describe('INT-18 powers of ten', () => {
  const raised = (n: number): string =>
    Array.from(String(n), (digit) =>
      digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(digit)),
    ).join('');

  test('any power, however it is written, is its number, and no other power is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 11, max: 99 }),
        fc.integer({ min: 2, max: 12 }),
        (tenths, power) => {
          const digits = (tenths / 10).toFixed(1);
          const written = [
            `${digits}×10${raised(power)}`,
            `${digits} × 10^${power}`,
            `${digits}·10^{${power}}`,
            `${digits}e${power}`,
          ];
          const text = JSON.stringify({ n: Math.round((tenths * 10 ** power) / 10) });
          for (const each of written)
            expect([each, isSourced(`It is ${each}.`, text)]).toEqual([each, true]);
          expect(isSourced(`It is ${digits}×10${raised(power + 1)}.`, text)).toBe(false);
          for (const each of [`10${raised(power)}`, `10^${power}`]) {
            expect(isSourced(`It is ${each}.`, JSON.stringify({ n: 10 ** power }))).toBe(true);
            expect(isSourced(`It is ${each}.`, JSON.stringify({ n: 10 ** power * 1.2 }))).toBe(
              false,
            );
          }
        },
      ),
    );
  });
});
