import fc from 'fast-check';
import postgres, { type Sql } from 'postgres';
import { expect, test } from 'vitest';
import { joinStatements } from './joined-statements';

const ctx = { sql: {} as Sql };

/** PostgreSQL's error for data that it cannot store. */
const dataError = (): Error =>
  Object.assign(new postgres.PostgresError({ message: 'bad data' } as never), {
    code: '22P02',
  });

test('rows of one turn of the event loop share a statement; those that arrive meanwhile share the next', async () => {
  const statements: number[][] = [];
  const ends: (() => void)[] = [];
  const write = joinStatements(async (_, rows: readonly number[]) => {
    statements.push([...rows]);
    await new Promise<void>((resolve) => ends.push(resolve));
    return rows.map((row) => row * 2);
  });
  const eventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const first = Promise.all([write(ctx, 1), write(ctx, 2)]);
  await eventLoop();
  expect(statements).toEqual([[1, 2]]);
  const others = Promise.all([write(ctx, 3), write(ctx, 4), write(ctx, 5)]);
  await eventLoop();
  expect(statements).toEqual([[1, 2]]);
  ends[0]?.();
  expect(await first).toEqual([2, 4]);
  await eventLoop();
  expect(statements).toEqual([
    [1, 2],
    [3, 4, 5],
  ]);
  ends[1]?.();
  expect(await others).toEqual([6, 8, 10]);
});

test('any row that PostgreSQL refuses is refused alone, and every other one has its result', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 250 }), async (refused) => {
      const stored: number[] = [];
      const write = joinStatements((_, rows: readonly number[]) => {
        if (rows.some((row) => refused[row])) return Promise.reject(dataError());
        stored.push(...rows);
        return Promise.resolve(rows.map((row) => `stored ${row}`));
      });
      const results = await Promise.allSettled(refused.map((_, row) => write(ctx, row)));
      expect(results.map((each) => (each.status === 'fulfilled' ? each.value : null))).toEqual(
        refused.map((isRefused, row) => (isRefused ? null : `stored ${row}`)),
      );
      expect(stored.sort((a, b) => a - b)).toEqual(
        refused.flatMap((isRefused, row) => (isRefused ? [] : [row])),
      );
    }),
    { numRuns: 50 },
  );
});

test('a storage fault reaches every waiter, and later writes are stored again', async () => {
  let isDown = true;
  const write = joinStatements((_, rows: readonly number[]) =>
    isDown ? Promise.reject(new Error('connection lost')) : Promise.resolve(rows),
  );
  const failed = await Promise.allSettled([write(ctx, 1), write(ctx, 2), write(ctx, 3)]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  isDown = false;
  expect(await write(ctx, 4)).toBe(4);
});

test('connections are not mixed', async () => {
  const seen: (readonly [Sql, number])[][] = [];
  const write = joinStatements((own: { readonly sql: Sql }, rows: readonly number[]) => {
    seen.push(rows.map((row) => [own.sql, row] as const));
    return Promise.resolve(rows);
  });
  const other = { sql: {} as Sql };
  await Promise.all([1, 2, 3, 4].map((row) => write(row % 2 === 0 ? ctx : other, row)));
  for (const statement of seen) expect(new Set(statement.map(([sql]) => sql)).size).toBe(1);
  expect(seen.flat().length).toBe(4);
});
