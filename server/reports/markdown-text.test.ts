import { expect, test } from 'vitest';
import { inlineCode, plain, table } from './markdown-text';

test.each([
  ['a|b\nc', 'a\\|b c'],
  ['**bold** _x_ `y`', '\\*\\*bold\\*\\* \\_x\\_ \\`y\\`'],
  ['<script>&amp;</script>', '\\<script\\>\\&amp;\\</script\\>'],
  ['![img](https://evil.example/x)', '\\!\\[img\\](https\\://evil.example/x)'],
  ['see www.evil.example', 'see www\\.evil.example'],
  ['a\u202eb\u0000c\u200bd', 'a\ufffdb\ufffdc\ufffdd'],
  ['  plain, 0.7 (ok)  ', 'plain, 0.7 (ok)'],
])('S-63 untrusted text makes no markup: %j', (text, markdown) => {
  expect(plain(text)).toBe(markdown);
});

test.each([
  ['task', '`task`'],
  ['a`b', '`` a`b ``'],
  ['``a', '``` ``a ```'],
  ['a|b', '`a\\|b`'],
  ['a\r\nb', '`a b`'],
  ['', '—'],
])('S-63 a name as code ends at its end: %j', (text, markdown) => {
  expect(inlineCode(text)).toBe(markdown);
});

test('a table has a line per row, and is empty without rows', () => {
  expect(table(['A', 'B'], [['1', '']])).toBe('| A | B |\n| --- | --- |\n| 1 | — |');
  expect(table(['A'], [])).toBe('');
});
