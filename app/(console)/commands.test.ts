import { expect, test, vi } from 'vitest';
import type { SavedView } from '../_trpc/outputs';
import { commandsOf, matching } from './commands';

const view: SavedView = {
  id: 'viw_1',
  page: 'gateway-calls',
  name: 'Slow ones',
  query: '?held=true',
  shared: true,
  isMine: false,
  mayChange: false,
  by: 'R',
};
const go = vi.fn<(href: string) => void>();
const commands = (permissions: readonly string[]) =>
  commandsOf({
    project: { slug: 'ops', permissions },
    projects: [{ slug: 'ops', name: 'Ops' }],
    views: [view],
    mayCreate: false,
    go,
    signOut: () => undefined,
  });

test.each([
  ['audit', ['audit.read'], '/p/ops/settings/audit'],
  ['verd', [], '/p/ops/verdicts'],
  ['configure thresh', [], '/p/ops/thresholds'],
  ['slow', [], '/p/ops/gateway/calls?held=true'],
  ['first trace', [], '/p/ops/traces?create=1'],
  ['create key', ['keys.write'], '/p/ops/settings/keys?create=1'],
  ['create a rule', ['settings.write'], '/p/ops/rules?create=1'],
  ['project ops', [], '/p/ops'],
] as const)('%j with %j leads to %s first', (typed, permissions, href) => {
  go.mockClear();
  matching(commands(permissions), typed)[0]?.run();
  expect(go).toHaveBeenCalledExactlyOnceWith(href);
});

test('actions without permission are not offered', () => {
  const names = commands([]).map(({ name }) => name);
  for (const name of [
    'Audit',
    'Create a key',
    'Create a rule',
    'Invite a member',
    'Create a project',
  ])
    expect(names).not.toContain(name);
  expect(matching(commands([]), 'no such words')).toEqual([]);
});
