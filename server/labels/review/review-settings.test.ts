import { expect, test } from 'vitest';
import { auditRateAt, type StoredSettings, standardReview } from './review-settings';

const stored = (
  slug: string,
  ...rates: readonly (readonly [from: number, rate: number])[]
): StoredSettings => ({
  ...standardReview,
  slug,
  rates: rates.map(([from, rate]) => ({ from, rate })),
  updatedBy: 'ann',
  updatedAt: new Date(0),
});

const all = stored('', [10, 0.1], [20, 0]);
const own = stored('integrity', [30, 0.3], [40, 0.4]);

test.each([
  ['nothing is set', [], 'integrity', 50, 0.05],
  ['nothing was set yet', [all, own], 'integrity', 9, 0.05],
  ['the one for all applies', [all, own], 'integrity', 10, 0.1],
  ['the one for all was set to 0', [all, own], 'integrity', 29, 0],
  ['its own applies from the time it was set', [all, own], 'integrity', 30, 0.3],
  ['its own was changed', [all, own], 'integrity', 99, 0.4],
  ['another verifier has the one for all', [all, own], 'code', 99, 0],
] as const)('the share at the time a verdict settled: %s', (_, settings, slug, at, rate) => {
  expect(auditRateAt(settings, slug, at)).toBe(rate);
});
