import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Ctx } from '../../platform';
import { createGroupCommit } from './group-commit';

interface Row {
  readonly key: string;
  readonly bytes: number;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A group commit with a storage that answers on request. */
function bench() {
  const commits: { readonly keys: string[]; readonly lane: number; readonly end: () => void }[] =
    [];
  const ctx = {
    clock: { now: () => new Date(), monotonicMs: () => performance.now() },
    log: { warn: () => undefined },
  } as unknown as Ctx;
  const group = createGroupCommit<Row, string>(ctx, {
    projectOf: () => 'prj_1',
    keyOf: (row) => row.key,
    bytesOf: (row) => row.bytes,
    store: (rows, { lane }) =>
      new Promise((resolve) => {
        const keys = rows.map((row) => row.key);
        commits.push({ keys, lane, end: () => resolve(keys) });
      }),
    repeat: (_row, _first, result) => result,
    refuse: () => 'refused',
  });
  let made = 0;
  const write = async (count: number, bytes = 100): Promise<void> => {
    void group.write(
      Array.from({ length: count }, () => ({ key: `k${String(made++).padStart(5, '0')}`, bytes })),
    );
    await vi.advanceTimersByTimeAsync(1);
  };
  return { commits, write, sizes: () => commits.map(({ keys }) => keys.length) };
}

test('rows that arrive during a commit go into the next one, together', async () => {
  const { commits, write, sizes } = bench();
  await write(1);
  await write(3);
  await write(4);
  expect(sizes()).toEqual([1]);
  commits[0]?.end();
  await vi.advanceTimersByTimeAsync(1);
  expect(sizes()).toEqual([1, 7]);
});

test.each([
  ['63 rows', 63, 100, [1]],
  ['64 rows', 64, 100, [1, 64]],
  ['just under 1 MiB', 1, 1024 * 1024 - 1, [1]],
  ['1 MiB', 1, 1024 * 1024, [1, 1]],
])(
  'a second commit runs next to the first for this much: %s',
  async (_what, count, bytes, expected) => {
    const { write, sizes } = bench();
    await write(1);
    await write(count, bytes);
    expect(sizes()).toEqual(expected);
  },
);

test('a commit that takes 25 ms delays no one, and a third waits for one of the two', async () => {
  const { commits, write, sizes } = bench();
  await write(1);
  await write(2);
  await vi.advanceTimersByTimeAsync(20);
  expect(sizes()).toEqual([1]);
  await vi.advanceTimersByTimeAsync(10);
  expect(sizes()).toEqual([1, 2]);
  expect(new Set(commits.map(({ lane }) => lane)).size).toBe(2);
  await write(500);
  await vi.advanceTimersByTimeAsync(1000);
  expect(sizes()).toEqual([1, 2]);
  commits[1]?.end();
  await vi.advanceTimersByTimeAsync(1);
  expect(sizes()).toEqual([1, 2, 500]);
});
