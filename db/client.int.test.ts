import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextPhase } from 'node:timers/promises';
import { expect, inject, onTestFinished, test } from 'vitest';
import { startFaultline } from '../testing/faultline';
import { until } from '../testing/until';
import { openClient } from './client';

/** A query and its result: its row, or the code of its error. */
const ended = (query: Promise<unknown>): Promise<unknown> =>
  query.then(
    () => 'answered',
    (error: unknown) => (error as { code?: string }).code,
  );

test('R-32 R-28 connections lost while queries are written: each query ends, and the pool recovers', async () => {
  const url = new URL(inject('databaseUrl'));
  const line = await startFaultline({ host: url.hostname, port: Number(url.port) });
  url.port = String(line.port);
  const client = openClient(
    { databaseUrl: url.href, queryTimeoutMs: 30_000, poolSize: 2 },
    { name: 'lost' },
  );
  try {
    for (let round = 0; round < 20; round++) {
      await Promise.all([ended(client.sql`select 1`), ended(client.sql`select 2`)]);
      line.cut();
      const endings: Promise<unknown>[] = [];
      // The loss is noticed in one of these turns of the event loop, with a query written in the
      // same turn or just before.
      for (let turn = 0; turn < 20; turn++) {
        endings.push(ended(client.sql`select 3`));
        await nextPhase();
      }
      for (const ending of await Promise.all(endings))
        expect(['answered', 'CONNECTION_CLOSED', 'ECONNRESET', 'EPIPE']).toContain(ending);
    }
    expect(await client.sql`select 4 as n`).toEqual([{ n: 4 }]);
  } finally {
    await client.close();
    await line.close();
  }
});

test('R-33 a connection ended in the middle of rows: the next query on it has its own rows, and no error of the last', async () => {
  const env = { databaseUrl: inject('databaseUrl'), queryTimeoutMs: 30_000 };
  const client = openClient({ ...env, poolSize: 1 }, { name: 'ended' });
  const other = openClient({ ...env, poolSize: 1 }, { name: 'ending' });
  try {
    const [own] = await client.sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const lost = ended(
      client.sql`select n, repeat('x', 1000), pg_sleep(0.001) from generate_series(1, 100000) n`,
    );
    await until('rows have arrived', async () => {
      const [row] = await other.sql<{ sent: boolean }[]>`
        select wait_event = 'PgSleep' as sent from pg_stat_activity where pid = ${own?.pid ?? 0}
          and clock_timestamp() - query_start > interval '200 ms'`;
      return row?.sent === true ? true : null;
    });
    await other.sql`select pg_terminate_backend(${own?.pid ?? 0})`;
    expect(await lost).toBe('CONNECTION_CLOSED');
    expect([...(await client.sql`select 5 as n`)]).toEqual([{ n: 5 }]);
  } finally {
    await Promise.all([client.close(), other.close()]);
  }
});

const phases: readonly [string, () => Promise<unknown>][] = [
  ['reads sockets', () => Promise.resolve()],
  ['runs timers', () => new Promise((resolve) => setTimeout(resolve, 5))],
  ['checks', () => nextPhase()],
];

test.each(phases)(
  'R-35 a process that computes longer than the limit keeps its connections, begun where the loop %s',
  async (_phase, enterPhase) => {
    const silenceMs = 300;
    const client = openClient(
      { databaseUrl: inject('databaseUrl'), queryTimeoutMs: 30_000, poolSize: 1 },
      { name: 'busy', silenceMs },
    );
    const compute = (): void => {
      const until = performance.now() + 2 * silenceMs;
      while (performance.now() < until);
    };
    try {
      await client.sql`select 1`;
      await enterPhase();
      compute();
      expect(await client.sql`select 2 as n`).toEqual([{ n: 2 }]);
      await enterPhase();
      compute();
      expect(await client.sql.begin((tx) => tx`select 3 as n`)).toEqual([{ n: 3 }]);
      const pending = client.sql`select pg_sleep(0.05), 4 as n`;
      await enterPhase();
      compute();
      expect(await pending).toMatchObject([{ n: 4 }]);
    } finally {
      await client.close();
    }
  },
);

test('a COPY that the server refuses rejects, and the connection goes on', async () => {
  const { sql } = openClient(
    { databaseUrl: inject('databaseUrl'), queryTimeoutMs: 10_000, poolSize: 1 },
    { name: 'copy' },
  );
  onTestFinished(() => sql.end());
  const copyText = (text: string) =>
    sql.begin(async (tx) => {
      await tx`create temporary table numbers (n integer) on commit drop`;
      const into = await tx`copy numbers from stdin`.writable();
      await pipeline(Readable.from([text]), into);
      return tx`select n from numbers`;
    });
  await expect(copyText('1\nnone\n')).rejects.toThrow('invalid input syntax');
  expect(await copyText('1\n2\n')).toHaveLength(2);
});
