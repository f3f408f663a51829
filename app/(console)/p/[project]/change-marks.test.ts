import { expect, test } from 'vitest';
import { asTimeMark } from './change-marks';

const at = new Date('2026-11-23T10:00:00Z');

test.each([
  ['prompts.promote', 'task-criteria@3', '/p/ops/prompts/task-criteria'],
  [
    'thresholds.update',
    'task/pass_threshold',
    '/p/ops/thresholds?verifier=task&key=pass_threshold',
  ],
  ['thresholds.undo', 'task/pass_threshold', '/p/ops/thresholds?verifier=task&key=pass_threshold'],
  ['verifiers.update', 'task', '/p/ops/verifiers/task'],
  ['trust.settings', 'task', '/p/ops/calibration/verifier?verifier=task'],
  ['rules.update', 'nightly', '/p/ops/rules'],
  ['providers.put', 'home', '/p/ops/settings/providers'],
  ['settings.update', null, '/p/ops/settings/judging'],
  ['settings.mission', 'm 7/a', '/p/ops/verdicts?mission=m%207%2Fa'],
  ['of.a.later.release', 'x', null],
])('a mark of %s links to the page that shows the change', (action, target, href) => {
  expect(asTimeMark('ops', { id: 'aud_1', at, action, target }).href).toBe(href);
});

test('a mark names the action and its target; hostile names are made visible', () => {
  expect(
    asTimeMark('ops', { id: 'aud_1', at, action: 'rules.update', target: 'a\u202Eb' }).text,
  ).toMatch(/^Rule changed: a.+b$/);
  expect(asTimeMark('ops', { id: 'aud_1', at, action: 'settings.update', target: null }).text).toBe(
    'Settings changed',
  );
});
