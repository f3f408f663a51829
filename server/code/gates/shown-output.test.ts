import { expect, test } from 'vitest';
import { shownOutput } from './shown-output';

const shown = (text: string): string => shownOutput(Buffer.from(text));

test.each([
  ['colours and cursor moves', '\u001b[1;31mred\u001b[0m\u001b[2K\u001b[10;1H!', 'red!'],
  ['the clipboard (OSC 52)', 'a\u001b]52;c;cm0gLXJmIH4=\u0007b', 'ab'],
  ['a link (OSC 8)', '\u001b]8;;https://evil.test\u001b\\docs\u001b]8;;\u001b\\', 'docs'],
  ['a title that does not end', 'a\u001b]0;evil\nb', 'a\nb'],
  ['the same in 8 bits', '\u009b31mred\u009d52;c;cm0=\u009cx', 'redx'],
  ['a line written over', 'failed\rpassed', 'failedpassed'],
  ['reordered code', 'if (\u202eadmin\u2066)', 'if ([U+202E]admin[U+2066])'],
])('S-62 of gate output, %s does not reach a reader', (_what, text, expected) => {
  expect(shown(text)).toBe(expected);
});

test('S-62 a megabyte of sequences that do not end is read in one pass', () => {
  expect(shown('\u001b]8;;'.repeat(200_000))).toBe('');
  expect(shown('\u001b['.repeat(500_000)).length).toBeLessThanOrEqual(8_192);
});
