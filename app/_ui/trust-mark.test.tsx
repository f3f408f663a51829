import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Trust } from '../_trpc/outputs';
import { TrustGlyph, trustStyles, TrustMark } from './trust-mark';
import { TrustNote } from './trust-note';

const trust: Trust = {
  verifier: 'task',
  version: 2,
  judge: 'gpt-4o',
  state: 'provisional',
  gaps: [{ what: 'labels', text: 'A gap with <b>numbers</b>.', have: 1, need: 2 }],
  enforced: true,
  mayBlock: false,
  measures: null,
  since: null,
  checkedAt: null,
};

test('each state has its own word and shape, and none is distinguished by colour alone', () => {
  const states = Object.keys(trustStyles) as Trust['state'][];
  expect(states).toEqual(['unmeasured', 'provisional', 'qualified', 'stale']);
  expect(new Set(states.map((state) => trustStyles[state].word)).size).toBe(4);
  expect(
    new Set(states.map((state) => renderToStaticMarkup(<svg>{trustStyles[state].shape}</svg>)))
      .size,
  ).toBe(4);
  for (const state of states) {
    expect(
      renderToStaticMarkup(<TrustMark trust={{ state, enforced: false, mayBlock: true }} />),
    ).toContain(trustStyles[state].word);
    expect(renderToStaticMarkup(<TrustGlyph trust={{ ...trust, state }} />)).toContain(
      trustStyles[state].word.toLowerCase(),
    );
  }
});

test('“advises only” is shown where trust is enforced, and nowhere else', () => {
  expect(renderToStaticMarkup(<TrustMark trust={trust} />)).toContain('advises only');
  expect(
    renderToStaticMarkup(<TrustMark trust={{ ...trust, enforced: false, mayBlock: true }} />),
  ).not.toContain('advises only');
  expect(renderToStaticMarkup(<TrustGlyph trust={undefined} />)).toBe('');
});

test('gaps open by keyboard, as text', () => {
  const html = renderToStaticMarkup(<TrustNote trust={trust} href="/p/x/verifiers/task#trust" />);
  expect(html).toMatch(/<details[^>]*><summary/);
  expect(html).toContain('A gap with &lt;b&gt;numbers&lt;/b&gt;.');
  expect(html).toContain('It may not block or steer until it is qualified');
  expect(html).toContain('href="/p/x/verifiers/task#trust"');
});
