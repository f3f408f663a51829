import { describe, expect, test } from 'vitest';
import { createRandom } from '../../stats';
import {
  correctedFinding,
  type Drawn,
  evenlyDrawn,
  sequenceOf,
  windowNumber,
} from './corrected-pass-rate';

const dayMs = 86_400_000;
const monday = new Date('2026-01-05T00:00:00Z');
const drawn = (good: readonly boolean[], probability = 0.1): Drawn[] =>
  good.map((each, n) => ({ id: `v${n}`, good: each, probability }));

test.each([
  ['2026-01-05T00:00:00Z', '2026-01-11T23:59:59Z', 7, 1],
  ['2026-01-05T00:00:00Z', '2026-01-12T00:00:00Z', 7, 2],
  ['2026-01-11T23:00:00Z', '2026-01-12T00:00:00Z', 7, 2],
  ['2026-01-05T10:00:00Z', '2026-01-06T00:00:00Z', 1, 2],
  ['2026-01-06T10:00:00Z', '2026-01-05T00:00:00Z', 1, 1],
])('since %s, at %s the window of %i days is number %i', (since, now, days, number) => {
  expect(windowNumber(new Date(since), new Date(now), days * dayMs)).toBe(number);
});

test('labels with a higher draw probability count as often as the others', () => {
  const rare = drawn(Array<boolean>(200).fill(true), 0.05);
  const often = drawn(Array<boolean>(4_000).fill(false), 0.5).map((each) => ({
    ...each,
    id: `o${each.id}`,
  }));
  const even = evenlyDrawn([...rare, ...often]);
  expect(even.filter(({ good }) => good)).toHaveLength(200);
  const kept = even.filter(({ good }) => !good).length;
  expect(Math.abs(kept - 400)).toBeLessThan(80);
  expect(evenlyDrawn([...rare, ...often])).toEqual(even);
  expect(evenlyDrawn(rare)).toHaveLength(200);
});

describe('5.9 the bound holds however often it is checked', () => {
  test('of 200 healthy weeks with repeated checks at most 5 % alert; one with a drop does', () => {
    const random = createRandom(7);
    let alarms = 0;
    for (let week = 0; week < 200; week++) {
      const good = Array.from({ length: 150 }, () => random() < 0.8);
      const isBelow = good.some(
        (_, n) =>
          n % 10 === 9 && n >= 19 && (sequenceOf(drawn(good.slice(0, n + 1)), 1)?.high ?? 1) < 0.8,
      );
      alarms += isBelow ? 1 : 0;
    }
    expect(alarms).toBeLessThanOrEqual(10);
    const fallen = Array.from({ length: 150 }, () => random() < 0.4);
    expect(sequenceOf(drawn(fallen), 10)?.high ?? 1).toBeLessThan(0.8);
  });

  test('later windows have less of the error budget, and are wider', () => {
    const sample = drawn(Array<boolean>(50).fill(true).fill(false, 0, 25));
    const widths = [1, 2, 10, 52].map((number) => sequenceOf(sample, number)?.high ?? 0);
    expect(widths).toEqual(widths.toSorted((one, other) => one - other));
  });
});

test('X-12 fewer than 20 labels are no data', () => {
  const window = { limit: 0.9, lengthMs: 7 * dayMs, now: monday, since: monday };
  expect(correctedFinding('task', drawn(Array<boolean>(19).fill(false)), window)).toMatchObject({
    state: 'no_data',
    value: null,
  });
  expect(correctedFinding('task', drawn(Array<boolean>(60).fill(false)), window)).toMatchObject({
    state: 'alerting',
    value: 0,
  });
  expect(correctedFinding('task', drawn(Array<boolean>(60).fill(true)), window)).toMatchObject({
    state: 'ok',
    value: 1,
  });
});
