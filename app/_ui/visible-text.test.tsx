import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { plainText, splitHidden, VisibleText } from './visible-text';

test('bidi controls, ANSI escapes, NUL and tag characters are marked, and never reach the page unchanged', () => {
  const markup = renderToStaticMarkup(
    <VisibleText text={'a\u202Eb\u001b[31mc\u0000d\u{E0041}e'} />,
  );
  for (const hidden of ['\u202E', '\u001b', '\u0000', '\u{E0041}'])
    expect(markup).not.toContain(`>${hidden}`);
  for (const name of ['U+202E', 'ESC', 'NUL', 'U+E0041']) expect(markup).toContain(name);
});

/** Characters that a terminal or an editor would interpret instead of showing them. */
const escapes = {
  'a colour': '\u001b[31mred\u001b[0m',
  'OSC 52, the clipboard': '\u001b]52;c;cm0gLXJmIH4=\u0007',
  'OSC 8, a link': '\u001b]8;;https://evil.test\u001b\\docs\u001b]8;;\u001b\\',
  'OSC in 8 bits': '\u009d52;c;cm0gLXJmIH4=\u009c',
  'a line written over': 'failed\rpassed\u001b[2K',
  'Trojan Source': 'if (isAdmin) { /* \u202e } \u2066begin \u2069 \u2066 */',
  'invisible characters': 'a\u200bb\u2060c\ufeffd\u{e0041}e',
};

test.each(Object.entries(escapes))('S-62 %s is marked, as text and as an attribute', (_, text) => {
  const markup = renderToStaticMarkup(<VisibleText text={text} />);
  for (const shown of [markup, plainText(text)])
    expect(shown).not.toMatch(
      // oxlint-disable-next-line no-control-regex -- what must not be shown
      /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2060-\u2069\ufeff\u{e0041}]/u,
    );
  expect(markup).toContain('Hidden character');
});

test('where no element is possible the mark is written in brackets', () => {
  expect(plainText('gpt\u202E4o')).toBe('gpt[U+202E]4o');
});

test('S-32 markup in a text stays text: no image, no link', () => {
  const markup = renderToStaticMarkup(
    <VisibleText text={'<img src=x onerror=alert(1)> [a](javascript:1)'} />,
  );
  expect(markup).toBe('&lt;img src=x onerror=alert(1)&gt; [a](javascript:1)');
});

test.each([
  '<script>alert(1)</script><style>*{color:red}</style>',
  '<a href="java&#x73;cript:alert(1)">x</a>',
  '[x](java\tscript:alert(1)) [y](&#106;avascript:alert(1)) [z]( javascript:alert(1))',
  '![x](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9YWxlcnQoMSk+)',
  '<svg onload=alert(1)><use href="data:image/svg+xml,x#y"/></svg>',
  '<https://evil.test> https://evil.test mailto:a@evil.test',
  '$$\\href{javascript:alert(1)}{x}$$ \\(\\includegraphics{https://evil.test/x}\\)',
  '```mermaid\nclick A href "javascript:alert(1)"\n```',
  '[x][r]\n\n[r]: javascript:alert(1) "t"\n\n| a |\n| - |',
])('S-54 markdown is shown as its own text: %s', (text) => {
  const escaped = text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  expect(renderToStaticMarkup(<VisibleText text={text} />)).toBe(escaped);
});

test('emoji sequences and line endings are not findings', () => {
  expect(splitHidden('👩‍👩‍👧\r\nx\ty')).toEqual([{ text: '👩‍👩‍👧\r\nx\ty', hidden: null }]);
});
