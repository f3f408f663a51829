import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createChangePublisher } from './notify-changed';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test('changes are sent at once, then batched: at most one notification a second, however much happens', async () => {
  const sent: (readonly string[])[] = [];
  const publish = createChangePublisher(async (notices) => sent.push(notices));
  for (let n = 0; n < 1000; n++) publish('prj_1', 'turns');
  publish('prj_2', 'jobs');
  publish('prj_1', 'calls');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent).toEqual([['prj_1 calls turns', 'prj_2 jobs']]);
  for (let n = 0; n < 1000; n++) publish('prj_1', 'turns');
  await vi.advanceTimersByTimeAsync(900);
  expect(sent).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent[1]).toEqual(['prj_1 turns']);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(sent).toHaveLength(2);
  publish('prj_1', 'jobs');
  await vi.advanceTimersByTimeAsync(0);
  expect(sent[2]).toEqual(['prj_1 jobs']);
});
