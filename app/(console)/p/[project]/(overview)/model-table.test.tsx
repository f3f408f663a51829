import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ModelTable } from './model-table';

const none = { passed: 0, failed: 0, needs_review: 0, steered: 0, inconclusive: 0, skipped: 0 };

test('INT-23: per model the fallback-scan rate and how often a re-prompt helped; under n = 20 counts only', () => {
  const markup = renderToStaticMarkup(
    <ModelTable
      project="ops"
      from={new Date('2026-11-01T00:00:00Z')}
      byModel={[
        {
          model: 'openai/gpt-4o',
          outcomes: { ...none, passed: 30, failed: 10 },
          figures: 100,
          unsourced: 12,
          answers: 40,
          fallbackScans: 10,
          reprompts: 4,
          repromptsHelped: 3,
        },
        {
          model: null,
          outcomes: { ...none, passed: 2 },
          figures: 0,
          unsourced: 0,
          answers: 2,
          fallbackScans: 2,
          reprompts: 0,
          repromptsHelped: 0,
        },
      ]}
    />,
  );
  const cells = markup
    .split('</tr>')
    .map((row) =>
      [...row.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map((cell) =>
        (cell[1] ?? '').replace(/<[^>]+>/g, '').trim(),
      ),
    );
  expect(cells[1]).toEqual([
    'openai/gpt-4o',
    '40',
    '25.0% (14.2–40.2%) 10/40',
    '12.0% (7.0–19.8%) 12/100',
    '25.0% (14.2–40.2%) 10/40',
    '3/4',
  ]);
  expect(cells[2]).toEqual(['No model named', '2', '0/2', 'not measured', '2/2', 'not measured']);
});
