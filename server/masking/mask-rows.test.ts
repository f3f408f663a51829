import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plantedIn, plantedText } from '../../testing/planted';
import { caseCount } from '../../testing/case-count';
import { piiTypes } from '../pii';
import { createMasker, maskingKey } from './masker';
import { maskRows } from './mask-rows';
import { readMaskPath } from './paths';

const rules = {
  types: piiTypes,
  regions: ['DE'],
  key: maskingKey('secret', 'prj_1'),
  paths: [readMaskPath('$.customer', 'paths')],
};
const masked = (text: string, delimiter: string | null): string =>
  maskRows(Buffer.from(text), createMasker(rules), delimiter).toString();
const email = createMasker(rules).text('a@b.co');
const whole = createMasker(rules).valueToken('Ann "A" Lee');

describe('rows', () => {
  it.each([
    [
      '{"m":"a@b.co"}\r\n\n{"m":1.10}\nbroken a@b.co',
      `{"m":"${email}"}\r\n\n{"m":1.10}\nbroken ${email}`,
      null,
    ],
    ['{"customer":"Ann \\"A\\" Lee"}', `{"customer":"${whole}"}`, null],
    [
      'm,n\r\na@b.co,1.10\r\n"say ""a@b.co""",2',
      `m,n\r\n${email},1.10\r\n"say ""${email}""",2`,
      ',',
    ],
    ['customer;m\n"Ann ""A"" Lee";x\n;y', `customer;m\n"${whole}";x\n;y`, ';'],
    ['m,n\n"a\n@","a@b.co"', `m,n\n"a\n@","${email}"`, ','],
  ])('%j becomes %j', (text, expected, delimiter) => {
    expect(masked(text, delimiter)).toBe(expected);
    expect(masked(expected, delimiter)).toBe(expected);
  });

  it('a key that is cut off does not hide the next cells', () => {
    const head = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
    expect(masked(`a,b\n${head}MII,x\ny,z`, ',')).toMatch(/^a,b\n\[key:[a-z]+\],x\ny,z$/);
  });

  it('no planted value is left in any cell, and the cells stay apart', () => {
    const cell = fc.oneof(plantedText, fc.constantFrom('', 'x', '1.5'));
    fc.assert(
      fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1, maxLength: 5 }), (rows) => {
        const quote = (text: string): string => `"${text.replaceAll('"', '""')}"`;
        const file = ['m,n', ...rows.map((row) => row.map(quote).join(','))].join('\n');
        const text = masked(file, ',');
        expect(plantedIn(text)).toEqual([]);
        expect(text.match(/","/g)).toHaveLength(file.match(/","/g)?.length ?? 0);
      }),
      { numRuns: caseCount(200) },
    );
  });

  it('a byte order mark hides no path and no escape', () => {
    const mark = '\ufeff';
    expect(masked(`${mark}"customer","n"\nAnn,1`, ',')).not.toContain('Ann');
    const row = masked(`${mark}{"answer":"a\\u0040b.co","customer":"Ann"}`, null);
    expect(row).toContain(email);
    expect(row).not.toContain('Ann');
  });

  it('without a value to mask it is the same object', () => {
    const bytes = Buffer.from('a,b\n1,2');
    expect(maskRows(bytes, createMasker(rules), ',')).toBe(bytes);
    expect(maskRows(bytes, createMasker(rules), null)).toBe(bytes);
  });
});
