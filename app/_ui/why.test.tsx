import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DecisionList, type ShownDecision } from './why';

const decision: ShownDecision = {
  subjectId: 't/1',
  subjectKind: 'turn',
  revision: 1,
  rule: 'integrity',
  ruleVersion: 3,
  verifier: 'integrity',
  state: 'run',
  reason: null,
  verdictId: 'ver_1',
  settled: true,
  decidedAt: new Date('2026-01-02T03:04:05Z'),
};

const shown = (of: 'rule' | 'subject', over: Partial<ShownDecision> = {}) =>
  renderToStaticMarkup(<DecisionList project="p" decisions={[{ ...decision, ...over }]} of={of} />);

test('X-10 a decision with a verdict links to it, a pending one says so', () => {
  expect(shown('subject')).toContain('href="/p/p/verdicts/ver_1"');
  expect(shown('subject')).toContain('Verified');
  const waiting = shown('subject', {
    settled: false,
    reason: 'waiting, due at 2026-01-02T03:05:00Z',
  });
  expect(waiting).toContain('Sent to its verifier');
  expect(waiting).toContain('waiting, due at');
});

test('X-10 without a verdict the reason is shown as text, never as markup', () => {
  const html = shown('rule', {
    state: 'filtered',
    reason: 'model: "<img>\u202e" is not "x"',
    verdictId: null,
  });
  expect(html).toContain('Filtered out');
  expect(html).not.toContain('<img>');
  expect(html).toContain('Hidden character U+202E');
  expect(html).not.toContain('/verdicts/');
});

test("X-10 on a rule's page each line names its subject, on a subject's page its rule", () => {
  expect(shown('rule')).toContain('href="/p/p/turns/t%2F1"');
  expect(shown('subject', { revision: 2 })).toMatch(
    /integrity <span[^>]*>version 3<\/span><span[^>]*>, revision 2/,
  );
});
