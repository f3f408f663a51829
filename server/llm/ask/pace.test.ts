import { expect, test } from 'vitest';
import type { AskErrorClass } from '../../domain';
import { type CallEnd, type CallKey, createEndpoints, type Endpoints } from './endpoints';
import { type CallFault, callWithRetries } from './retry';

const key: CallKey = { endpoint: 'openai', model: 'gpt-4o' };
const never = (): AbortSignal => new AbortController().signal;
type Result = { readonly state: 'answered'; readonly latencyMs: number } | CallFault;

/** A clock that advances only when all callers wait: minutes pass in a moment, in order. */
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
    /** Runs until no caller sleeps any more, or until `until`. */
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

/** Retries after the returned delay, as the slow lane does, until there is an answer. */
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
  // The first ones arrived together, before the failure was known.
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
        () => (calls++ === 0 ? fault('rate_limited', asks) : { state: 'answered', latencyMs: 0 }),
        200_000,
      );
      await time.run();
      expect(await asked).toEqual({ state: 'answered', latencyMs: 0 });
      return (starts[1] ?? 0) - (starts[0] ?? 0);
    });
    const [none = 0, half = 0, full = 0] = await Promise.all(waits);
    expect(none).toBe(atLeast);
    expect(half).toBeGreaterThan(none);
    expect(full).toBeGreaterThan(half);
    expect(full).toBeLessThanOrEqual(atLeast * 1.25);
  }
});

const answered = { kind: 'answered', latencyMs: 100 } as const;
const refused: CallEnd = { kind: 'rate_limited', retryAfterMs: null };
type End = (how: CallEnd) => void;

/** Takes slots until none is free. */
async function fill(endpoints: Endpoints): Promise<End[]> {
  const taken: End[] = [];
  for (;;) {
    const admission = await endpoints.admit(key, 0, never());
    if (admission.state === 'denied') return taken;
    taken.push(admission.end);
  }
}

/** Answers all calls until the limits stop rising, and returns the running calls. */
async function riseFully(endpoints: Endpoints): Promise<End[]> {
  let running = await fill(endpoints);
  for (let calls = 0; calls < 2_000; calls++) {
    running.shift()?.(answered);
    running = [...running, ...(await fill(endpoints))];
  }
  return running;
}

test('R-51 concurrency is reduced after 429, and restored after answers', async () => {
  const { time, endpoints } = setUp();
  for (let failures = 1; failures <= 4; failures++) {
    const [first, ...others] = await fill(endpoints);
    expect(1 + others.length).toBe(failures === 1 ? 8 : 1);
    await time.run(failures * 100_000 - 50_000);
    first?.(refused);
    for (const end of others) end(answered);
    await time.run(failures * 100_000);
  }
  const after = await fill(endpoints);
  expect(after).toHaveLength(1);
  for (const end of after) end(answered);
  expect((await riseFully(endpoints)).length).toBeGreaterThanOrEqual(8);
});

/** Makes 300 calls in total, and returns how many of the last 100 calls ran at once. */
async function lastAtOnce(latencyMs: (running: number) => number, callers = 80): Promise<number> {
  const { time, endpoints } = setUp();
  let running = 0;
  let max = 0;
  let left = 300;
  const ask = async (): Promise<void> => {
    while (left-- > 0) {
      const admission = await endpoints.admit(key, 1e9, never());
      if (admission.state === 'denied') return;
      running++;
      if (left < 100) max = Math.max(max, running);
      const ms = latencyMs(running);
      await time.wait(ms, never());
      running--;
      admission.end({ kind: 'answered', latencyMs: ms });
    }
  };
  const all = Promise.all(Array.from({ length: callers }, ask));
  await time.run();
  await all;
  return max;
}

test.each([50, 250, 2_000])(
  'a provider that answers any number of calls in %d ms gets 64 at once',
  async (ms) => {
    expect(await lastAtOnce(() => ms)).toBe(64);
  },
);

test.each([1, 2, 3])(
  'a provider with latencies that vary, but do not grow, gets 64 at once (seed %d)',
  async (seed) => {
    let state = seed;
    const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
    // Log-normal with a standard deviation of the logarithm of 0.5, by Box and Muller.
    const latency = (): number =>
      300 * Math.exp(0.5 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random()));
    expect(await lastAtOnce(latency)).toBe(64);
  },
);

