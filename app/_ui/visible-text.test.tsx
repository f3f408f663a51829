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

test('where no element is possible the mark is written in brackets', () => {
  expect(plainText('gpt\u202E4o')).toBe('gpt[U+202E]4o');
});

test('S-32 markup in a text stays text: no image, no link', () => {
  const markup = renderToStaticMarkup(
    <VisibleText text={'<img src=x onerror=alert(1)> [a](javascript:1)'} />,
  );
  expect(markup).toBe('&lt;img src=x onerror=alert(1)&gt; [a](javascript:1)');
});

test('emoji sequences and line endings are not findings', () => {
  expect(splitHidden('👩‍👩‍👧\r\nx\ty')).toEqual([{ text: '👩‍👩‍👧\r\nx\ty', hidden: null }]);
});
