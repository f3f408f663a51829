import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Assay,
  type AssayOptions,
  createAssay,
  type Drop,
  type Rejection,
  type Retry,
  type Turn,
} from './index';

/**
 * The client with a fetch and a clock of the test; faults of real connections are in
 * faults.int.test.ts.
 */

interface Call {
  readonly path: string;
  readonly ids: string[];
  readonly headers: Record<string, string>;
  readonly body: string;
}

type Reply =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Record<string, string> }
  | Error;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  });
});

afterEach(() => {
  vi.useRealTimers();
});

function setUp(
  replies: Reply[] = [],
  options: AssayOptions = {},
): { assay: Assay; calls: Call[]; rejections: Rejection[]; drops: Drop[]; retries: Retry[] } {
  const calls: Call[] = [];
  const rejections: Rejection[] = [];
  const drops: Drop[] = [];
  const retries: Retry[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const body = typeof init?.body === 'string' ? init.body : '';
    const sent = JSON.parse(body) as Record<string, { id: string }[]>;
    const path = new URL(input instanceof Request ? input.url : input).pathname;
    const items = sent[path.replace('/v1/', '')] ?? [];
    calls.push({
      path,
      ids: items.map(({ id }) => id),
      headers: init?.headers as Record<string, string>,
      body,
    });
    const reply = replies.shift() ?? {
      status: 202,
      body: { accepted: items.length, duplicates: 0, rejected: [] },
    };
    if (reply instanceof Error) throw reply;
    return new Response(JSON.stringify(reply.body ?? {}), {
      status: reply.status,
      headers: reply.headers ?? {},
    });
  };
  const assay = createAssay({
    url: 'http://127.0.0.1:1',
    key: 'asy_test',
    fetch,
    flushOnExit: false,
    onReject: (rejection) => rejections.push(rejection),
    onDrop: (drop) => drops.push(drop),
    onRetry: (retry) => retries.push(retry),
    ...options,
  });
  return { assay, calls, rejections, drops, retries };
}

/** Advances the clock until no timer is pending. */
async function flushed(assay: Assay): Promise<boolean> {
  const flushing = assay.flush({ timeoutMs: 3_600_000 });
  await vi.runAllTimersAsync();
  return flushing;
}

function isBalanced(assay: Assay): boolean {
  const { taken, queued, accepted, duplicates, rejected, dropped } = assay.stats();
  return (
    taken ===
    queued +
      accepted +
      duplicates +
      rejected +
      Object.values(dropped).reduce((sum, n) => sum + n, 0)
  );
}