test.each([1, 4, 8])(
  'a server that works on %d calls at a time gets few more than 8',
  async (n) => {
    const max = await lastAtOnce((running) => 100 * Math.ceil(running / n), 32);
    expect(max).toBeGreaterThanOrEqual(8);
    expect(max).toBeLessThanOrEqual(24);
  },
);

test('R-51 a burst of 429 halves the limit once; it comes back slowly', async () => {
  const { time, endpoints } = setUp();
  const running = await riseFully(endpoints);
  expect(running).toHaveLength(64);
  await time.run(1_000);
  for (const end of running.slice(0, 20)) end(refused);
  await time.run(1_000_000);
  // One continues, so that the endpoint is not dropped.
  for (const end of running.slice(21)) end(answered);
  // They started before the failure, so they prove nothing: one call at a time is allowed until it
  // is answered.
  const probe = await fill(endpoints);
  expect(probe).toHaveLength(1);
  for (const end of probe) end(answered);
  const more = (await fill(endpoints)).length;
  expect(more).toBeGreaterThanOrEqual(30);
  expect(more).toBeLessThanOrEqual(33);
});

test('R-51 an answer to an earlier call does not shorten Retry-After', async () => {
  const { time, endpoints } = setUp(() => 0);
  const [first, ...others] = await fill(endpoints);
  await time.run(1_000);
  first?.({ kind: 'rate_limited', retryAfterMs: 30_000 });
  for (const end of others) end(answered);
  await time.run(20_000);
  expect(await fill(endpoints)).toHaveLength(0);
  await time.run(32_000);
  expect(await fill(endpoints)).toHaveLength(1);
});

test('R-52 with 60 % of 5xx every job ends, with at most 2.5 calls a job, through breaker and probe', async () => {
  const { time, starts, ask } = setUp();
  let seed = 7;
  const bad = (): boolean => (seed = (seed * 1103515245 + 12345) % 2 ** 31) / 2 ** 31 < 0.6;
  const jobs = Array.from({ length: 200 }, () =>
    persist(time, () =>
      ask(
        (at) => (at < 60_000 && bad() ? fault('overloaded') : { state: 'answered', latencyMs: 0 }),
        30_000,
      ),
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
  expect(await ask(() => ({ state: 'answered', latencyMs: 0 }))).toMatchObject({
    errorClass: 'breaker_open',
  });
  expect(starts).toHaveLength(5);
  await time.run(time.clock.monotonicMs() + 5000);
  let answer: (result: Result) => void = () => undefined;
  const probe = ask(() => new Promise<Result>((resolve) => (answer = resolve)));
  await time.run(time.clock.monotonicMs() + 1000);
  expect(starts).toHaveLength(6);
  expect(await ask(() => ({ state: 'answered', latencyMs: 0 }))).toMatchObject({
    errorClass: 'breaker_open',
  });
  answer({ state: 'answered', latencyMs: 0 });
  expect(await probe).toEqual({ state: 'answered', latencyMs: 0 });
  expect(await ask(() => ({ state: 'answered', latencyMs: 0 }))).toEqual({
    state: 'answered',
    latencyMs: 0,
  });
});

test('R-52 each model has its own breaker', async () => {
  const { time, ask } = setUp();
  const failing = Promise.all([1, 2].map(() => ask(() => fault('overloaded'), 60_000)));
  await time.run();
  await failing;
  const other = ask(() => ({ state: 'answered', latencyMs: 0 }), 60_000, {
    ...key,
    model: 'gpt-4o-mini',
  });
  await time.run();
  expect(await other).toEqual({ state: 'answered', latencyMs: 0 });
});

test('R-58 a judge that is down for 10 minutes gets at most one call a second, and is used again within 10 s', async () => {
  const { time, starts, ask } = setUp();
  const away = 600_000;
  const done: number[] = [];
  const jobs = Array.from({ length: 40 }, async () => {
    await persist(time, () =>
      ask((at) => (at < away ? fault('unreachable') : { state: 'answered', latencyMs: 0 }), 30_000),
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
  expect(await ask(() => ({ state: 'answered', latencyMs: 0 }))).toEqual({
    state: 'answered',
    latencyMs: 0,
  });
});
