import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault } from './json-fault';

test.each([
  ['', 'it is empty'],
  [' \n', 'it is empty'],
  ['{"a":x}', 'line 1, column 6: a value is missing'],
  ['{"a":1,}', 'line 1, column 8: a name in double quotes is missing'],
  ['{\n"a": 1\n"b": 2}', 'line 3, column 1: a comma or a closing bracket is missing'],
  ['{a: 1}', 'line 1, column 2: a name in double quotes or `}` is missing'],
  ['[1, 2', 'line 1, column 6: it ends too early, and a comma or a closing bracket is missing'],
  ['[1, ]', 'line 1, column 5: a value is missing'],
  ['{"a" 1}', 'line 1, column 6: `:` is missing'],
  ['{} {}', 'line 1, column 4: there is more text after the end of the value'],
  ['"a\nb"', 'line 1, column 3: a control character or a line break in a string must be escaped'],
  ['"\\x"', 'line 1, column 2: this escape is not one of JSON'],
  ['["a]', 'line 1, column 2: the string has no closing quote'],
  ['[01]', 'line 1, column 2: a value or `]` is missing'],
  ['[1}', 'line 1, column 3: a comma or a closing bracket is missing'],
])('%j: %s', (text, fault) => {
  expect(jsonFault(text)).toBe(fault);
});

test('finds a fault in exactly the texts that JSON.parse refuses', () => {
  const parts = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-0.5e3',
    'null',
    ' ',
    'x',
    '"',
  );
  const texts = fc.oneof(
    fc.array(parts, { maxLength: 12 }).map((all) => all.join('')),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(), fc.string({ maxLength: 1 })).map(([text, at, put]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + put + text.slice(place + 1);
    }),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(jsonFault(text) === '').toBe(isJson);
    }),
    { numRuns: 3_000 },
  );
});

test('any depth is accepted', () => {
  expect(jsonFault('['.repeat(500_000))).toContain('ends too early');
});