describe('batches', () => {
  test('a turn waits for others, at most maxAgeMs', async () => {
    const { assay, calls } = setUp();
    assay.turn({ id: 'a', output: '1' });
    await vi.advanceTimersByTimeAsync(400);
    assay.turn({ id: 'b', output: '2' });
    await vi.advanceTimersByTimeAsync(599);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.map((call) => call.ids)).toEqual([['a', 'b']]);
    expect(calls[0]).toMatchObject({
      path: '/v1/turns',
      headers: { authorization: 'Bearer asy_test', 'content-type': 'application/json' },
    });
  });

  test.each([
    ['a count', { maxBatchItems: 3 }, [3, 3, 1]],
    ['bytes', { maxBatchBytes: 60 }, [2, 2, 2, 1]],
  ])('are bounded by %s', async (_name, options, sizes) => {
    const { assay, calls } = setUp([], options);
    for (let at = 0; at < 7; at++) assay.turn({ id: `t${at}`, output: `${at}` });
    expect(await flushed(assay)).toBe(true);
    expect(calls.map((call) => call.ids.length)).toEqual(sizes);
    expect(calls.flatMap((call) => call.ids)).toEqual(['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
    expect(assay.stats()).toMatchObject({
      taken: 7,
      sent: 7,
      accepted: 7,
      queued: 0,
      queuedBytes: 0,
    });
  });

  test('a turn over maxBatchBytes is sent alone', async () => {
    const { assay, calls } = setUp([], { maxBatchBytes: 100 });
    for (const output of ['a', 'b'.repeat(500), 'c'])
      assay.turn({ id: output.slice(0, 1), output });
    await flushed(assay);
    expect(calls.map((call) => call.ids)).toEqual([['a'], ['b'], ['c']]);
  });

  test('reports never overtake the turns that they are about', async () => {
    const { assay, calls } = setUp();
    assay.turn({ id: 't1', output: 'x' });
    assay.outcome({ id: 'o1', turn_id: 't1', success: true });
    assay.turn({ id: 't2', output: 'x' });
    await flushed(assay);
    expect(calls.map(({ path, ids }) => [path, ...ids])).toEqual([
      ['/v1/turns', 't1'],
      ['/v1/outcomes', 'o1'],
      ['/v1/turns', 't2'],
    ]);
  });

  test('a batch that is too large for the server is halved until it fits, and stays smaller', async () => {
    const tooLarge = { status: 413, body: { error: { code: 'too_large', message: 'too large' } } };
    const { assay, calls, rejections } = setUp([tooLarge, tooLarge]);
    for (let at = 0; at < 8; at++) assay.turn({ id: `t${at}`, output: 'x' });
    await flushed(assay);
    expect(calls.map((call) => call.ids.length)).toEqual([8, 4, 2, 2, 2, 2]);
    expect(rejections).toEqual([]);
    expect(assay.stats()).toMatchObject({ accepted: 8, retried: 0 });
  });

  test('a single turn that is too large for the server is rejected', async () => {
    const { assay, rejections } = setUp([
      { status: 413, body: { error: { code: 'too_large', message: 'at most 20 MiB' } } },
    ]);
    assay.turn({ id: 'big', output: 'x' });
    await flushed(assay);
    expect(rejections).toEqual([
      {
        kind: 'turn',
        id: 'big',
        index: 0,
        code: 'too_large',
        message: 'at most 20 MiB',
        status: 413,
      },
    ]);
  });
});

describe('R-2 temporary failures are sent again, with the same ids', () => {
  test.each([
    ['429', { status: 429 }, 429],
    ['502', { status: 502 }, 502],
    ['503', { status: 503 }, 503],
    ['504', { status: 504 }, 504],
    ['a connection that breaks', new Error('socket hang up'), null],
    ['an answer that is no JSON', { status: 200, body: 'hello' }, 200],
    [
      'an answer that does not add up',
      { status: 202, body: { accepted: 0, duplicates: 0, rejected: [] } },
      202,
    ],
  ] as [string, Reply, number | null][])('%s', async (_name, reply, status) => {
    const { assay, calls, retries } = setUp([reply, reply, reply]);
    const id = assay.turn({ output: 'x' });
    await flushed(assay);
    expect(calls.map((call) => call.ids)).toEqual([[id], [id], [id], [id]]);
    expect(new Set(calls.map((call) => call.body)).size).toBe(1);
    expect(retries.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(retries.map((retry) => retry.status)).toEqual([status, status, status]);
    expect(assay.stats()).toMatchObject({ accepted: 1, retried: 3, requests: 4, rejected: 0 });
  });

  test('Retry-After is honoured even on a flush; a pause of the client is not', async () => {
    const { assay, calls } = setUp([{ status: 503, headers: { 'retry-after': '7' } }], {
      backoffMs: 10,
    });
    assay.turn({ output: 'x' });
    const flushing = assay.flush({ timeoutMs: 60_000 });
    await vi.advanceTimersByTimeAsync(6999);
    expect(calls).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await flushing).toBe(true);
    expect(calls).toHaveLength(2);
  });

  test('a flush retries failed items immediately, and only once', async () => {
    const down = Array.from({ length: 2 }, () => ({ status: 503 }));
    const { assay, calls } = setUp(down, { backoffMs: 60_000, maxBackoffMs: 60_000 });
    assay.turn({ output: 'x' });
    await vi.advanceTimersByTimeAsync(2000);
    expect(calls).toHaveLength(1);
    const flushing = assay.flush({ timeoutMs: 1000 });
    await vi.advanceTimersByTimeAsync(999);
    expect(calls).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await flushing).toBe(false);
    expect(assay.stats()).toMatchObject({ queued: 1, dropped: { gave_up: 0 } });
  });

  test('retries without end, unless giveUpAfterMs limits it', async () => {
    const away = (): Reply[] => Array.from({ length: 100 }, () => ({ status: 503 }));
    const patient = setUp(away());
    patient.assay.turn({ output: 'x' });
    expect(await flushed(patient.assay)).toBe(true);
    expect(patient.assay.stats()).toMatchObject({ accepted: 1, retried: 100 });
    const hasty = setUp(away(), { giveUpAfterMs: 10_000 });
    const id = hasty.assay.turn({ output: 'x' });
    await flushed(hasty.assay);
    expect(hasty.drops).toEqual([{ kind: 'turn', id, reason: 'gave_up' }]);
    expect(isBalanced(hasty.assay)).toBe(true);
  });
});

