import { expect, inject } from 'vitest';
import { createTestRuntime, drainWork } from '../../../testing/database';
import { startFaultline } from '../../../testing/faultline';
import { test } from '../../../testing/fixture';
import { sampleTurn } from '../../../testing/stack';
import { ingestTurns } from '../../ingest';
import { overrideVerdict } from '../override';
import { fillReviewQueues } from './fill-review-queues';

const turns = 15;
const delayMs = 10;

test('the queue is filled although giving rulings to verdicts takes longer than a connection may be idle', async ({
  runtime,
  database,
  project,
}) => {
  const { sql } = runtime.ctx;
  const send = async (from: number, to: number): Promise<void> => {
    const body = Buffer.from(
      JSON.stringify({
        turns: Array.from({ length: to - from }, (_, n) => sampleTurn(`same-${from + n}`)),
      }),
    );
    await ingestTurns(project, runtime.writer, {
      body,
      validUtf8: true,
      idempotencyKey: null,
      planTurns: runtime.rules.planTurns,
    });
    await drainWork(runtime);
  };
  await send(0, 1);
  const [first] = await sql<{ id: string }[]>`select id from verdicts where subject_id = 'same-0'`;
  await overrideVerdict(project, {
    verdictId: first?.id ?? '',
    verdict: 'pass',
    reason: 'In the ticket.',
  });
  await send(1, turns);

  const server = new URL(inject('databaseUrl'));
  const relay = await startFaultline({ host: server.hostname, port: Number(server.port) });
  const relayed = new URL(database.url);
  relayed.port = String(relay.port);
  relayed.hostname = '127.0.0.1';
  // A statement may take a second, and a connection may receive nothing for 1.5 s.
  const slow = createTestRuntime(relayed.href, { ASSAY_QUERY_TIMEOUT_MS: '1000' });
  await slow.ctx.sql`select 1`;
  relay.delay(delayMs);
  expect(await fillReviewQueues(slow.ctx)).toBe(turns);
  const [reused] = await sql<{ n: number }[]>`
    select count(*)::int as n from labels where source = 'reuse'`;
  expect(reused?.n).toBe(turns - 1);
  await slow.close();
  await relay.close();
});
