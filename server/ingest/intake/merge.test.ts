import { expect, test } from 'vitest';
import { sha256 } from '../../platform';
import { mergeVersions, sameContent } from './merge';

const version = (value: object | string) => {
  const payload = typeof value === 'string' ? value : JSON.stringify(value);
  return { payload, contentHash: sha256(payload) };
};

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length < 2) return [[...items]];
  return items.flatMap((item, i) =>
    permutations(items.filter((_, j) => j !== i)).map((rest) => [item, ...rest]),
  );
}

test('versions merge to the same turn in any order and number', () => {
  const versions = [
    version({ id: 't', output: 'early', model: 'm1', ended_at: '2026-01-04T14:00:00Z' }),
    version({ id: 't', output: 'late', model: null, ended_at: '2026-01-04T15:00:00+01:00' }),
    version({ id: 't', output: 'latest', ended_at: '2026-01-04T15:00:00Z', metadata: { a: 1 } }),
    version('{"id":"t","output":"no time","cost_usd":0.0040}'),
  ];
  const results = new Set(
    permutations(versions).map((order) => mergeVersions([...order, ...order]).payload),
  );
  expect([...results]).toHaveLength(1);
  const merged = [...results][0] ?? '';
  expect(JSON.parse(merged)).toMatchObject({ output: 'latest', model: 'm1', metadata: { a: 1 } });
  expect(merged).toContain('"cost_usd":0.0040');
});

test('another spelling is not other content', () => {
  expect(sameContent('{"a":1,"b":"x"}', ' {"b":"\\u0078", "a":1}')).toBe(true);
  expect(sameContent('{"a":1}', '{"a":1.0}')).toBe(false);
});
