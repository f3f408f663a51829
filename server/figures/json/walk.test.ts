import { describe, expect, test } from 'vitest';
import { renderPath } from '../path';
import { RowKind } from './table';
import { readJsonTable } from './walk';

/** Each figure with its path; null where the text is not JSON. */
function figures(text: string): readonly string[] | null {
  const table = readJsonTable(text);
  if (table === null) return null;
  const rows = Array.from({ length: table.size }, (_, row) => row).filter((row) =>
    table.isFigure(row),
  );
  return rows.map((row) => `${renderPath(table.nodeOf(row))} ${table.textOf(row)}`);
}

describe('JSON as a table', () => {
  test.each<[string, readonly string[] | null]>([
    ['{"a":1,"b":[2.50,-3e2]}', ['a 1', 'b[0] 2.50', 'b[1] -3e2']],
    [' [ 1 , [ 2 ] ]\n', ['[0] 1', '[1][0] 2']],
    ['{"a":1,"a":2}', ['a 1', 'a 2']],
    ['{"q\\"x":1}', ['["q\\"x"] 1']],
    ['{"\\u0061":1,"a":2}', ['a 1', 'a 2']],
    [
      '[{"a":1,"b":2},{"a":3,"c":4},{"ab":5}]',
      ['[0].a 1', '[0].b 2', '[1].a 3', '[1].c 4', '[2].ab 5'],
    ],
    ['{"2024-01-05":1}', ['["2024-01-05"] 2024-01-05', '["2024-01-05"] 1']],
    ['{"web-1":{"at":"15:00","on":"2024-02-29"}}', ['web-1.at 15:00', 'web-1.on 2024-02-29']],
    ['["restarted after 312 s", "12\\u0020%", "x \\ud800 7"]', ['[0] 312', '[1] 12 %', '[2] 7']],
    ['[true,false,null,NaN,Infinity,-Infinity]', []],
    // no JSON
    ['', null],
    ['[1,]', null],
    ['{"a":1,}', null],
    ['{"a" 1}', null],
    ['{1:2}', null],
    ['00012', null],
    ['[1.]', null],
    ['[1e]', null],
    ['[-]', null],
    ['[truely]', null],
    ['["a]', null],
    ['["a\\', null],
    ['["a\\x"]', null],
    ['[1] 2', null],
    ['[1}', null],
    ['{"a":1', null],
  ])('R-89 %s', (text, expected) => {
    expect(figures(text)).toEqual(expected);
  });

  test('R-89 floats of at most 15 digits are those of JSON.parse, longer ones are marked', () => {
    const tokens = [
      '0',
      '-0',
      '0.1',
      '1.10',
      '-45.73',
      '999999999999999',
      '0.0000000000001',
      '123456.7890123',
      '1e5',
      '9007199254740993',
    ];
    const table = readJsonTable(`[${tokens.join()}]`);
    expect(tokens.map((_, row) => table?.floats[row])).toEqual(
      tokens.map((token) => Number(token) + 0),
    );
    expect(tokens.map((_, row) => table?.kindOf(row) === RowKind.longNumber)).toEqual(
      tokens.map((token) => /e|\d{16}/u.test(token)),
    );
  });

  test('R-90 data deeper than 64 is checked for its brackets and left out', () => {
    const deep = (inner: string): string =>
      `{"a":1,"b":${'['.repeat(100)}${inner}${']'.repeat(100)},"c":2}`;
    expect(figures(deep('7,"]"'))).toEqual(['a 1', 'c 2']);
    expect(figures(deep('{]'))).toBeNull();
    expect(figures(deep('"\\x"'))).toBeNull();
  });

  test('R-94 keys are text, in one text and in the next', () => {
    const keys = '{"__proto__":1,"constructor":2,"hasOwnProperty":3,"length":4}';
    expect(figures(`[${keys},${keys}]`)).toEqual(
      [0, 1].flatMap((i) => [
        `[${i}].__proto__ 1`,
        `[${i}].constructor 2`,
        `[${i}].hasOwnProperty 3`,
        `[${i}].length 4`,
      ]),
    );
  });
});
