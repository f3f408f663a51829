import { expect, test } from 'vitest';
import { type EvalResult, rowsOf } from './eval-report';

test('rates are rounded to the nearest tenth', () => {
  const rate = { value: 5 / 6, numerator: 5, denominator: 6, low: 1 / 6, high: 0.99999 };
  const none = { value: null, numerator: null, denominator: 0, low: null, high: null };
  const results = [
    { verifier: 'words', pass_rate: rate, corrected_pass_rate: none, mean_score: none },
  ];
  const [row] = rowsOf({ experiment: { results } } as unknown as EvalResult);
  expect(row).toMatchObject({ pass: '83.3% (5/6), 16.7% to 100%', corrected: '–' });
});
