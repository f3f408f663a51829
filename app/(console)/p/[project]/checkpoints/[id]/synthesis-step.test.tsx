import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { PipelineData } from '@/app/_trpc/outputs';
import { SynthesisStep } from './synthesis-step';

const failed: PipelineData['syntheses'][number] = {
  verdictId: 'v1',
  state: 'settled',
  outcome: 'failed',
  verdict: 'FAIL',
  ruled: null,
  score: 0.5,
  passesFrom: 0.7,
  retries: { used: 2, budget: 2 },
  judgeModel: null,
  selfVerified: false,
  reason: 'Retries are used up.',
  feedback: 'Retries are used up.',
  issues: [],
  costUsd: 0,
  priceUnknown: false,
  workUsd: null,
  at: new Date(0),
  traceability: 0.5,
  coherence: null,
  completeness: null,
  claims: { supported: 1, all: 2 },
  unsupported: [],
  answer: 'It fell.',
  changes: null,
  warning: 'No answer is given.',
  fallback: '',
};

test('SOAR-22 a failed synthesis shows its warning and its reason once each', () => {
  const html = renderToStaticMarkup(<SynthesisStep project="p" attempts={[failed]} />);
  for (const text of ['Retries are used up.', 'No answer is given.', 'are delivered in its place'])
    expect(html.split(text)).toHaveLength(2);
});
