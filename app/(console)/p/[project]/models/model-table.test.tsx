import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ModelRow } from '@/app/_trpc/outputs';
import { rate } from '@/server/domain';
import { ModelTable } from './model-table';

const row: ModelRow = {
  model: 'm',
  verifier: 'integrity',
  tier: null,
  passRate: rate(97, 100),
  averagePoints: 0.97,
  scored: 98,
  consecutiveFailures: 0,
  workCostUsd: null,
  judgingCostUsd: 0,
  outcomes: ['passed'],
  lastAt: new Date(0),
  wait: { n: 505, p50: 40, p95: 90, p99: 95 },
  score: { n: 503, p50: 1, p95: 1, p99: 1 },
};

test('X-12 the mean of the last results and the percentiles of 30 days each have their own n', () => {
  const text = renderToStaticMarkup(<ModelTable project="p" models={[row]} />)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
  expect(text).toContain('0.97 n 98 1.00, 1.00 n 503');
});
