import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { AlertMark } from './alert-mark';

test('the states of an alert differ in shape, and each has its word', () => {
  const drawn = (['alerting', 'no_data', 'ok'] as const).map((state) =>
    renderToStaticMarkup(<AlertMark state={state} />),
  );
  expect(drawn.map((markup) => markup.replace(/<[^>]*>/g, ''))).toEqual([
    'Alerting',
    'No data',
    'OK',
  ]);
  // Without colours: a mark as it appears in greyscale.
  const shapes = drawn.map((markup) =>
    [...markup.matchAll(/ d="([^"]*)"|<rect/g)].map((match) => match[0]).join(),
  );
  expect(new Set(shapes).size).toBe(3);
});
