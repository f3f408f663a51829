import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { CalibrationReport } from '@/app/_trpc/outputs';
import { SlicePanel } from './slice-panel';

const measure = {
  value: 0.5,
  numerator: 10,
  denominator: 20,
  low: 0.3,
  high: 0.7,
  state: 'on_target',
} as const;
const row = (value: string, catchRate: number | null, falseRejectionRate: number | null) => ({
  slice: { by: 'model' as const, value },
  labelled: 40,
  catchRate: measure,
  falseRejectionRate: measure,
  adjustedP: { catchRate, falseRejectionRate },
});
const report = {
  from: null,
  slices: [{ by: 'model', rows: [row('a', 0.038, 0.716), row('b', null, 0.0001)] }],
};

test('calibration.md 5.7 each rate of a slice has its own p next to it, under a heading that names the test', () => {
  const html = renderToStaticMarkup(
    <SlicePanel
      about={{ project: 'p', verifier: 'integrity', origin: 'verifier' }}
      report={report as unknown as CalibrationReport}
      days={30}
    />,
  );
  const heads = [...html.matchAll(/<th[^>]*>(.*?)<\/th>/g)].map(([, head = '']) =>
    head.replace(/<[^>]*>/g, ''),
  );
  expect(heads).toContain('Catch against the rest, p');
  expect(heads).toContain('False rejections against the rest, p');
  const text = html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  expect(text).toMatch(/0\.038 differs.*0\.716 (?!differs).*no test.*&lt; 0\.001 differs/);
});
