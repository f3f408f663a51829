import { expect, test } from 'vitest';
import type { AskErrorClass } from '../../domain';
import { type CallKey, createEndpoints, type Endpoints } from './endpoints';
import { type CallFault, callWithRetries } from './retry';

const key: CallKey = { endpoint: 'openai', model: 'gpt-4o' };
const never = (): AbortSignal => new AbortController().signal;
type Result = { readonly state: 'answered' } | CallFault;

/** A clock that goes only when no one can do anything else: minutes pass in a moment, in order. */
function fastClock() {
  let now = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  const wait = (ms: number, signal: AbortSignal) =>
    new Promise<void>((wake) => {
      const sleeper = { at: now + ms, wake };
      sleepers.push(sleeper);
      const end = (): void => {
        const at = sleepers.indexOf(sleeper);
        if (at !== -1) sleepers.splice(at, 1);
        wake();
      };
      signal.addEventListener('abort', end, { once: true });
    });
  const settled = async (): Promise<void> => {
    for (let turn = 0; turn < 30; turn++) await Promise.resolve();
  };
  return {
    clock: { monotonicMs: () => now },
    wait,
    /** Until no one sleeps any more, or `until`. */
    async run(until = Number.POSITIVE_INFINITY): Promise<void> {
      for (await settled(); sleepers.length > 0; await settled()) {
        sleepers.sort((a, b) => a.at - b.at);
        const [next] = sleepers;
        if (next === undefined || next.at > until) break;
        sleepers.shift();
        now = Math.max(now, next.at);
        next.wake();
      }
      if (until !== Number.POSITIVE_INFINITY) now = Math.max(now, until);
    },
  };
}

const fault = (errorClass: AskErrorClass, retryAfterMs: number | null = null): Result => ({
  state: 'failed',
  errorClass,
  message: errorClass,
  retryAfterMs,
});

function setUp(random = () => 0.5) {
  const time = fastClock();
  const endpoints = createEndpoints({ clock: time.clock, wait: time.wait, random });
  const starts: number[] = [];
  const ask = (
    answer: (at: number) => Result | Promise<Result>,
    deadlineMs = 60_000,
    of: CallKey = key,
  ) =>
    callWithRetries(
      { clock: time.clock, endpoints },
      { key: of, deadlineAt: time.clock.monotonicMs() + deadlineMs, signal: never() },
      async () => {
        starts.push(time.clock.monotonicMs());
        return answer(time.clock.monotonicMs());
      },
    );
  return { time, endpoints, starts, ask };
}

/** Asks again after the returned delay, as the slow lane does, until there is an answer. */
async function persist(
  time: ReturnType<typeof fastClock>,
  ask: () => Promise<Result>,
): Promise<number> {
  for (let asked = 1; ; asked++) {
    const result = await ask();
    if (result.state === 'answered') return asked;
    await time.wait(Math.max(1000, result.retryAfterMs ?? 1000), never());
  }
}

const gaps = (starts: readonly number[]): number[] =>
  starts.slice(1).map((at, i) => at - (starts[i] ?? 0));

test('R-51 a failing endpoint is called at most once a second, and increasingly rarely', async () => {
  const { time, starts, ask } = setUp();
  const asked = Array.from({ length: 10 }, () => ask(() => fault('rate_limited'), 120_000));
  await time.run();
  await Promise.all(asked);
  // The first came together, before anyone knew.
  const later = starts.filter((at) => at > 0);
  for (const gap of gaps(later)) expect(gap).toBeGreaterThanOrEqual(1000);
  expect(Math.max(...gaps(later))).toBeGreaterThan(8000);
});

test('R-51 Retry-After is honoured, with jitter on top, up to a minute', async () => {
  for (const [asks, atLeast] of [
    [7_000, 7_000],
    [0, 1000],
    [1e12, 60_000],
  ] as const) {
    const waits = [0, 0.5, 0.999].map(async (random) => {
      const { time, starts, ask } = setUp(() => random);
      let calls = 0;
      const asked = ask(
        () => (calls++ === 0 ? fault('rate_limited', asks) : { state: 'answered' }),
        200_000,
      );
      await time.run();
      expect(await asked).toEqual({ state: 'answered' });
      return (starts[1] ?? 0) - (starts[0] ?? 0);
    });
    const [none = 0, half = 0, full = 0] = await Promise.all(waits);
    expect(none).toBe(atLeast);
    expect(half).toBeGreaterThan(none);
    expect(full).toBeGreaterThan(half);
    expect(full).toBeLessThanOrEqual(atLeast * 1.25);
  }
});

test('R-51 concurrency is reduced after 429, and restored after answers', async () => {
  const { time, endpoints } = setUp();
  const held = await fill(endpoints);
  expect(held).toHaveLength(8);
  for (const end of held) end({ kind: 'rate_limited', retryAfterMs: null });
  await time.run(60_000);
  const after = await fill(endpoints);
  expect(after).toHaveLength(1);
  for (const end of after) end({ kind: 'answered' });
  for (let i = 0; i < 100; i++)
    for (const end of (await fill(endpoints)).slice()) end({ kind: 'answered' });
  expect((await fill(endpoints)).length).toBeGreaterThanOrEqual(8);
});

/** Asks for 30 times the time of an answer, with 80 calls waiting, and returns the most that ran at once. */
async function mostAtOnce(tookMs: (running: number) => number): Promise<number> {
  const { time, endpoints } = setUp();
  let running = 0;
  let most = 0;
  const call = async (): Promise<void> => {
    while (time.clock.monotonicMs() < 30 * tookMs(1)) {
      const admission = await endpoints.admit(key, 1e6, never());
      if (admission.state === 'denied') return;
      most = Math.max(most, ++running);
      await time.wait(tookMs(running), never());
      running--;
      admission.end({ kind: 'answered' });
    }
  };
  const calls = Promise.all(Array.from({ length: 80 }, call));
  await time.run();
  await calls;
  return most;
}

