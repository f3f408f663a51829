import type { Worker } from 'node:worker_threads';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform';
import type { Captured } from '../proxy/captured';
import { chatAnswer, testDeps } from '../verify/verify-fixture';
import { bundleThread, type ThreadBundle } from '../../../testing/gateway-thread';
import { threadOf, type ThreadRole } from '../thread';
import { testCaptured, testFinished } from './captured-fixture';
import { readCaptured } from './read-captured';
import { createThreadReader } from './thread-reader';

const ctx = { clock: { ...systemClock, now: () => new Date(0) }, log: testDeps().deps.log };
let bundle: ThreadBundle<ThreadRole>;
const workers: Worker[] = [];
const start = (): Worker => {
  const worker = bundle.start('records');
  workers.push(worker);
  return worker;
};

beforeAll(async () => {
  bundle = await bundleThread(threadOf);
});
afterAll(() => bundle.close());

const long = { messages: [{ role: 'user', content: `How full is it? ${'€ '.repeat(60_000)}` }] };
const plain = chatAnswer('It is at 91.4%.');
const packed = gzipSync(Buffer.concat([...plain.chunks]));
const calls: readonly (readonly [string, () => Captured])[] = [
  ['a large one', () => testCaptured({ body: long, answer: plain })],
  [
    'one whose answer is packed and cut',
    () =>
      testCaptured({
        body: long,
        more: { chunks: [packed.subarray(0, 30)], contentEncoding: 'gzip', truncated: true },
      }),
  ],
  [
    'one that was buffered and rewritten',
    () =>
      testCaptured({
        body: long,
        more: { finished: testFinished(plain, { plainText: 'It is full.', envelope: '{}' }) },
      }),
  ],
  [
    'one whose request is none',
    () => testCaptured({ answer: plain, request: { body: Buffer.from('no json') } }),
  ],
];

test.each(calls)(
  'R-63 %s is parsed in a thread with the same result; its bytes stay unchanged',
  async (_name, make) => {
    const captured = make();
    const bytes = captured.request().body.toString();
    const there = await createThreadReader(ctx, start).read(captured);
    expect(there).toEqual(await readCaptured(ctx, captured, () => Promise.resolve()));
    expect([captured.request().body.toString() === bytes, there.turn === null]).toEqual([
      true,
      captured.truncated,
    ]);
  },
);

test('a thread that dies is replaced, and the new one parses the call', async () => {
  const threadReader = createThreadReader(ctx, start);
  const reading = threadReader.read(testCaptured({ body: long, answer: plain }));
  await workers.at(-1)?.terminate();
  expect((await reading).turn?.answerChars).toBe(15);
});

test('small calls are parsed on the event loop, and all of them without a thread', async () => {
  const reader = createThreadReader(ctx, start);
  expect([1_000, 100_000].map((bytes) => reader.accepts(bytes, false))).toEqual([false, true]);
  // Masking takes longer than parsing.
  expect([1_000, 10_000].map((bytes) => reader.accepts(bytes, true))).toEqual([false, true]);
  const none = createThreadReader(ctx, null);
  expect(none.accepts(1_000_000, false)).toBe(false);
  await expect(none.read(testCaptured({}))).rejects.toThrow('no thread');
});
