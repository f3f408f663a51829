import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLog } from '../platform';
import { createWakeSignal, type Poll, poll } from './poll';

const hourMs = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A loop that claims the items of `pending`, one at a time; it throws an Error among them. */
function start(pending: (number | Error)[], options: Partial<Poll<number>> = {}) {
  const log = createLog('test', 'silent');
  const warned: string[] = [];
  vi.spyOn(log, 'warn').mockImplementation(
    (...details: unknown[]) => void warned.push(String(details[1])),
  );
  const stopping = new AbortController();
  const ran: number[] = [];
  let claims = 0;
  const ended = poll<number>(
    { log },
    {
      name: 'test loop',
      signal: stopping.signal,
      async claim() {
        claims++;
        const next = pending.shift() ?? null;
        if (next instanceof Error) throw next;
        return next;
      },
      run: async (claimed) => void ran.push(claimed),
      idleMs: hourMs,
      ...options,
    },
  );
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { pending, ran, warned, stopping, ended, settle, claims: () => claims };
}

test('runs all ready work without a pause, then claims again after the idle time', async () => {
  const loop = start([1, 2, 3]);
  await loop.settle();
  expect(loop.ran).toEqual([1, 2, 3]);
  expect(loop.claims()).toBe(4);
  loop.pending.push(4);
  await vi.advanceTimersByTimeAsync(hourMs - 1);
  expect(loop.ran).toEqual([1, 2, 3]);
  await vi.advanceTimersByTimeAsync(1);
  expect(loop.ran).toEqual([1, 2, 3, 4]);
  loop.stopping.abort();
  await loop.ended;
});

test('a wake-up ends the wait, also one that came during the claim', async () => {
  const wakeSignal = createWakeSignal();
  const loop = start([], { wakeSignal });
  await loop.settle();
  loop.pending.push(1);
  wakeSignal.wake();
  await loop.settle();
  expect(loop.ran).toEqual([1]);
  const claims = loop.claims();
  wakeSignal.wake();
  wakeSignal.wake();
  await loop.settle();
  expect(loop.claims()).toBe(claims + 1);
  loop.stopping.abort();
  await loop.ended;
});

test('work stored during an empty claim is claimed at once', async () => {
  const wakeSignal = createWakeSignal();
  const answers: (number | null)[] = [null, 7];
  const ran: number[] = [];
  const stopping = new AbortController();
  const ended = poll<number>(
    { log: createLog('test', 'silent') },
    {
      name: 'test loop',
      signal: stopping.signal,
      wakeSignal,
      claim: async () => {
        const answer = answers.shift() ?? null;
        if (answer === null && answers.length > 0) wakeSignal.wake();
        return answer;
      },
      run: async (claimed) => void ran.push(claimed),
      idleMs: hourMs,
    },
  );
  await vi.advanceTimersByTimeAsync(0);
  expect(ran).toEqual([7]);
  stopping.abort();
  await ended;
});

test('a fault is logged, and the loop continues half a second later; a wake-up does not shorten this pause', async () => {
  const wakeSignal = createWakeSignal();
  const loop = start([new Error('PostgreSQL is away'), 5], { wakeSignal });
  await loop.settle();
  wakeSignal.wake();
  await vi.advanceTimersByTimeAsync(499);
  expect(loop.ran).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(loop.ran).toEqual([5]);
  expect(loop.warned).toEqual(['test loop: storage fault']);
  loop.stopping.abort();
  await loop.ended;
});

test('rests between claims for the given time', async () => {
  const loop = start([1, 2], { restMs: (claimed) => (claimed ? 250 : 0) });
  await loop.settle();
  expect(loop.ran).toEqual([1]);
  await vi.advanceTimersByTimeAsync(250);
  expect(loop.ran).toEqual([1, 2]);
  loop.stopping.abort();
  await loop.ended;
});

test('listens, and is woken by notifications; without them it polls at the idle time', async () => {
  let notify = (): void => undefined;
  const unlisten = vi.fn<() => Promise<void>>(async () => undefined);
  const polling = start([], {
    listen: async (wake) => {
      notify = wake;
      return { unlisten };
    },
  });
  await polling.settle();
  polling.pending.push(1);
  notify();
  await polling.settle();
  expect(polling.ran).toEqual([1]);
  polling.stopping.abort();
  await polling.ended;
  expect(unlisten).toHaveBeenCalledOnce();

  const deaf = start([], { listen: () => Promise.reject(new Error('no connection')) });
  await deaf.settle();
  deaf.pending.push(2);
  await vi.advanceTimersByTimeAsync(hourMs);
  expect(deaf.ran).toEqual([2]);
  expect(deaf.warned).toEqual([`test loop: no wake-ups, looking every ${hourMs} ms`]);
  deaf.stopping.abort();
  await deaf.ended;
});

test.each(['idle', 'resting', 'after a fault'] as const)('stops at once when %s', async (when) => {
  const loop =
    when === 'idle'
      ? start([])
      : when === 'resting'
        ? start([1], { restMs: () => hourMs })
        : start([new Error('away')]);
  await loop.settle();
  const claims = loop.claims();
  loop.stopping.abort();
  await loop.ended;
  expect(loop.claims()).toBe(claims);
  expect(vi.getTimerCount()).toBe(0);
});

test('stops only after claimed work has run', async () => {
  let finish = (): void => undefined;
  const loop = start([1], {
    run: () =>
      new Promise<void>((resolve) => {
        finish = resolve;
      }),
  });
  await loop.settle();
  let isOver = false;
  void loop.ended.then(() => {
    isOver = true;
  });
  loop.stopping.abort();
  await loop.settle();
  expect(isOver).toBe(false);
  finish();
  await loop.ended;
  expect(loop.claims()).toBe(1);
});