describe('a final refusal is reported, not sent again', () => {
  test.each([400, 401, 403, 404, 409, 415, 422, 500, 301])('%i', async (status) => {
    const { assay, calls, rejections } = setUp([
      { status, body: { error: { code: 'because', message: 'of this' } } },
    ]);
    const ids = [assay.turn({ output: '1' }), assay.turn({ output: '2' })];
    await flushed(assay);
    expect(calls).toHaveLength(1);
    expect(rejections).toEqual(
      ids.map((id, index) => ({
        kind: 'turn',
        id,
        index,
        code: 'because',
        message: 'of this',
        status,
      })),
    );
    expect(assay.stats()).toMatchObject({ rejected: 2, sent: 2, retried: 0 });
    expect(isBalanced(assay)).toBe(true);
  });

  test('one bad turn among good ones, by its index', async () => {
    const { assay, rejections } = setUp([
      {
        status: 202,
        body: {
          accepted: 1,
          duplicates: 1,
          rejected: [{ index: 1, code: 'invalid', message: 'output: needed' }],
        },
      },
    ]);
    for (const id of ['a', 'b', 'c']) assay.turn({ id });
    await flushed(assay);
    expect(rejections).toEqual([
      { kind: 'turn', id: 'b', index: 1, code: 'invalid', message: 'output: needed', status: 202 },
    ]);
    expect(assay.stats()).toMatchObject({ accepted: 1, duplicates: 1, rejected: 1, sent: 3 });
  });
});

describe('the host never sees an exception', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  const throwing = {
    get output(): string {
      throw new Error('getter');
    },
  };
  test.each([
    ['a BigInt', { output: 'x', metadata: { n: 1n } }],
    ['a cycle', { output: 'x', metadata: cycle }],
    ['a getter that throws', throwing],
    ['nothing', undefined],
    ['null', null],
    ['an array', []],
    ['a text', 'turn'],
    ['a function', () => 1],
  ])('a turn that is %s is counted as rejected', async (_name, value) => {
    const { assay, calls, rejections } = setUp();
    const id = assay.turn(value as Turn);
    expect(id).toMatch(/^t-[0-9a-f-]{36}$/);
    await flushed(assay);
    expect(calls).toEqual([]);
    expect(rejections).toMatchObject([{ id, code: 'not_json', index: -1, status: null }]);
    expect(isBalanced(assay)).toBe(true);
  });

  test.each([
    ['no key', { key: '' }],
    ['a key with a line break', { key: 'asy_x\ny' }],
    ['an url that is none', { url: 'localhost' }],
    ['an url of another protocol', { url: 'file:///etc/passwd' }],
  ])('%s', async (_name, options) => {
    const { assay, rejections } = setUp([], options);
    assay.turn({ output: 'x' });
    expect(await flushed(assay)).toBe(true);
    expect(rejections).toMatchObject([{ code: 'misconfigured' }]);
    expect(await assay.verifyIntegrity({ output: 'x' })).toMatchObject({
      ok: false,
      error: { code: 'misconfigured' },
    });
  });

  test('callbacks that throw or reject affect nothing else', async () => {
    const bad = (): never => {
      throw new Error('callback');
    };
    const { assay } = setUp([{ status: 503 }, { status: 400 }], {
      onReject: bad,
      onDrop: (() => Promise.reject(new Error('callback'))) as () => void,
      onRetry: bad,
      maxQueueBytes: 100,
    });
    assay.turn({ output: 'x' });
    assay.turn({ output: 'x'.repeat(90) });
    expect(await flushed(assay)).toBe(true);
    expect(assay.stats()).toMatchObject({ rejected: 1, dropped: { too_large: 1 } });
  });
});

