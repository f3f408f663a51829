import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { VerdictIcon } from '@/app/_ui/verdict-mark';
import { ScoreList } from './score-list';

const measured = {
  name: 'Figures traced',
  evaluator: 'figures.trace@1',
  must_pass: false,
  weight: 1,
  reasoning: 'the reason',
  evidence: [],
  model: null,
  prompt_version: null,
  cost_usd: 0,
  latency_ms: 0,
  cached: false,
};

function drawn(state: 'unscored' | 'failed'): string {
  return renderToStaticMarkup(
    <ScoreList scores={[{ ...measured, state, value: null, met: null }]} />,
  );
}

test('an unmeasured score is not an error: a dash with its reason; a failed evaluator has the triangle', () => {
  expect(drawn('unscored')).toContain(renderToStaticMarkup(<VerdictIcon state="skipped" />));
  expect(drawn('unscored')).toMatch(/not measured.*the reason/s);
  expect(drawn('failed')).toContain(renderToStaticMarkup(<VerdictIcon state="inconclusive" />));
  expect(drawn('failed')).toMatch(/evaluator failed.*the reason/s);
});
