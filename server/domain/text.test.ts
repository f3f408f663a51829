import { expect, test } from 'vitest';
import { cleanText, countCodePoints, hasUnstorableText, storableJson, utf16Index } from './text';

test.each([
  ['plain', 'plain', false],
  ['a\u0000b', 'a␀b', true],
  ['a\ud800b', 'a\ufffdb', true],
  ['😀', '😀', false],
])('clean %j', (text, clean, changed) => {
  expect(cleanText(text)).toEqual({ text: clean, changed });
  expect(countCodePoints(cleanText(text).text)).toBe(countCodePoints(text));
});

test('positions are code points', () => {
  expect(countCodePoints('a😀é')).toBe(3);
  expect(utf16Index('a😀b', 2)).toBe(3);
  expect(utf16Index('a😀b', 99)).toBe(4);
});

test('R-87 R-88 JSON for jsonb holds no NUL and no lone surrogate, in keys and values at any depth', () => {
  const value = { 'k\u0000': [{ x: 'a\u0000' }, '\udc00'] };
  expect(hasUnstorableText(value)).toBe(true);
  expect(JSON.parse(storableJson(value))).toEqual({ 'k␀': [{ x: 'a␀' }, '\ufffd'] });
  expect(storableJson({ a: '\\u0000 as six characters' })).toBe(
    JSON.stringify({ a: '\\u0000 as six characters' }),
  );
});
