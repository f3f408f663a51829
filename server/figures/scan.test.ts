import { describe, expect, test } from 'vitest';
import { markUnsourced } from './mark';
import { UNSOURCED_MARK } from './mark-sign';
import { scanFigures } from './scan';
import { SourceIndex } from './source-index';
import { figureOf, traceFigures } from './trace';

const show = (text: string): string[] =>
  scanFigures(text).map(
    ({ text: token, kind, value, unit }) =>
      `${token} ${kind} ${value}${unit === null ? '' : ` ${unit}`}`,
  );

const marked = (text: string): string =>
  markUnsourced(
    text,
    traceFigures(scanFigures(text), text, new SourceIndex([])).map((trace) =>
      figureOf(trace, new SourceIndex([])),
    ),
  );

describe('INT-2 figures of every kind, a whole token each', () => {
  test.each([
    ['web-1 is at 91.4%.', ['91.4% percent 91.4 %']],
    [
      "1,234.5 and 1 234 and 1'234 and 1\u202f234",
      ['1,234.5 number 1234.5', '1 234 number 1234', "1'234 number 1234", '1\u202f234 number 1234'],
    ],
    ['1.234,56; 91,4 %', ['1.234,56 number 1234.56', '91,4 % percent 91.4 %']],
    ['−3.20 and +4 and -0', ['−3.20 number -3.2', '+4 number 4', '-0 number 0']],
    ['$1.2 million', ['$1.2 million currency 1200000 USD']],
    [
      '€5m, 5 USD, USD 5.50, -$5',
      [
        '€5m currency 5000000 EUR',
        '5 USD currency 5 USD',
        'USD 5.50 currency 5.5 USD',
        '-$5 currency -5 USD',
      ],
    ],
    ['4 January 2024', ['4 January 2024 date 2024-01-04']],
    ['Jan 4, 2024', ['Jan 4, 2024 date 2024-01-04']],
    ['the 4th of January', ['4th of January date --01-04']],
    ['in March 2020', ['March 2020 date 2020-03']],
    ['04.01.2024', ['04.01.2024 date 2024-01-04']],
    ['01/25/2024 or 25/01/2024', ['01/25/2024 date 2024-01-25', '25/01/2024 date 2024-01-25']],
    ['04/01/2024', ['04/01/2024 date 04/01/2024']],
    ['2024-02-30', ['2024 number 2024', '02 number 2', '30 number 30']],
    [
      'January 3rd, 4th and 5th',
      ['January 3rd date --01-03', '4th date --01-04', '5th date --01-05'],
    ],
    ['January 3-7, 2024', ['January 3 date --01-03', '7, 2024 date 2024-01-07']],
    ['14:00, 2 pm, 2:30 PM', ['14:00 time 14:00', '2 pm time 14:00', '2:30 PM time 14:30']],
    ['2024-01-04T14:00:05Z', ['2024-01-04T14:00:05Z datetime 2024-01-04T14:00:05']],
    ['version 1.2.3 at 10.0.0.1', ['1.2.3 version 1.2.3', '10.0.0.1 address 10.0.0.1']],
    ['v1.2.3', ['v1.2.3 version 1.2.3']],
    ['fe80::1', ['fe80::1 address fe80::1']],
    [
      '10.22m/s, 5 GB, 3-hour, 7°C',
      ['10.22m/s number 10.22 m/s', '5 number 5 GB', '3 number 3 hour', '7°C number 7 °C'],
    ],
    ['70 to 80 percent', ['70 percent 70 %', '80 percent percent 80 %']],
    ['5-10', ['5 number 5', '10 number 10']],
    ['the 8th', ['8th number 8']],
    ['1e400', [`1e400 number 1${'0'.repeat(400)}`]],
    ['1.5e-3 and 1.2×10^5', ['1.5e-3 number 0.0015', '1.2×10^5 number 120000']],
    ['1e99999999999999999999', ['1e99999999999999999999 number 1e99999999999999999999']],
    ['May 5 but may 5', ['May 5 date --05-05', '5 number 5']],
    ['[1,2] 1,2,3', ['1 number 1', '2 number 2', '1 number 1', '2 number 2', '3 number 3']],
    ['５個 and ٣', ['５ number 5', '٣ number 3']],
    ['forty-two', []],
  ])('%s', (text, figures) => {
    expect(show(text)).toEqual(figures);
  });

  test('positions are code points, end exclusive', () => {
    expect(scanFigures('🙂🙂 12 𝟙 7').map(({ start, end }) => [start, end])).toEqual([
      [3, 5],
      [8, 9],
    ]);
  });
});