describe('the queue is bounded', () => {
  test('a turn too many is dropped and reported; ready() waits until half of the queue is free', async () => {
    const { assay, calls, drops } = setUp([], { maxQueueBytes: 100 });
    const ids = Array.from({ length: 5 }, (_, at) => assay.turn({ id: `t${at}`, output: 'x' }));
    expect(drops).toEqual(ids.slice(4).map((id) => ({ kind: 'turn', id, reason: 'queue_full' })));
    expect(assay.stats()).toMatchObject({ queued: 4, queuedBytes: 96 });
    let isReady = false;
    const ready = assay.ready().then(() => {
      isReady = true;
    });
    await vi.advanceTimersByTimeAsync(999);
    expect(isReady).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ready;
    expect(calls).toHaveLength(1);
    expect(isBalanced(assay)).toBe(true);
  });

  test('after close no turn is accepted, and remaining ones are reported', async () => {
    const { assay, drops } = setUp(Array.from({ length: 100 }, () => ({ status: 503 })));
    const left = assay.turn({ output: 'x' });
    const closing = assay.close({ timeoutMs: 3000 });
    await vi.advanceTimersByTimeAsync(3000);
    expect(await closing).toBe(false);
    const late = assay.turn({ output: 'y' });
    expect(drops).toEqual([left, late].map((id) => ({ kind: 'turn', id, reason: 'closed' })));
    await assay.ready();
    expect(isBalanced(assay)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe('ids', () => {
  test("the host's own id is used, a missing one is generated", () => {
    const { assay } = setUp();
    expect(assay.turn({ id: 'mine', output: 'x' })).toBe('mine');
    expect(assay.turn({ id: 7 as unknown as string, output: 'x' })).toBe('7');
    expect(new Set(Array.from({ length: 100 }, () => assay.turn({ output: 'x' }))).size).toBe(100);
    expect(assay.outcome({ turn_id: 'mine', success: true })).toMatch(/^o-/);
  });

  test('R-94 a member called __proto__ is sent as it is and changes nothing here', async () => {
    const { assay, calls } = setUp();
    assay.turn(JSON.parse('{"id":"p","output":"x","__proto__":{"isPublic":true}}') as Turn);
    await flushed(assay);
    expect(calls[0]?.body).toBe(
      '{"turns":[{"id":"p","output":"x","__proto__":{"isPublic":true}}]}',
    );
    expect(({} as { isPublic?: boolean }).isPublic).toBeUndefined();
  });
});

describe('verifyIntegrity', () => {
  const settled = { status: 200, body: { id: 'ver_1', state: 'settled', outcome: 'passed' } };
  const open = (replies: Reply[]): ReturnType<typeof setUp> => setUp(replies);

  test('returns the reply, after any number of attempts, under one id', async () => {
    const { assay, calls } = open([{ status: 503 }, new Error('reset'), settled]);
    const result = assay.verifyIntegrity({ output: 'x' }, { waitMs: 1000 });
    await vi.runAllTimersAsync();
    expect(await result).toEqual({ ok: true, verification: settled.body });
    expect(new Set(calls.map((call) => call.body)).size).toBe(1);
    expect(JSON.parse(calls[0]?.body ?? '')).toMatchObject({
      output: 'x',
      mode: 'sync',
      wait_ms: 1000,
      id: expect.stringMatching(/^t-/),
    });
  });

  test.each([
    [
      'items that the server refuses',
      [{ status: 422, body: { error: { code: 'refused', message: 'no' } } }],
      { code: 'refused', message: 'no', status: 422 },
    ],
    [
      'a server that is away',
      Array.from({ length: 50 }, () => new Error('away')),
      { code: 'unreachable', message: 'away', status: null },
    ],
    [
      'an answer of another server',
      [{ status: 200, body: { hello: 1 } }],
      { code: 'unreachable', status: 200 },
    ],
  ])('%s is a typed failure, thrown only on request', async (_name, replies, error) => {
    const { assay } = open([...replies] as Reply[]);
    const result = assay.verifyIntegrity({ output: 'x' }, { timeoutMs: 5000 });
    await vi.runAllTimersAsync();
    expect(await result).toMatchObject({ ok: false, error });
    const strict = open([...replies] as Reply[]).assay.verifyIntegrity(
      { output: 'x' },
      { timeoutMs: 5000, throwOnError: true },
    );
    const thrown = strict.catch((caught: unknown) => caught);
    await vi.runAllTimersAsync();
    expect(await thrown).toMatchObject({ name: 'AssayError', code: error.code });
  });

  test('ends when its caller aborts it', async () => {
    const { assay } = open(Array.from({ length: 50 }, () => ({ status: 503 })));
    const stop = new AbortController();
    const result = assay.verifyIntegrity({ output: 'x' }, { signal: stop.signal });
    await vi.advanceTimersByTimeAsync(100);
    stop.abort();
    expect(await result).toMatchObject({ ok: false, error: { code: 'aborted' } });
    expect(vi.getTimerCount()).toBe(0);
  });
});
