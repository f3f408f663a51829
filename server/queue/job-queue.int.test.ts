import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createTestDatabase, createTestRuntime, type TestDatabase } from '../../testing/database';
import { startFaultline } from '../../testing/faultline';
import { startRedis, type TestRedis } from '../../testing/redis';
import { backends, lacks } from '../../testing/slow-stack';
import { until } from '../../testing/until';
import { timeFactor } from '../../testing/time-factor';
import type { Runtime } from '../runtime';
import type { JobKind } from './catalogue';
import { handle, type JobQueue, QueueUnavailable, openJobQueue } from './job-queue';

const echoJob: JobKind<{ text: string }> = {
  name: 'tests.say',
  data: z.strictObject({ text: z.string() }),
  attempts: 1,
  backoffMs: 0,
  timeoutMs: 1_000,
};
const loose: JobKind<{ other: number }> = {
  ...echoJob,
  data: z.strictObject({ other: z.number() }),
};
const unknown: JobKind<{ text: string }> = { ...echoJob, name: 'tests.unknown' };

describe.each(backends)('queue on %s', (backend) => {
  describe.skipIf(lacks(backend))('jobs', () => {
    let database: TestDatabase;
    let runtime: Runtime;
    let redis: TestRedis | null = null;
    let line: JobQueue;
    let received: string[] = [];
    /** Jobs queue behind this one. */
    let gate: Promise<void> = Promise.resolve();

    const open = (runText: (text: string) => Promise<void>): Promise<JobQueue> =>
      openJobQueue(runtime.ctx.env, runtime.ctx.log, {
        jobsAtOnce: () => 1,
        handlers: new Map([handle(echoJob, ({ text }) => runText(text))]),
        onReturn: () => undefined,
      });
    const add = (id: string, text = id, urgent = false) =>
      line.enqueue(echoJob, [{ id, data: { text }, urgent }]);
    const all = (count: number) =>
      until(`${count} jobs ran`, () => (received.length >= count ? true : null));

    beforeAll(async () => {
      database = await createTestDatabase(inject('databaseUrl'));
      redis = backend === 'redis' ? await startRedis() : null;
      runtime = createTestRuntime(database.url, redis === null ? {} : { REDIS_URL: redis.url });
      line = await open(async (text) => {
        received.push(text);
        await gate;
        if (text.startsWith('throw')) throw new Error('bad \u0000 end \ud800');
      });
    });

    afterAll(async () => {
      await line.close();
      await runtime.close();
      await redis?.stop();
      await database.drop();
    });

    function shut(): () => void {
      received = [];
      let leave: () => void = () => undefined;
      gate = new Promise((resolve) => {
        leave = resolve;
      });
      return leave;
    }

    test('R-31 a second job with the id of a waiting or running one is ignored; afterwards the id can be used again', async () => {
      const leave = shut();
      await add('a');
      await all(1);
      await add('b');
      await add('b', 'b again');
      await add('a', 'a again');
      leave();
      await all(2);
      await until('b runs again', async () => {
        await add('b', 'b later');
        return received.includes('b later') ? true : null;
      });
      await add('last');
      await until('nothing waits any more', () => (received.at(-1) === 'last' ? true : null));
      expect(received.slice(0, 2)).toEqual(['a', 'b']);
      expect(received).not.toContain('b again');
      expect(received).not.toContain('a again');
    });

    test('R-4 an urgent job overtakes waiting ones', async () => {
      const leave = shut();
      await add('first');
      await all(1);
      for (const id of ['c1', 'c2', 'c3']) await add(id);
      await add('now', 'now', true);
      leave();
      await all(5);
      expect(received).toEqual(['first', 'now', 'c1', 'c2', 'c3']);
    });

    test('R-87 R-88 NUL and lone surrogates in data and in errors stop nothing, and a job that threw does not run again', async () => {
      const leave = shut();
      leave();
      await add('nul', 'x\u0000y\ud800z');
      await add('throws', 'throw\u0000');
      await add('after');
      await all(3);
      await add('end');
      await all(4);
      expect(received).toHaveLength(4);
      expect(received.join('')).toContain('x');
      expect(received.join('').includes('\u0000')).toBe(false);
      expect(received.join('').isWellFormed()).toBe(true);
    });

    test('R-19 a job with data of another shape, or with an unknown name, is not run and blocks nothing', async () => {
      const leave = shut();
      leave();
      await line.enqueue(loose, [{ id: 'loose', data: { other: 1 }, urgent: false }]);
      await line.enqueue(unknown, [{ id: 'unknown', data: { text: 'unknown' }, urgent: false }]);
      await expect(
        line.enqueue(echoJob, [
          { id: 'bad', data: JSON.parse('{"text":1}') as { text: string }, urgent: false },
        ]),
      ).rejects.toThrow('must be a string, not a number');
      await add('then');
      await all(1);
      expect(received).toEqual(['then']);
    });

    test('R-27 a closed client neither takes jobs nor throws, and another continues', async () => {
      const second = await open(() => Promise.resolve());
      await second.close();
      await second.close();
      const leave = shut();
      leave();
      await add('still');
      await all(1);
      expect(received).toEqual(['still']);
    });
  });
});

