import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DayLine } from './day-line';

const days = Array.from({ length: 30 }, (_, at) => ({
  day: `2026-11-${String(at + 1).padStart(2, '0')}`,
  passed: 0,
  failed: 0,
}));

test('X-12 a day without results has no point, and one of fewer than 20 is hollow', () => {
  const model = {
    model: 'm',
    passed: 41,
    failed: 9,
    weight: 1,
    days: days.map((each, at) =>
      at === 2
        ? { ...each, passed: 40, failed: 0 }
        : at === 9
          ? { ...each, passed: 1, failed: 9 }
          : each,
    ),
  };
  const markup = renderToStaticMarkup(<DayLine model={model} />);
  expect(markup).toContain(
    'aria-label="Pass rate of m by day: 41 of 50 passed from 2026-11-01 to 2026-11-30"',
  );
  const dots = [
    ...markup.matchAll(/<circle[^>]*fill="([^"]+)"[^>]*>(?:<title>([^<]+)<\/title>)?/g),
  ].map(([, fill, text]) => [fill, text]);
  expect(dots).toEqual([
    ['var(--color-series-1)', '2026-11-03: 40 of 40 passed'],
    ['var(--color-surface)', '2026-11-10: 1 of 10 passed'],
  ]);
});

test('without any result there is no point and no band, and no NaN', () => {
  const markup = renderToStaticMarkup(
    <DayLine model={{ model: 'm', passed: 0, failed: 0, weight: 1, days }} />,
  );
  expect(markup).not.toMatch(/<circle|NaN|opacity="0.16"/);
});
