import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { jsonLines } from '../verdicts/[id]/json-lines';
import { ValueText } from './value-text';

const markupOf = (text: string): string => renderToStaticMarkup(<ValueText text={text} />);
const elementsIn = (markup: string): number => markup.split('<').length / 2;

const manyKeys = JSON.stringify(
  Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`key ${at}`, at])),
);

test.each([
  ['an object of 100,000 keys', manyKeys],
  [
    'a list of 100,000 lists',
    JSON.stringify(Array.from({ length: 100_000 }, (_, at) => [at, [at]])),
  ],
  ['5 MB of text in one value', JSON.stringify({ a: 'x'.repeat(5_000_000) })],
  ['5 MB of a key', JSON.stringify({ ['k'.repeat(5_000_000)]: 1 })],
  ['5 MB of hidden characters in one value', JSON.stringify({ a: '\u200b'.repeat(1_700_000) })],
  ['5 MB of text', 'x'.repeat(5_000_000)],
  ['5 MB of hidden characters', '\u202e'.repeat(1_700_000)],
  ['5 MB of JSON that does not end', '{"a":'.repeat(1_000_000)],
])('S-58 the beginning of %s is drawn, the rest on request', (_what, text) => {
  const markup = markupOf(text);
  expect(markup).toMatch(/Show (?:all )?[\d,]+ (?:more lines|characters)/);
  expect(markup.length).toBeLessThan(3_000_000);
  expect(elementsIn(markup)).toBeLessThan(15_000);
});

test.each(['prototype', '__proto__', 'constructor', 'hasOwnProperty', 'toString', 'then'])(
  'S-58 a key named %s is shown with its value, and changes no object',
  (key) => {
    const text = `{"${key}":{"${key}":{"isPublic":true}},"b":[{"${key}":1}]}`;
    expect(markupOf(text).replaceAll(/<[^>]*>/g, '')).toContain('isPublic');
    expect(
      jsonLines(text)
        .flatMap(({ pieces }) => pieces)
        .filter(({ text: each }) => each === `"${key}"`),
    ).toHaveLength(3);
    expect('isPublic' in {}).toBe(false);
  },
);

test('S-58 JSON of 100,000 levels is shown up to the parsed depth', () => {
  expect(() => markupOf(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).not.toThrow();
});
