import { setImmediate as nextPhase } from 'node:timers/promises';
import { expect, inject, test } from 'vitest';
import { startFaultline } from '../testing/faultline';
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
