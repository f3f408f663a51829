import { expect, test } from 'vitest';
import type { AskErrorClass } from '../../domain';
import { createEndpoints } from './endpoints';
import { type CallFault, callWithRetries } from './retry';

/**
 * The error when no call could be made: it names the outage, if there is one, and never only the
 * wait.
 */

const key = { endpoint: 'openai', model: 'gpt-4o' };
const signal = new AbortController().signal;

/** Time advances only by waits, which pass at once. */
function createCalls() {
  let now = 0;
  const clock = { monotonicMs: () => now };
  const wait = (ms: number): Promise<void> => Promise.resolve(void (now += ms));
  const endpoints = createEndpoints({ clock, wait, random: () => 0 });
  const call = (
    answer: () => CallFault | { readonly state: 'answered'; readonly latencyMs: number },
    deadlineMs: number,
    model = key.model,
  ) =>
    callWithRetries(
      { clock, endpoints },
      { key: { ...key, model }, deadlineAt: now + deadlineMs, signal },
      () => Promise.resolve(answer()),
    );
  return { call, endpoints };
}

const failing = (errorClass: AskErrorClass, message: string) => (): CallFault => ({
  state: 'failed',
  errorClass,
  message,
  retryAfterMs: null,
});

test.each([
  ['overloaded', '500: upstream is down'],
  ['overloaded', '503'],
  ['unreachable', 'the provider cannot be reached, or broke off'],
  ['timeout', 'no complete reply before the deadline'],
  ['unauthorized', '401: wrong key'],
  ['rate_limited', '429: quota used up'],
] as const)(
  'R-58 after %s "%s" the next question reports this outage, not a full queue',
  async (errorClass, message) => {
    const { call } = createCalls();
    await call(failing(errorClass, message), 10);
    const next = await call(() => ({ state: 'answered', latencyMs: 0 }), 10);
    expect(next).toMatchObject({
      state: 'failed',
      errorClass,
      message: expect.stringContaining(message) as string,
    });
    expect(next).not.toMatchObject({ message: expect.stringMatching(/no place/) as string });
  },
);

test('R-52 an open breaker reports the model’s last answer', async () => {
  const { call } = createCalls();
  for (let i = 0; i < 2; i++) await call(failing('overloaded', '500: upstream is down'), 60_000);
  const message = expect.stringMatching(
    /five times in a row, the last time with "500: upstream is down"/,
  ) as string;
  expect(await call(() => ({ state: 'answered', latencyMs: 0 }), 10)).toMatchObject({
    errorClass: 'breaker_open',
    message,
  });
});

test('R-51 an answer ends the outage: later questions report a full queue as such', async () => {
  const { call, endpoints } = createCalls();
  await call(failing('overloaded', '500'), 10);
  expect(await call(() => ({ state: 'answered', latencyMs: 0 }), 60_000)).toEqual({
    state: 'answered',
    latencyMs: 0,
  });
  for (let i = 0; i < 8; i++) await endpoints.admit(key, 0, signal);
  expect(await call(() => ({ state: 'answered', latencyMs: 0 }), 0)).toMatchObject({
    message: expect.stringMatching(/at a time were under way/) as string,
  });
});
