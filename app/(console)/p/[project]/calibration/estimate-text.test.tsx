import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EstimateBar, EstimateText } from './estimate-text';

const text = (markup: string): string => markup.replace(/<[^>]+>/g, '');
const none = { value: null, low: null, high: null };

test.each([
  [{ value: 0.8108, low: 0.75, high: 0.8716, n: 5000 }, 'share', '81.1% (75.0% to 87.2%) n 5,000'],
  [{ value: -0.1, low: -0.2, high: 0.0004, n: 40 }, 'signed', '−0.100 (−0.200 to 0.000) n 40'],
  [{ value: 0.5, low: null, high: null, n: 40 }, 'number', '0.500 no interval n 40'],
  [{ value: 0.5, low: 0.1, high: 0.9, n: 19 }, 'number', 'n 19'],
  [{ ...none, n: 0 }, 'number', 'unmeasured'],
  [{ ...none, n: 30 }, 'number', 'not enough data, n 30'],
] as const)('X-12 %j as %s reads %s', (estimate, scale, wanted) => {
  expect(text(renderToStaticMarkup(<EstimateText estimate={estimate} scale={scale} />))).toBe(
    wanted,
  );
});

test('X-12 fewer than 20 and unmeasured values have no bar', () => {
  const bar = (n: number, value: number | null) =>
    renderToStaticMarkup(
      <EstimateBar estimate={{ value, low: value, high: value, n }} scale="share" />,
    );
  expect([bar(19, 0.5), bar(0, null), bar(30, null)]).toEqual(['', '', '']);
  expect(bar(20, 0.5)).toContain('<svg');
});
