import { expect, test } from 'vitest';
import {
  type ThresholdAddress,
  thresholdHref,
  flipsHref,
  readStaged,
  simulateBody,
  switchKey,
} from './addresses';

const address: ThresholdAddress = {
  verifier: 'task',
  key: 'pass_threshold',
  value: 0.6,
  mission: null,
  task: null,
  days: 90,
  staged: [{ key: 'fail_threshold', value: 0.35 }],
  miss: 10,
  reject: 1,
  review: 1,
};

test('the thresholds page is kept in its URL, and so is every page behind it', () => {
  expect(decodeURIComponent(thresholdHref('p', address))).toBe(
    '/p/p/thresholds?verifier=task&key=pass_threshold&value=0.6&days=90&staged=fail_threshold:0.35',
  );
  expect(thresholdHref('p', {})).toBe('/p/p/thresholds');
  expect(flipsHref('p', { ...address, mission: 'a b&c' })).toBe(
    '/p/p/thresholds/flips?verifier=task&key=pass_threshold&value=0.6&mission=a+b%26c&days=90',
  );
});

test.each<[string, string, object[]]>([
  [
    'two keys',
    'fail_threshold:0.35,confidence_threshold:0.6',
    [{ value: 0.35 }, { key: 'confidence_threshold' }],
  ],
  ['points', 'large:82', [{ key: 'large', value: 82 }]],
  ['nothing', '', []],
  ['no numbers', 'a:x,b:,c,:1,d:1e9,__proto__:NaN', []],
])('staged values are read from %s', (_, text, expected) => {
  expect(readStaged(text)).toMatchObject(expected);
  expect(readStaged(text)).toHaveLength(expected.length);
});

test('the value of the previous key is staged, and that of the next one is taken from the staged ones', () => {
  const there = switchKey(address, 'fail_threshold');
  expect(there).toMatchObject({
    key: 'fail_threshold',
    value: 0.35,
    staged: [{ key: 'pass_threshold', value: 0.6 }],
  });
  expect(switchKey(there, 'pass_threshold')).toEqual(address);
  expect(switchKey({ ...address, value: null }, 'confidence_threshold')).toMatchObject({
    value: null,
    staged: address.staged,
  });
  expect(switchKey(address, 'pass_threshold')).toBe(address);
});

test("prices in a URL are clamped to the server's limits", () => {
  expect(simulateBody({ ...address, miss: 1e12, reject: -3 }, [0.6]).prices).toEqual({
    missed: 1e6,
    rejected: 0,
    review: 1,
  });
});
