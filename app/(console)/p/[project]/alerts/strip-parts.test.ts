import { expect, test } from 'vitest';
import type { Alert, AlertEvent } from '@/app/_trpc/outputs';
import { alertedIn, stripParts } from './strip-parts';

/** Hours since the first one. */
const at = (hour: number): Date => new Date(hour * 3_600_000);
const change = (event: AlertEvent['event'], hour: number) => ({ event, at: at(hour) });
const shown = (
  state: Alert['state'],
  since: number,
  changes: readonly ReturnType<typeof change>[],
) =>
  stripParts({ state, since: at(since) }, changes, at(10).getTime(), at(20).getTime()).map(
    (part) => `${part.state} ${part.from / 3_600_000}-${part.to / 3_600_000}`,
  );

test.each([
  ['its current state since before the first moment', 'ok', 3, [], ['ok 10-20']],
  [
    'the state before the first change is not invented',
    'ok',
    15,
    [],
    ['unknown 10-15', 'ok 15-20'],
  ],
  [
    'a recovered alert was alerting before',
    'ok',
    15,
    [change('recovered', 15)],
    ['alerting 10-15', 'ok 15-20'],
  ],
  [
    'a beginning is reported once',
    'alerting',
    15,
    [change('began', 15)],
    ['unknown 10-15', 'alerting 15-20'],
  ],
  [
    'in any order, and notices that it lasts are no change',
    'ok',
    18,
    [change('began', 12), change('recovered', 18), change('lasts', 14), change('recovered', 5)],
    ['ok 10-12', 'alerting 12-18', 'ok 18-20'],
  ],
  [
    'between the last change and the current state, it has the state of the change',
    'ok',
    19,
    [change('no_data', 16), change('began', 11)],
    ['unknown 10-11', 'alerting 11-16', 'no_data 16-19', 'ok 19-20'],
  ],
  [
    'changes after the last moment are not drawn',
    'alerting',
    25,
    [change('began', 25)],
    ['unknown 10-20'],
  ],
] as const)('%s', (_, state, since, changes, parts) =>
  expect(shown(state, since, changes)).toEqual(parts),
);

test('alerting parts are counted and summed', () => {
  const parts = stripParts(
    { state: 'ok', since: at(18) },
    [change('began', 17), change('recovered', 12), change('recovered', 18)],
    0,
    at(20).getTime(),
  );
  expect(alertedIn(parts)).toEqual({ times: 2, seconds: 13 * 3600 });
});
