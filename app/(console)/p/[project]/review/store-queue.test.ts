import { expect, test } from 'vitest';
import { queueOf, StoreQueue } from './store-queue';

/** Jobs that end on request of the test. */
function createJobs() {
  const queue = new StoreQueue();
  const begun: string[] = [];
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const add = (key: string, name: string): Promise<void> =>
    queue.add(key, () => {
      begun.push(name);
      return new Promise<void>((resolve, reject) => ends.set(name, { resolve, reject }));
    });
  return {
    begun,
    add,
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  };
}

test('four jobs run at once, and the fifth begins when one of them has ended', async () => {
  const { begun, add, end } = createJobs();
  const jobs = ['a', 'b', 'c', 'd', 'e'].map((name) => add(name, name));
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  end('b');
  await jobs[1];
  await Promise.resolve();
  expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('jobs of one item keep their order, do not block others, and continue after a failed one', async () => {
  const { begun, add, end, fail } = createJobs();
  const rule = add('a', 'rule a');
  const undo = add('a', 'undo a');
  void add('b', 'rule b');
  expect(begun).toEqual(['rule a', 'rule b']);
  fail('rule a');
  await expect(rule).rejects.toThrow('rule a');
  await Promise.resolve();
  expect(begun).toEqual(['rule a', 'rule b', 'undo a']);
  end('undo a');
  await expect(undo).resolves.toBeUndefined();
});

test('the queue of a person and project is shared by all callers', () => {
  expect(queueOf('p ann')).toBe(queueOf('p ann'));
  expect(queueOf('p ann')).not.toBe(queueOf('p ben'));
});
