import { describe, expect, test } from 'vitest';
import { type AlertStatus, transitionOf } from './alert-status';

const minute = 60_000;
const at = (minutes: number): Date => new Date(Date.UTC(2026, 0, 5) + minutes * minute);
const rule = { noData: 'ok', renotifyMinutes: 60 } as const;
const ok: AlertStatus = { state: 'ok', since: at(0), found: 0, notifiedAt: null };
const known: AlertStatus = { state: 'alerting', since: at(10), found: 4, notifiedAt: at(10) };

describe('R-49 notices are sent when it begins, repeatedly at the rule’s interval, and when it ends', () => {
  test.each([
    ['it was never checked', null, 'alerting', 5, { event: 'began', notifies: true, found: 1 }],
    ['it begins', ok, 'alerting', 5, { event: 'began', notifies: true, found: 1 }],
    ['it lasts', known, 'alerting', 69, { event: null, notifies: false, found: 5 }],
    [
      'it lasts for the repeat interval',
      known,
      'alerting',
      70,
      { event: 'lasts', notifies: true, found: 5 },
    ],
    ['it ends', known, 'ok', 11, { event: 'recovered', notifies: true, found: 4 }],
    ['nothing happens', ok, 'ok', 5, { event: null, notifies: false, found: 0 }],
    ['its data are gone', ok, 'no_data', 5, { event: 'no_data', notifies: false, found: 0 }],
  ] as const)('%s', (_, before, found, minutes, expected) => {
    expect(transitionOf(before, found, rule, at(minutes))).toMatchObject(expected);
  });

  test('an acknowledged alert is not notified again while it lasts, and its end is', () => {
    const acknowledged = { ...rule, isAcknowledged: true };
    expect(transitionOf(known, 'alerting', acknowledged, at(1e6))).toMatchObject({
      event: null,
      notifies: false,
    });
    expect(transitionOf(known, 'ok', acknowledged, at(1e6))).toMatchObject({
      event: 'recovered',
      notifies: true,
    });
    expect(transitionOf(ok, 'alerting', acknowledged, at(1e6))).toMatchObject({
      event: 'began',
      notifies: true,
    });
  });

  test('without a repeat interval there is one notice', () => {
    expect(
      transitionOf(known, 'alerting', { ...rule, renotifyMinutes: null }, at(1e6)),
    ).toMatchObject({
      event: null,
      notifies: false,
    });
  });

  test('an alert that flaps every minute is notified once per quarter of an hour, and all of it is in the history', () => {
    let status: AlertStatus | null = null;
    const notified: string[] = [];
    const events: string[] = [];
    for (let n = 0; n < 60; n++) {
      const step = transitionOf(status, n % 2 === 0 ? 'alerting' : 'ok', rule, at(n));
      status = step.status;
      if (step.event !== null) events.push(step.event);
      if (step.notifies) notified.push(`${n} ${step.event ?? ''}`);
    }
    expect(events).toHaveLength(60);
    expect(notified).toEqual([
      '0 began',
      '1 recovered',
      '16 began',
      '17 recovered',
      '32 began',
      '33 recovered',
      '48 began',
      '49 recovered',
    ]);
  });

  test('an alert that began in a quiet period and persists is notified after it; one that ended meanwhile is not', () => {
    const ended: AlertStatus = { state: 'ok', since: at(20), found: 0, notifiedAt: at(20) };
    const began = transitionOf(ended, 'alerting', rule, at(21));
    expect(began).toMatchObject({ event: 'began', notifies: false });
    expect(transitionOf(began.status, 'ok', rule, at(22))).toMatchObject({
      event: 'recovered',
      notifies: false,
    });
    const lasts = transitionOf(began.status, 'alerting', rule, at(35));
    expect(lasts).toMatchObject({
      event: 'lasts',
      notifies: true,
      found: 2,
      status: { since: at(21), found: 0 },
    });
    expect(transitionOf(lasts.status, 'ok', rule, at(36))).toMatchObject({
      event: 'recovered',
      notifies: true,
    });
  });
});

describe('X-12 the rule defines the meaning of no data', () => {
  test.each([
    ['ok', known, 'no_data', 'no_data'],
    ['ok', ok, 'no_data', 'no_data'],
    ['keep', known, 'alerting', null],
    ['keep', ok, 'ok', null],
    ['keep', null, 'no_data', null],
    ['alert', ok, 'alerting', 'began'],
    ['alert', null, 'alerting', 'began'],
  ] as const)('%s after %o is %s', (noData, before, state, event) => {
    expect(transitionOf(before, 'no_data', { ...rule, noData }, at(11))).toMatchObject({
      status: { state },
      event,
    });
  });
});