describe('INT-21 exempt digits', () => {
  test.each([
    ['1. first\n2) second\n   3. third', []],
    ['## 3. Results\n### 3.1 More\n## 4 Outlook\n### Step 5: Do', []],
    ['web-1 utf8 s3 v2ray COVID-19 H2O v2 gpt-3.5 disk_2 3D 0x1F 4xx', []],
    ['550e8400-e29b-41d4-a716-446655440000 00:1a:2b:3c:4d:5e', []],
    ['https://x.example/5/6?a=7 www.x.example/8 a5@b.example /var/log/9', []],
    ['`5` and ``6 `7` `` and\n```\n8\n```\n~~~ts\n9\n~~~', []],
    ['[a](b/9) ![c](/d/10.png "11") [x][1]\n\n[1]: /12', []],
    ['<td width="13"> &#8211; [^14]', []],
    ['```\n15 left open', []],
  ])('%s', (text, figures) => {
    expect(show(text)).toEqual(figures);
  });

  test.each([
    ['42.', ['42']],
    ['## 12 hosts are down', ['12']],
    ['`5` then 6 and ` 7', ['6', '7']],
    ['[95](u)', ['95']],
    ['[x](95% of hosts are down)', ['95%']],
    ['(see https://x.example/5) 6', ['6']],
    ['usage-91.4%', ['91.4%']],
    ['version 1.2.3, 14:00, 10.0.0.1', ['1.2.3', '14:00', '10.0.0.1']],
    ['a < 5 and 6 > 3', ['5', '6', '3']],
    ['```\n1\n```\n2', ['2']],
  ])('but not in %s', (text, tokens) => {
    expect(scanFigures(text).map((figure) => figure.text)).toEqual(tokens);
  });
});

describe('INT-22 marks', () => {
  const texts = [
    'web-1 is at 91.4%.',
    '**12** and __13__ and ~~14~~ and *15*',
    '| 16 | $17 |\n|---|---|\n| 18% | 5-10 |',
    '[19](https://x.example/20)',
    '# 21 hosts\n1. 22',
    '`23` 24',
    'from 3 to 5 million',
    '3-hour, 70 to 80 percent',
    'January 3rd, 4th and 5th',
    '🙂 25°C 26 GB',
    '1,2,3',
    '4 January 2024 at 2 p.m.',
    '(−5) v1.2.3 10.0.0.1',
    '第5章 12個',
    '⚠️ 27 hosts',
    '28⚠️',
    '1 234⚠️ 567',
  ];

  test.each(texts)('marked text has the same figures and is not marked again: %s', (text) => {
    const once = marked(text);
    const known = (value: string): unknown[] =>
      scanFigures(value).map(({ text: token, kind, value: canonical, unit }) => [
        token,
        kind,
        canonical,
        unit,
      ]);
    expect(known(once)).toEqual(known(text));
    expect(marked(once)).toBe(once);
    expect(once.replaceAll(UNSOURCED_MARK, '')).toBe(text.replaceAll(UNSOURCED_MARK, ''));
  });

  test.each([
    ['web-1 is at 91.4%.', 'web-1 is at 91.4%⚠️.'],
    ['**12** hosts', '**12⚠️** hosts'],
    ['[12](https://x.example/13)', '[12⚠️](https://x.example/13)'],
    ['| 12 | 13 |\n|---:|---|', '| 12⚠️ | 13⚠️ |\n|---:|---|'],
    ['`14` 15', '`14` 15⚠️'],
    ['$1.2 million a year', '$1.2 million⚠️ a year'],
    ['26 GB', '26⚠️ GB'],
  ])('right after the token, inside its markdown: %s', (text, expected) => {
    expect(marked(text)).toBe(expected);
  });

  test('markdown structure is the same with and without marks', () => {
    const structure = (text: string): string =>
      text.replaceAll(UNSOURCED_MARK, '').replace(/\d/gu, '0');
    for (const text of texts) {
      const once = marked(text);
      expect(structure(once)).toBe(structure(text));
      for (const span of once.match(/`[^`]*`|\]\([^)]*\)|^\|[-:|]+$/gmu) ?? [])
        expect(span).not.toContain(UNSOURCED_MARK);
      // Emphasis closes only when no blank precedes its delimiter.
      expect(once).not.toMatch(new RegExp(`${UNSOURCED_MARK}\\s\\*\\*`, 'u'));
    }
  });
});

test('INT-18 a scale is shared by the first of a range only where it is not written out', () => {
  const values = (text: string) => scanFigures(text).map((figure) => figure.value);
  expect(values('$1,234,567.50 or $1.2 million')).toEqual(['1234567.5', '1200000']);
  expect(values('from 3 to 5 million')).toEqual(['3000000', '5000000']);
});

test('INT-18 a decimal comma behind blanks between the groups', () => {
  expect(show('5 000,50 €')).toEqual(['5 000,50 € currency 5000.5 EUR']);
});

test.each([
  ['$$x=33$$', '$$x=33⚠️$$'],
  ['so $x = 33$.', 'so $x = 33⚠️$.'],
  ['it costs 33$.', 'it costs 33$⚠️.'],
  ['1️⃣ First\n2️⃣ Second', '1️⃣ First\n2️⃣ Second'],
])('INT-22 a mark breaks no formula and no boxed digit: %s', (text, expected) => {
  expect(marked(text)).toBe(expected);
});