test.each([50, 250, 2_000])(
  'a provider that answers any number of calls in %d ms gets up to 64 at once',
  async (ms) => {
    expect(await mostAtOnce(() => ms)).toBe(64);
  },
);

test.each([
  ['one', 1],
  ['four', 4],
  ['eight', 8],
])('a server that works on %s at a time gets few more than 8', async (_name, atOnce) => {
  const most = await mostAtOnce((running) => 100 * Math.ceil(running / atOnce));
  expect(most).toBeGreaterThanOrEqual(8);
  expect(most).toBeLessThanOrEqual(24);
});

test('calls beyond the first 8 stop at a rate limit, and come back slowly', async () => {
  const { time, endpoints } = setUp();
  for (let i = 0; i < 20; i++) for (const end of await fill(endpoints)) end({ kind: 'answered' });
  const held = await fill(endpoints);
  expect(held.length).toBeGreaterThan(16);
  held[0]?.({ kind: 'rate_limited', retryAfterMs: null });
  await time.run(60_000);
  for (const end of held.slice(1)) end({ kind: 'answered' });
  const after = await fill(endpoints);
  const half = Math.floor(held.length / 2);
  expect(after.length).toBeGreaterThanOrEqual(half);
  expect(after.length).toBeLessThanOrEqual(half + 3);
  for (const end of after) end({ kind: 'answered' });
  expect((await fill(endpoints)).length).toBeLessThanOrEqual(after.length + 2);
});

/** Takes places until there is none at once. */
async function fill(endpoints: Endpoints) {
  const held: ((
    how: { kind: 'answered' } | { kind: 'rate_limited'; retryAfterMs: null },
  ) => void)[] = [];
  for (;;) {
    const admission = await endpoints.admit(key, 0, never());
    if (admission.state === 'denied') return held;
    held.push(admission.end);
  }
}

test('R-52 with 60 % of 5xx every job ends, with at most 2.5 calls a job, through breaker and probe', async () => {
  const { time, starts, ask } = setUp();
  let seed = 7;
  const bad = (): boolean => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31 < 0.6;
  const jobs = Array.from({ length: 200 }, () =>
    persist(time, () =>
      ask((at) => (at < 60_000 && bad() ? fault('overloaded') : { state: 'answered' }), 30_000),
    ),
  );
  await time.run();
  await Promise.all(jobs);
  expect(starts.length).toBeLessThanOrEqual(2.5 * jobs.length);
});

test('R-52 after five failures in a row the breaker opens; one probe at a time closes it', async () => {
  const { time, starts, ask } = setUp();
  const first = Promise.all([
    ask(() => fault('overloaded'), 60_000),
    ask(() => fault('overloaded'), 60_000),
  ]);
  await time.run();
  await first;
  expect(starts).toHaveLength(5);
  expect(await ask(() => ({ state: 'answered' }))).toMatchObject({ errorClass: 'breaker_open' });
  expect(starts).toHaveLength(5);
  await time.run(time.clock.monotonicMs() + 5000);
  let answer: (result: Result) => void = () => undefined;
  const probe = ask(() => new Promise<Result>((resolve) => (answer = resolve)));
  await time.run(time.clock.monotonicMs() + 1000);
  expect(starts).toHaveLength(6);
  expect(await ask(() => ({ state: 'answered' }))).toMatchObject({ errorClass: 'breaker_open' });
  answer({ state: 'answered' });
  expect(await probe).toEqual({ state: 'answered' });
  expect(await ask(() => ({ state: 'answered' }))).toEqual({ state: 'answered' });
});

test('R-52 each model has its own breaker', async () => {
  const { time, ask } = setUp();
  const failing = Promise.all([1, 2].map(() => ask(() => fault('overloaded'), 60_000)));
  await time.run();
  await failing;
  const other = ask(() => ({ state: 'answered' }), 60_000, { ...key, model: 'gpt-4o-mini' });
  await time.run();
  expect(await other).toEqual({ state: 'answered' });
});

test('R-58 a judge that is down for 10 minutes gets at most one call a second, and is used again within 10 s', async () => {
  const { time, starts, ask } = setUp();
  const away = 600_000;
  const done: number[] = [];
  const jobs = Array.from({ length: 40 }, async () => {
    await persist(time, () =>
      ask((at) => (at < away ? fault('unreachable') : { state: 'answered' }), 30_000),
    );
    done.push(time.clock.monotonicMs());
  });
  await time.run();
  await Promise.all(jobs);
  const during = starts.filter((at) => at > 0 && at < away);
  expect(during.length).toBeLessThanOrEqual(away / 1000);
  for (const gap of gaps(during)) expect(gap).toBeGreaterThanOrEqual(1000);
  expect(Math.min(...done)).toBeLessThanOrEqual(away + 10_000);
  expect(Math.max(...done)).toBeLessThanOrEqual(away + 10_000 + jobs.length * 1000);
});

test.each(['timeout', 'unauthorized', 'refused', 'too_large', 'bad_reply', 'aborted'] as const)(
  'R-50 R-53 "%s" is not retried: another call would not fix it',
  async (errorClass) => {
    const { starts, ask } = setUp();
    expect(await ask(() => fault(errorClass))).toMatchObject({ errorClass });
    expect(starts).toHaveLength(1);
  },
);

test('R-52 an error caused by the question does not open the breaker', async () => {
  const { ask } = setUp();
  for (let i = 0; i < 20; i++) await ask(() => fault('refused'));
  expect(await ask(() => ({ state: 'answered' }))).toEqual({ state: 'answered' });
});
