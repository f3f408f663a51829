import { expect, test } from 'vitest';
import { jsonRow } from './row';

const row = jsonRow(
  '{"verdicts":{"gpt-3.5":"EN-","odd":"\\u00e9😀\\"x","empty":""},"list":["ab",[1,2]],"number":12,"nothing":null}',
);

test.each([
  ['verdicts["gpt-3.5"]', '"EN-"'],
  ['verdicts["gpt-3.5"][0]', '"E"'],
  ['verdicts["gpt-3.5"][2]', '"-"'],
  ['verdicts["gpt-3.5"][3]', null],
  ['verdicts.odd[0]', '"é"'],
  ['verdicts.odd[1]', '"😀"'],
  ['verdicts.odd[2]', String.raw`"\""`],
  ['verdicts.empty[0]', null],
  ['list[0]', '"ab"'],
  ['list[0][1]', '"b"'],
  ['list[1][1]', '2'],
  ['list[1][1][0]', null],
  ['number[0]', null],
  ['nothing[0]', null],
  ['missing[0]', null],
  ['[0]', null],
])(
  'X-10 %s is %s: an index counts items of a list, or characters of a text by code points',
  (place, raw) => {
    expect(row.read(place)).toBe(raw);
  },
);
