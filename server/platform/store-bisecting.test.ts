import fc from 'fast-check';
import { expect, test } from 'vitest';
import { storeBisecting } from './store-bisecting';

const fault = (code: string): Error => Object.assign(new Error(code), { code });
const data = '22P05';
const deadlock = '40P01';

/** A table that refuses a whole statement if it contains a bad row. */
function createTable(bad: ReadonlySet<number>) {
  const stored: number[] = [];
  let statements = 0;
  return {
    stored,
    statements: () => statements,
    store: async (rows: readonly number[]): Promise<void> => {
      statements++;
      if (rows.some((row) => bad.has(row))) throw fault(data);
      stored.push(...rows);
    },
  };
}

test('stores all rows but the bad ones, each once and in order, in few statements', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(70), fc.uniqueArray(fc.nat(69), { maxLength: 5 }), async (n, some) => {
      const rows = Array.from({ length: n }, (_, row) => row);
      const bad = new Set(some.filter((row) => row < n));
      const table = createTable(bad);
      const refused: number[] = [];
      await storeBisecting(rows, table.store, (row) => void refused.push(row));
      expect(table.stored).toEqual(rows.filter((row) => !bad.has(row)));
      expect(refused).toEqual([...bad].sort((a, b) => a - b));
      const depth = n > 1 ? Math.ceil(Math.log2(n)) : 0;
      expect(table.statements()).toBeLessThanOrEqual(1 + 2 * depth * bad.size);
    }),
  );
});

test('waits for the handling of a bad row before it continues', async () => {
  const table = createTable(new Set([1]));
  const seen: string[] = [];
  await storeBisecting([1, 2], table.store, async (row) => {
    await Promise.resolve();
    seen.push(`bad ${row}, stored ${table.stored.join()}`);
  });
  expect(seen).toEqual(['bad 1, stored ']);
  expect(table.stored).toEqual([2]);
});

test.each([
  { codes: [], times: 1, ends: 'stored' },
  { codes: [deadlock, deadlock, deadlock], times: 4, ends: 'stored' },
  { codes: [deadlock, deadlock, deadlock, deadlock], times: 4, ends: deadlock },
  { codes: ['CONNECTION_CLOSED'], times: 1, ends: 'CONNECTION_CLOSED' },
  { codes: ['42P01'], times: 1, ends: '42P01' },
])('$codes: tried $times times, ends $ends', async ({ codes, times, ends }) => {
  const left = [...codes];
  let tried = 0;
  const ended = await storeBisecting(
    [1, 2],
    async () => {
      tried++;
      const code = left.shift();
      if (code !== undefined) throw fault(code);
    },
    () => {
      throw new Error('no row is bad');
    },
  ).then(
    () => 'stored',
    (error: unknown) => (error instanceof Error ? error.message : ''),
  );
  expect({ tried, ended }).toEqual({ tried: times, ended: ends });
});
