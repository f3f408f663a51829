import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Figure } from './doc-table';

const shown = (text: string): readonly string[] =>
  [...renderToStaticMarkup(<Figure text={text} />).matchAll(/>([^<]+)</g)].map(
    ([, part]) => part ?? '',
  );

test.each([
  ['84.0% (71.5–91.7%), 42/50', ['84.0%', '(71.5–91.7%), 42/50']],
  ['0.707 (0.596 to 0.818), n 200', ['0.707', '(0.596 to 0.818), n 200']],
  ['rose +12.0 points (+1.0 to +20.0)', ['rose +12.0 points', '(+1.0 to +20.0)']],
  ['no data', ['no data']],
])('a figure has its number first, and its counts below: %s', (text, parts) => {
  expect(shown(text)).toEqual(parts);
});

test.each(['19/19', '1,234/2,000', 'n 12', 'too few to compare', 'at least $12.50'])(
  'a single value is not split: %s',
  (text) => {
    expect(renderToStaticMarkup(<Figure text={text} />)).toBe(text);
  },
);
