import { expect, test } from 'vitest';
import { createSemaphore } from './semaphore';

/** Runs that end on request of the test. */
function stage(bears: number) {
  const pass = createSemaphore(bears);
  const running = new Set<string>();
  const ends = new Map<string, () => void>();
  return {
    running: () => [...running],
    send: (name: string, weight: number): Promise<string> =>
      pass(weight, async () => {
        running.add(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        running.delete(name);
        return name;
      }),
    end: async (name: string): Promise<void> => {
      ends.get(name)?.();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test('light runs pass together, and one with the full weight waits for them and blocks those behind it', async () => {
  const { running, send, end } = stage(2);
  const all = [send('a', 1), send('b', 1), send('alone', 2), send('c', 1)];
  await end('');
  expect(running()).toEqual(['a', 'b']);
  await end('a');
  expect(running()).toEqual(['b']);
  await end('b');
  expect(running()).toEqual(['alone']);
  await end('alone');
  expect(running()).toEqual(['c']);
  await end('c');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'alone', 'c']);
});

test('a run that throws releases its slot, and its error reaches the caller', async () => {
  const pass = createSemaphore(1);
  await expect(pass(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await pass(1, () => Promise.resolve('next'))).toBe('next');
});
