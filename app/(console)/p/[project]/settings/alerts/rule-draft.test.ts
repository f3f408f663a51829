import { describe, expect, test } from 'vitest';
import type { AlertRule } from '@/app/_trpc/outputs';
import { PutAlertRuleIn } from '@/server/alerts/input';
import { draftOf, readRule } from './rule-draft';

const stored: AlertRule = {
  kind: 'catch_rate',
  verifier: null,
  isOwn: false,
  enabled: true,
  severity: 'high',
  meaning: 'Caught of all defects',
  limit: 0.6,
  minLimit: 0,
  maxLimit: 1,
  windowMinutes: 7 * 24 * 60,
  noData: 'ok',
  renotifyMinutes: null,
  updatedBy: null,
  updatedAt: null,
};
const stalled: AlertRule = {
  ...stored,
  kind: 'intake_stalled',
  limit: 300,
  minLimit: 30,
  maxLimit: null,
  renotifyMinutes: 90,
};
const quarantined: AlertRule = {
  ...stored,
  kind: 'work_set_aside',
  limit: 3,
  minLimit: 0,
  maxLimit: null,
};

test('a rule that is formatted for the form and parsed again is the same rule, and the server accepts it', () => {
  expect(draftOf(stored)).toEqual({
    enabled: true,
    limit: '60',
    window: '7 d',
    noData: 'ok',
    renotify: '',
  });
  expect(draftOf(stalled)).toMatchObject({ limit: '5 min', renotify: '1 h 30 min' });
  for (const rule of [stored, stalled, quarantined, { ...stored, limit: 0.155 }]) {
    const read = readRule(rule, draftOf(rule));
    expect(read).toEqual({
      enabled: rule.enabled,
      limit: rule.limit,
      window_minutes: rule.windowMinutes,
      no_data: rule.noData,
      renotify_minutes: rule.renotifyMinutes,
    });
    expect(
      PutAlertRuleIn.safeParse({ project: 'ops', kind: rule.kind, verifier: null, rule: read })
        .success,
    ).toBe(true);
  }
});

describe('an invalid rule is refused next to its field', () => {
  test.each([
    [stored, 'limit', '', /from 0 to 100\./],
    [stored, 'limit', '101', /from 0 to 100\./],
    [stored, 'limit', 'half', /from 0 to 100\./],
    [stalled, 'limit', '5', /of 30 s or more/],
    [stalled, 'limit', '10 s', /of 30 s or more/],
    [quarantined, 'limit', '1.5', /whole number of 0 or more/],
    [stored, 'window', '', /from 5 min to 90 d/],
    [stored, 'window', '4 min', /from 5 min to 90 d/],
    [stored, 'window', '91 d', /from 5 min to 90 d/],
    [stored, 'window', '330 s', /whole minutes/],
    [stored, 'renotify', '31 d', /from 5 min to 30 d/],
  ] as const)('%#', (rule, name, value, said) => {
    const read = readRule(rule, { ...draftOf(rule), [name]: value });
    expect('errors' in read ? read.errors : {}).toEqual({ [name]: expect.stringMatching(said) });
  });
});

test('a kind without a limit has a null limit; a kind with an optional limit never alerts without one', () => {
  expect(
    readRule({ ...stored, kind: 'sandbox_down' }, { ...draftOf(stored), limit: '7' }),
  ).toMatchObject({ limit: null });
  expect(
    readRule({ ...stored, kind: 'corrected_pass_rate' }, { ...draftOf(stored), limit: ' ' }),
  ).toMatchObject({ limit: null });
});
