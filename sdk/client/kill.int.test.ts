import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { reportFigure } from '../../testing/figures';
import { type Edge, startEdge } from '../../testing/processes';
import { createStack, long, sampleTurn, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { findFreePort } from '../../scripts/postgres.mjs';
import { createAssay } from './index';

/**
 * The client in a host, against a real edge that is killed with SIGKILL while it receives turns,
 * and restarted.
 */

let stack: Stack;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
});

afterAll(() => stack.close());

test('R-32 the server killed and restarted under an SDK: no turn lost, none twice, no exception in the host', async () => {
  const turns = long ? 100_000 : 10_000;
  const kills = long ? 10 : 2;
  const began = performance.now();
  const faults: unknown[] = [];
  const note = (error: unknown): void => void faults.push(error);
  process.on('uncaughtExceptionMonitor', note);
  const port = String(await findFreePort());
  const start = (): Promise<Edge> => startEdge({ ...stack.variables, ASSAY_EDGE_PORT: port });
  let edge = await start();
  const assay = createAssay({
    url: `http://127.0.0.1:${port}`,
    key: stack.key,
    maxBatchItems: 250,
    maxAgeMs: 50,
    backoffMs: 20,
    maxBackoffMs: 500,
    maxQueueBytes: 1024 * 1024,
    onReject: (rejection) => faults.push(rejection),
    onDrop: (drop) => faults.push(drop),
  });
  const given = new Set<string>();
  const producing = (async () => {
    for (let at = 0; at < turns; at++) {
      await assay.ready();
      given.add(assay.turn(sampleTurn(`kill-${at}`)));
    }
  })();
  for (let kill = 1; kill <= kills; kill++) {
    await until(
      'the next kill',
      () => (assay.stats().sent >= (turns * kill) / (kills + 1) ? true : null),
      60_000,
    );
    await edge.kill();
    // The server is down until the client notices.
    const { retried } = assay.stats();
    await until('the client found out', () => (assay.stats().retried > retried ? true : null));
    edge = await start();
  }
  await producing;
  expect(await assay.close({ timeoutMs: 30_000 })).toBe(true);
  process.removeListener('uncaughtExceptionMonitor', note);
  const stats = assay.stats();
  expect(faults).toEqual([]);
  expect(given.size).toBe(turns);
  expect({ sum: stats.accepted + stats.duplicates, rejected: stats.rejected }).toEqual({
    sum: turns,
    rejected: 0,
  });
  const stored = await stack.sql<{ id: string; revision: number }[]>`
      select id, revision::int from turns where project_id = ${stack.project.projectId}`;
  expect(stored).toHaveLength(turns);
  expect(stored.filter(({ id, revision }) => !given.has(id) || revision !== 1)).toEqual([]);
  const [planned] = await stack.sql<{ n: number; subjects: number }[]>`
      select count(*)::int as n, count(distinct subject_id)::int as subjects from work where project_id = ${stack.project.projectId}`;
  expect(planned).toEqual({ n: turns, subjects: turns });
  reportFigure('SDK', {
    turns,
    kills,
    lost: 0,
    twice: 0,
    'found stored by a retry': stats.duplicates,
    retries: stats.retried,
    seconds: ((performance.now() - began) / 1000).toFixed(1),
  });
  await edge.kill();
});
