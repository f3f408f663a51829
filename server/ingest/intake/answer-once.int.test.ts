import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../../../testing/database';
import type { ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { type PreparedAnswer, answerRequestOnce } from './answer-once';

let database: TestDatabase;
/** Two processes on one database. */
let first: Runtime;
let second: Runtime;
let here: ProjectCtx;
let there: ProjectCtx;
let neighbour: ProjectCtx;

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  const variables = { ASSAY_LEASE_MS: '500', ASSAY_DB_POOL: '2' };
  first = createTestRuntime(database.url, variables);
  second = createTestRuntime(database.url, variables);
  here = await createTestProject(first);
  neighbour = await createTestProject(first);
  there = { ...here, sql: second.ctx.sql, db: second.ctx.db };
});

beforeEach(() => first.ctx.sql`delete from idempotency_keys`);

afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await database.drop();
});

const body = Buffer.from('{"a":1}');
const other = Buffer.from('{"a":2}');

/** A run that counts itself and ends on request. */
function createRun(): {
  readonly run: () => Promise<PreparedAnswer>;
  readonly began: Promise<void>;
  readonly end: (status?: number) => void;
  runs: number;
} {
  let begin = (): void => undefined;
  let end: (answer: PreparedAnswer) => void = () => undefined;
  const began = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<PreparedAnswer>((resolve) => {
    end = resolve;
  });
  const held = {
    runs: 0,
    began,
    end: (status = 202) => end({ status, body: { text: 'one \u0000 \ud800', n: held.runs } }),
    run: async () => {
      held.runs++;
      begin();
      return ended;
    },
  };
  return held;
}

test('R-78 R-38 of twenty equal requests at once, at two processes with two connections each, one runs and all have its answer', async () => {
  const { run, began, end } = createRun();
  const counted = { count: 0 };
  const requests = Array.from({ length: 20 }, (_, n) =>
    answerRequestOnce(n % 2 === 0 ? here : there, 'k', '/v1/x', body, async () => {
      counted.count++;
      // A run needs connections too, so waiting requests must not occupy any.
      await Promise.all([
        here.sql`select 1`,
        here.sql`select 1`,
        there.sql`select 1`,
        there.sql`select 1`,
      ]);
      return run();
    }),
  );
  await began;
  await expect(answerRequestOnce(there, 'k', '/v1/x', other, run)).rejects.toMatchObject({
    code: 'conflict',
  });
  await expect(answerRequestOnce(there, 'k', '/v1/y', body, run)).rejects.toMatchObject({
    code: 'conflict',
  });
  end();
  const answers = await Promise.all(requests);
  expect(counted.count).toBe(1);
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  const later = createRun();
  expect(await answerRequestOnce(there, 'k', '/v1/x', body, later.run)).toEqual(answers[0]);
  await expect(answerRequestOnce(here, 'k', '/v1/x', other, later.run)).rejects.toMatchObject({
    code: 'conflict',
  });
  expect(later.runs).toBe(0);
});

test('R-78 R-79 the same key of another project is another key', async () => {
  const mine = createRun();
  const theirs = createRun();
  const both = [
    answerRequestOnce(here, 'k', '/v1/x', body, mine.run),
    answerRequestOnce(neighbour, 'k', '/v1/x', other, theirs.run),
  ];
  await Promise.all([mine.began, theirs.began]);
  mine.end();
  theirs.end(200);
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual([202, 200]);
});

test('R-78 a run that fails, or answers with an error, leaves its key free', async () => {
  const failing = answerRequestOnce(here, 'k', '/v1/x', body, () =>
    Promise.reject(new Error('mine')),
  );
  await expect(failing).rejects.toThrow('mine');
  const refused = createRun();
  refused.end(422);
  expect(await answerRequestOnce(here, 'k', '/v1/x', other, refused.run)).toMatchObject({
    status: 422,
  });
  const run = createRun();
  run.end();
  expect(await answerRequestOnce(here, 'k', '/v1/x', body, run.run)).toMatchObject({ status: 202 });
});

test('R-78 a key left by a crashed run is released when its lease ends, not before, and only for the same body', async () => {
  const crashed = createRun();
  // Its process was killed: it neither renews the lease nor completes.
  const dead = { ...here, sql: deafAfter(1, here.sql) };
  void answerRequestOnce(dead, 'k', '/v1/x', body, crashed.run).catch(() => undefined);
  await crashed.began;
  const began = performance.now();
  const run = createRun();
  run.end();
  expect(await answerRequestOnce(there, 'k', '/v1/x', body, run.run)).toMatchObject({
    status: 202,
  });
  expect(performance.now() - began).toBeGreaterThan(300);
  expect(run.runs).toBe(1);
  await first.ctx
    .sql`update idempotency_keys set status = 0, created_at = now() - interval '1 hour'`;
  await expect(answerRequestOnce(there, 'k', '/v1/x', other, run.run)).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('R-78 a run that takes longer than a lease keeps its key', async () => {
  const slow = createRun();
  const one = answerRequestOnce(here, 'k', '/v1/x', body, slow.run);
  await slow.began;
  const [before] = await first.ctx.sql<
    { at: string }[]
  >`select created_at as at from idempotency_keys`;
  const copy = createRun();
  const two = answerRequestOnce(there, 'k', '/v1/x', body, copy.run);
  await expect
    .poll(
      async () =>
        (
          await first.ctx
            .sql`select 1 from idempotency_keys where created_at > ${before?.at ?? ''}::timestamptz + interval '700 ms'`
        ).length,
    )
    .toBe(1);
  slow.end();
  expect(await one).toEqual(await two);
  expect(copy.runs).toBe(0);
});

test('R-78 after 24 h the key is new', async () => {
  const run = createRun();
  run.end();
  await answerRequestOnce(here, 'k', '/v1/x', body, run.run);
  await first.ctx
    .sql`update idempotency_keys set created_at = now() - interval '24 hours 1 second'`;
  expect(await answerRequestOnce(here, 'k', '/v1/x', other, run.run)).toMatchObject({
    status: 202,
  });
  expect(run.runs).toBe(2);
});

/** Runs this many statements and drops the rest, like a process that was killed. */
function deafAfter(count: number, sql: ProjectCtx['sql']): ProjectCtx['sql'] {
  let left = count;
  const call = sql as unknown as (strings: TemplateStringsArray, ...args: unknown[]) => unknown;
  const deaf = (strings: TemplateStringsArray, ...args: unknown[]): unknown => {
    if (/^\s*(insert|select|update|delete)/.test(strings[0] ?? '') && left-- <= 0)
      return new Promise(() => undefined);
    return call(strings, ...args);
  };
  return deaf as unknown as ProjectCtx['sql'];
}
