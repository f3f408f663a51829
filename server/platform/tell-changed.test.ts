import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createTeller } from './tell-changed';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('changes are told at once, then gathered: at most one sending a second, however much happens', async () => {
  const sent: (readonly string[])[] = [];
  const tell = createTeller(async (notices) => sent.push(notices));
  for (let n = 0; n < 1000; n++) tell('prj_1', 'turns');
  tell('prj_2', 'jobs');
  tell('prj_1', 'calls');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([['prj_1 calls turns', 'prj_2 jobs']]);
  for (let n = 0; n < 1000; n++) tell('prj_1', 'turns');
  await vi.advanceTimersByTimeAsync(900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent[1]).toEqual(['prj_1 turns']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(2);
  tell('prj_1', 'jobs');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent[2]).toEqual(['prj_1 jobs']);
});
