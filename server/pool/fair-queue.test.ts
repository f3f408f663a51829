import { describe, expect, test } from 'vitest';
import { AssayError } from '../platform';
import { createFairQueue, type Waiting } from './fair-queue';

const limits = { workMax: 100, tasksMax: 3, waitMs: 60_000 };
const anyone = (): boolean => true;

function task(projectId: string, work = 1): Waiting & { refusal: Error | null } {
  const waiting: Waiting & { refusal: Error | null } = {
    projectId,
    work,
    refusal: null,
    start: () => undefined,
    refuse(error) {
      waiting.refusal = error;
    },
  };
  return waiting;
}

function codeOf(push: () => void): string {
  try {
    push();
    return 'waits';
  } catch (error) {
    return error instanceof AssayError ? `${error.code} ${error.retryAfterS}` : 'other';
  }
}

describe('R-105 the queue of the pool', () => {
  test('one task of each project in turn, independent of their number', () => {
    const queue = createFairQueue(limits);
    for (const projectId of ['a', 'a', 'a', 'b', 'c', 'b']) queue.push(task(projectId));
    const order = Array.from({ length: 6 }, () => queue.take(anyone)?.projectId);
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a']);
    expect([queue.take(anyone), queue.size]).toEqual([null, 0]);
  });

  test('a project that has its share of the threads is passed over', () => {
    const queue = createFairQueue(limits);
    for (const projectId of ['a', 'b']) queue.push(task(projectId));
    expect(queue.take((projectId) => projectId !== 'a')?.projectId).toBe('b');
    expect(queue.take((projectId) => projectId !== 'a')).toBeNull();
    expect(queue.take(anyone)?.projectId).toBe('a');
  });

  test.each([
    ['tasks', 1, 3],
    ['estimated work', 40, 2],
  ])(
    'a project over its share of waiting %s hears 429, and no other does',
    (_what, work, waiting) => {
      const queue = createFairQueue(limits);
      for (let i = 0; i < waiting; i++)
        expect(codeOf(() => queue.push(task('a', work)))).toBe('waits');
      expect(codeOf(() => queue.push(task('a', work)))).toBe('rate_limited 2');
      expect(codeOf(() => queue.push(task('b', work)))).toBe('waits');
      queue.take(anyone);
      expect(codeOf(() => queue.push(task('a', work)))).toBe('waits');
    },
  );

  test('a single task may be larger than the share: it would never run otherwise', () => {
    expect(codeOf(() => createFairQueue(limits).push(task('a', 1_000)))).toBe('waits');
  });

  test('a task that waited too long gets 429, and the others keep their positions', async () => {
    const queue = createFairQueue({ ...limits, waitMs: 1 });
    const late = task('a');
    const heard = new Promise<void>((resolve) => {
      Object.assign(late, {
        refuse: (error: Error): void => {
          late.refusal = error;
          resolve();
        },
      });
    });
    queue.push(late);
    await heard;
    expect(late.refusal).toMatchObject({ code: 'rate_limited' });
    expect(queue.size).toBe(0);
  });
});