test.skipIf(lacks('redis'))(
  'R-23 with Redis down a job is refused at once, and a client cannot be opened, in bounded time',
  async () => {
    const database = await createTestDatabase(inject('databaseUrl'));
    const redis = await startRedis();
    const runtime = createTestRuntime(database.url, { REDIS_URL: redis?.url ?? '' });
    const options = { jobsAtOnce: () => 1, handlers: new Map(), onReturn: () => undefined };
    const line = await openJobQueue(runtime.ctx.env, runtime.ctx.log, options);
    await redis?.kill();
    const fault = await until('refused', () =>
      line.enqueue(echoJob, [{ id: 'x', data: { text: 'x' }, urgent: false }]).then(
        () => null,
        (error: unknown) => error,
      ),
    );
    expect(fault).toBeInstanceOf(QueueUnavailable);
    const began = performance.now();
    await expect(
      line.enqueue(echoJob, [{ id: 'y', data: { text: 'y' }, urgent: false }]),
    ).rejects.toThrow(QueueUnavailable);
    expect(performance.now() - began).toBeLessThan(timeFactor * 2_500);
    await expect(openJobQueue(runtime.ctx.env, runtime.ctx.log, options)).rejects.toThrow(
      'no answer within',
    );
    expect(performance.now() - began).toBeLessThan(timeFactor * 9_000);
    await line.close();
    await runtime.close();
    await redis?.stop();
    await database.drop();
  },
);

test.each([1, 2, 3, 4])(
  'R-32 the server ends as connection %i of the queue is established: the queue is unavailable, and the process survives',
  async (nth) => {
    const database = await createTestDatabase(inject('databaseUrl'));
    const url = new URL(database.url);
    const fault = await startFaultline({ host: url.hostname, port: Number(url.port) });
    const runtime = createTestRuntime(database.url);
    url.port = String(fault.port);
    const received: string[] = [];
    const open = (): Promise<JobQueue> =>
      openJobQueue({ ...runtime.ctx.env, databaseUrl: url.href }, runtime.ctx.log, {
        jobsAtOnce: () => 1,
        handlers: new Map([handle(echoJob, async ({ text }) => void received.push(text))]),
        onReturn: () => undefined,
      });
    try {
      let struck = false;
      const strike = fault.terminateAfterReady(nth).then(() => (struck = true));
      // The number of connections that a queue client opens before its first job depends on the
      // machine: the test opens as many clients as it takes.
      while (!struck) {
        const line = await open().catch((error: unknown) => error as Error);
        if (line instanceof Error) break;
        received.length = 0;
        await until('a job runs all the same', async () => {
          await line
            .enqueue(echoJob, [
              { id: `n${nth}-${randomUUID()}`, data: { text: 'first' }, urgent: false },
            ])
            .catch(() => undefined);
          return received.length > 0 ? true : null;
        });
        await line.close();
      }
      await strike;
      received.length = 0;
      const second = await open();
      await second.enqueue(echoJob, [{ id: 'second', data: { text: 'second' }, urgent: false }]);
      // Jobs that the first client published but did not run may precede it.
      await until('the next line is in order', () => (received.includes('second') ? true : null));
      expect(received).toContain('second');
      await second.close();
    } finally {
      await runtime.close();
      await fault.close();
      await database.drop();
    }
  },
);
