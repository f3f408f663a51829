import { expect, test } from 'vitest';
import type { Action } from '../domain';
import { type Authority, type JudgeTrust, unbound } from '../thresholds';
import { withinAuthority } from './within-authority';

const qualification = (more: Partial<JudgeTrust>): JudgeTrust => ({
  verifier: 'task',
  judge: 'gpt-4o',
  inForce: true,
  state: 'provisional',
  gaps: [],
  ...more,
});
const bound = (...standings: JudgeTrust[]): Authority => ({ enforced: true, standings });
const decider = { slug: 'task', self: false, judge: 'gpt-4o' };
const gap = { what: 'labels', text: '12 of 20 labels.', have: 12, need: 20 } as const;

const cases: readonly [
  string,
  Authority,
  typeof decider | { slug: string; self: boolean; judge: null },
  boolean,
][] = [
  ['nothing is enforced', unbound, decider, true],
  ['never checked: unmeasured', bound(), decider, false],
  ['unmeasured', bound(qualification({ state: 'unmeasured' })), decider, false],
  ['provisional', bound(qualification({})), decider, false],
  ['stale', bound(qualification({ state: 'stale' })), decider, false],
  ['qualified', bound(qualification({ state: 'qualified' })), decider, true],
  [
    'R-59 qualified is another judge',
    bound(qualification({ judge: 'other', state: 'qualified' })),
    decider,
    false,
  ],
  [
    'R-59 one that stood in, and is qualified',
    bound(qualification({}), qualification({ judge: 'other', inForce: false, state: 'qualified' })),
    { ...decider, judge: 'other' },
    true,
  ],
  [
    'without a judge it goes by the one in force',
    bound(qualification({ state: 'qualified' }), qualification({ judge: 'other', inForce: false })),
    { slug: 'task', self: false, judge: null },
    true,
  ],
  [
    'X-2 of its own work a model is trusted by itself',
    bound(qualification({ state: 'qualified' })),
    { ...decider, self: true },
    false,
  ],
];

test.each(cases)('the right to block: %s', (_name, authority, who, may) => {
  const { action, issues } = withinAuthority({ action: 'retry', issues: [] }, authority, who);
  expect([action, issues.map(({ code, severity }) => `${code} ${severity}`)]).toEqual(
    may ? ['retry', []] : ['accept_with_warning', ['not_qualified low']],
  );
});

test.each<[Action, Action]>([
  ['retry', 'accept_with_warning'],
  ['reject', 'accept_with_warning'],
  ['abort', 'accept_with_warning'],
  ['escalate', 'escalate'],
  ['accept', 'accept'],
  ['accept_with_warning', 'accept_with_warning'],
  ['none', 'none'],
])('an unqualified verifier that says %s gets %s', (wanted, done) => {
  const before = { code: 'criterion_failed', message: 'm', severity: 'high', path: null } as const;
  const { action, issues } = withinAuthority(
    { action: wanted, issues: [before] },
    bound(qualification({ gaps: [gap] })),
    decider,
  );
  expect(action).toBe(done);
  expect(issues[0]).toBe(before);
  const isBound = wanted !== done;
  const advisories = issues
    .slice(1)
    .map(({ message }) => message.includes('Its trust is provisional: 12 of 20 labels.'));
  expect(advisories).toEqual(isBound ? [true] : []);
});
