import { describe, expect, test } from 'vitest';
import { canonicalJson, canonicalValue, skipValue, sliceItems, sliceMembers } from './json-text';

const raw = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...sliceMembers(text)].map(([key, at]) => [key, text.slice(at.start, at.end)]),
  );

describe('slices of JSON text', () => {
  test.each([
    ['{}', {}],
    ['{"a":1}', { a: '1' }],
    [' { "a" : 1e400 , "b":\n[1, 2] } ', { a: '1e400', b: '[1, 2]' }],
    ['{"a":"x\\"},","b":{"c":"]"}}', { a: '"x\\"},"', b: '{"c":"]"}' }],
    ['{"a":"\\\\","b":2}', { a: '"\\\\"', b: '2' }],
    ['{"a":1,"a":2}', { a: '2' }],
    ['{"\\u0061":true}', { a: 'true' }],
    ['[1]', {}],
    ['"text"', {}],
  ])('members of %s', (text, expected) => {
    expect(raw(text)).toEqual(expected);
  });

  test('prototype keys are members like any other', () => {
    const text = '{"__proto__":{"isPublic":true},"constructor":1}';
    expect([...sliceMembers(text).keys()]).toEqual(['__proto__', 'constructor']);
    expect(({} as { isPublic?: boolean }).isPublic).toBeUndefined();
  });

  test.each([
    ['[]', []],
    ['[1,"a,b",[2,[3]],{"x":[]}]', ['1', '"a,b"', '[2,[3]]', '{"x":[]}']],
    [' [ 0.10 , -1E-9 ] ', ['0.10', '-1E-9']],
  ])('items of %s', (text, expected) => {
    expect(sliceItems(text).map((at) => text.slice(at.start, at.end))).toEqual(expected);
  });

  test('R-90 depth is counted without recursion', () => {
    const deep = '['.repeat(200_000) + ']'.repeat(200_000);
    expect(skipValue(deep, 0)).toEqual({ end: deep.length, depth: 200_000 });
    expect(skipValue('[[1],{"a":[2]}]', 0).depth).toBe(3);
    expect(skipValue('17', 0).depth).toBe(0);
  });
});

test.each([
  ['{"b":1,"a":[ 1 , 2 ]}', '{"a":[1,2],"b":1}', true],
  ['{"a":"\\u0041"}', '{"a":"A"}', true],
  ['{"a":1.0}', '{"a":1.00}', false],
  ['{"a":1e400}', '{"a":null}', false],
  ['[1,2]', '[2,1]', false],
])('canonical %s against %s', (a, b, same) => {
  expect(canonicalJson(a) === canonicalJson(b)).toBe(same);
});

test.each<[string, unknown]>([
  ['keys in any order, numbers among them', { b: 1, 10: 'x', 9: 'y', a: { d: null, c: true } }],
  ['numbers', [1e21, 0, 0.1, -5, 1e-7]],
  ['texts', ['"\\\n\u007f\u2028', 'ä𝒳', '']],
  ['nothing', null],
])('a value has the canonical text of its JSON: %s', (_what, value) => {
  expect(canonicalValue(value)).toBe(canonicalJson(JSON.stringify(value)));
});
