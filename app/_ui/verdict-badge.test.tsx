import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { iconStateOf, VerdictBadge } from './verdict-badge';

const textOf = (markup: string): string => markup.replace(/<[^>]*>/g, '');

test("a state has the outcome, and the verifier's own word if it says more", () => {
  const badge = (outcome: 'passed' | 'failed', verdict: string | null) =>
    textOf(renderToStaticMarkup(<VerdictBadge outcome={outcome} verdict={verdict} />));
  expect(badge('failed', 'unsourced')).toBe('Failed unsourced');
  expect(badge('passed', 'PASS')).toBe('Passed');
  expect(badge('failed', 'fail')).toBe('Failed');
  expect(badge('failed', null)).toBe('Failed');
});

test('a RETRY has the mark of open states, although it counts as failed', () => {
  expect(iconStateOf({ outcome: 'failed', verdict: 'RETRY' })).toBe('needs_review');
  expect(textOf(renderToStaticMarkup(<VerdictBadge outcome="failed" verdict="RETRY" />))).toBe(
    'RETRY',
  );
});

test('work without a verdict is pending or quarantined', () => {
  expect(textOf(renderToStaticMarkup(<VerdictBadge outcome={null} verdict={null} />))).toBe(
    'Pending',
  );
  expect(textOf(renderToStaticMarkup(<VerdictBadge outcome="quarantined" verdict={null} />))).toBe(
    'Quarantined',
  );
});

test('an overruled verdict shows the person mark and the old state struck through', () => {
  const ruled = { outcome: 'passed', verdict: 'sourced' } as const;
  const markup = renderToStaticMarkup(
    <VerdictBadge outcome="failed" verdict="unsourced" ruled={ruled} />,
  );
  expect(textOf(markup)).toBe(
    'Passed sourced ruled by a person, the verifier decided Failed unsourced',
  );
  expect(textOf(/<s .*<\/s>/.exec(markup)?.[0] ?? '')).toBe('Failed unsourced');
});

test('a ruling that agrees changes nothing', () => {
  const ruled = { outcome: 'failed', verdict: 'unsourced' } as const;
  const machine = { outcome: 'failed', verdict: 'unsourced' } as const;
  expect(renderToStaticMarkup(<VerdictBadge {...machine} ruled={ruled} />)).toBe(
    renderToStaticMarkup(<VerdictBadge {...machine} />),
  );
});
