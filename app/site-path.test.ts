import { describe, expect, test } from 'vitest';
import { sitePath } from './site-path';

describe('S-59 open redirect: own paths only', () => {
  test.each([
    '//evil',
    '/\\evil',
    '\\\\evil',
    'javascript:alert(1)',
    'https://evil',
    '/\t/evil',
    '/\n/evil',
    ' //evil',
    '',
    'evil',
    '/a\\..\\b',
  ])('%j leads home', (next) => expect(sitePath(next)).toBe('/'));
  test.each([undefined, null])('%j leads home', (next) => expect(sitePath(next)).toBe('/'));
  test.each([
    '/',
    '/p/demo',
    '/p/demo/verdicts?outcome=failed&text=a%20b',
    '/p/demo#x',
    '/.//evil',
  ])('%j stays here', (next) => {
    const path = sitePath(next);
    expect(new URL(path, 'http://here.test').origin).toBe('http://here.test');
  });
  test('the query is kept', () =>
    expect(sitePath('/p/demo/verdicts?outcome=failed')).toBe('/p/demo/verdicts?outcome=failed'));
});
