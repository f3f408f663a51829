import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { VerdictRow } from '@/app/_trpc/outputs';
import { VerdictTable } from './verdict-table';

const row: VerdictRow = {
  id: 'ver_1',
  kind: 'integrity',
  verifier: 'integrity@1',
  outcome: 'failed',
  verdict: 'unsourced',
  score: 0.5,
  model: 'openai/gpt-4o',
  excerpt: 'It is 42 %.',
  unsourced: 1,
  figures: 2,
  subjectKind: 'turn',
  turnId: 't-1',
  sessionId: null,
  createdAt: new Date(0),
  settledAt: new Date(0),
  superseded: false,
  ruled: null,
};

const shown = (ruled: VerdictRow['ruled']) =>
  renderToStaticMarkup(<VerdictTable label="Verdicts" project="p" rows={[{ ...row, ruled }]} />);

test("VS-45 a row shows the verifier's outcome, struck through if a person overrode it", () => {
  expect(shown(null)).not.toContain('ruled by a person');
  expect(shown({ verdict: 'unsourced', outcome: 'failed' })).not.toContain('ruled by a person');
  const html = shown({ verdict: 'sourced', outcome: 'passed' });
  expect(html).toMatch(/<s [^>]*>Failed/);
  expect(html).toContain(
    'Passed sourced, ruled by a person; the verifier decided Failed unsourced',
  );
});
