import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { GateFindings, Measure, PromotionCheck } from '@/app/_trpc/outputs';
import { GateView } from './gate-view';
import { outcomeText } from './promote-dialog';

const measure = (numerator: number, denominator: number): Measure => ({
  value: numerator / denominator,
  numerator,
  denominator,
  low: 0.4,
  high: 0.7,
  state: denominator < 20 ? 'insufficient' : 'on_target',
});
const part = {
  tried: measure(22, 40),
  other: measure(33, 40),
  items: 40,
  better: 7,
  worse: 18,
  midP: 0.029,
  detectable: 0.35,
};
const worse: GateFindings = {
  verdict: 'worse',
  inconclusive: 0,
  items: 55,
  good: 15,
  bad: 40,
  catchRate: part,
  falseRejectionRate: {
    ...part,
    tried: measure(1, 15),
    other: measure(1, 15),
    items: 15,
    better: 0,
    worse: 0,
    midP: null,
  },
  undecided: { tried: 0, other: 0, better: 0, worse: 0, midP: null },
  slices: [
    {
      by: 'model',
      value: '<b>m',
      items: 12,
      better: 0,
      worse: 7,
      midP: 0.0078,
      adjustedP: 0.0156,
      isRequired: true,
      isLost: true,
    },
  ],
  cost: { tried: 0.003, other: null, ratio: null },
  latency: { tried: 1500, other: 80 },
  reasons: ['Catch rate 55.0% against 82.5%: worse.'],
};
const names = { candidate: 'Version 2', other: 'The release' };

test('both are shown with their numbers: interval and counts, counts alone under 20, pairs, p, slices, cost and time', () => {
  const text = renderToStaticMarkup(<GateView findings={worse} names={names} trials={3} />);
  const words = text.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
  for (const shown of [
    'Worse',
    'the latest of 3 trials',
    '55.0% (40.0–70.0%) 22/40',
    '7 against 18',
    '0.029',
    'no pair differs',
  ])
    expect(words).toContain(shown);
  for (const shown of ['not known', '1.5 s', '80 ms', 'model &lt;b&gt;m required', 'lost', '0.016'])
    expect(words).toContain(shown);
  expect(words).not.toMatch(/6\.7%|NaN|false positive/i);
});

test.each<[string, Partial<PromotionCheck>, string]>([
  ['rolls back', { outcome: 'rolled_back' }, 'the gate does not apply to rollbacks'],
  ['waits', { outcome: 'waiting' }, 'another person must approve'],
  [
    'is let in without a trial',
    { outcome: 'promoted', findings: { verdict: 'not_tried', reasons: [] } },
    'does not block it',
  ],
  ['is worse', { outcome: 'refused', findings: worse }, 'worse than the current option'],
  [
    'lacks a trial that it needs',
    { outcome: 'refused', mode: 'require', findings: { verdict: 'not_tried', reasons: [] } },
    'requires a trial on held-out labels',
  ],
])('the consequence of a request is shown before it is sent: %s', (_name, change, text) => {
  const check = {
    mode: 'advise',
    outcome: 'promoted',
    trialId: null,
    trials: 0,
    findings: worse,
    ...change,
  } as const;
  expect(outcomeText(check)).toContain(text);
});
