import { readdirSync } from 'node:fs';
import { Redis } from 'ioredis';
import { afterEach, expect, inject, onTestFinished, test } from 'vitest';
import { reportFigure } from '../testing/figures';
import { clean, closeLedger, createLedger } from '../testing/ledger';
import { sampleTurnId } from '../testing/otlp';
import {
  readLoad,
  type Child,
  type Edge,
  endAll,
  startEdge,
  startWorker,
} from '../testing/processes';
import { createSlowStack, lacks, type SlowStack } from '../testing/slow-stack';
import { packTraces, sendLoad } from '../testing/span-load';
import { long, sampleTurn } from '../testing/stack';

afterEach(() => endAll());

/** The resources of a process; a leak makes one of them grow with the requests. */
interface Sample {
  readonly descriptors: number;
  readonly heapMiB: number;
  readonly connections: number;
  readonly redisClients: number;
}

async function takeSample(stack: SlowStack, redis: Redis, children: readonly Child[]) {
  const loads = await Promise.all(children.map((child) => readLoad(child, true)));
  const [row] = await stack.sql<{ n: number }[]>`
    select count(*)::int as n from pg_stat_activity
    where datname = current_database() and application_name ~ '^assay (edge|worker|queue)'`;
  const clients = String(await redis.client('LIST'))
    .trim()
    .split('\n');
  const sample: Sample = {
    descriptors: children
      .map(({ pid }) => readdirSync(`/proc/${pid}/fd`).length)
      .reduce((sum, n) => sum + n, 0),
    heapMiB: loads.reduce((sum, { heapBytes }) => sum + heapBytes, 0) / 2 ** 20,
    connections: row?.n ?? 0,
    redisClients: clients.length,
  };
  return sample;
}

/** Turns, spans, a verification, reads, refused requests and one whose client disconnects. */
async function sendMixed(edge: Edge, key: string, n: number): Promise<readonly string[]> {
  const ledger = createLedger({ url: edge.url, key });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const call = async (path: string, body?: unknown, signal?: AbortSignal): Promise<number> => {
    const response = await fetch(edge.url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const turns = Array.from({ length: 5 }, (_, i) => sampleTurn(`r10-${n}-${i}`));
  // Large enough to reveal a leak of bodies.
  const large = sampleTurn(`r10-${n}-large`, { input: 'x'.repeat(500_000) });
  await ledger.postUntilAcked(turns);
  await ledger.postUntilAcked([large]);
  const traces = packTraces(`r10-${n}`, 4);
  const { acked } = await sendLoad(edge.url, key, traces, { atOnce: 2 });
  expect(acked).toHaveLength(traces.length);
  expect(await call('/v1/verifications?limit=5')).toBe(200);
  expect(await call('/v1/turns', { turns: [{}] })).toBe(202);
  expect(await call('/v1/turns/none')).toBe(404);
  const leaving = new AbortController();
  const left = call('/v1/turns?limit=50', undefined, leaving.signal).catch(() => 0);
  leaving.abort();
  await left;
  return [...ledger.acked, ...traces.map(({ label }) => sampleTurnId(label, 10))];
}

const cycles = long ? 60 : 8;
const samplesTaken = long ? 20 : 3;
test.skipIf(lacks('redis') || process.platform !== 'linux')(
  'R-10 a mixed run: descriptors, heap without garbage, connections and clients of Redis do not grow with the requests',
  async () => {
    const stack = await createSlowStack(inject('databaseUrl'), 'redis');
    onTestFinished(() => stack.close());
    const redis = new Redis(stack.redis?.url ?? '');
    onTestFinished(() => redis.disconnect());
    const edge = await startEdge(stack.variables, true);
    const worker = await startWorker(stack.variables, 'worker', true);
    const sent = new Set<string>();
    const samples: Sample[] = [];
    // The first run fills caches and opens pools.
    for (let at = 0; at <= samplesTaken; at++) {
      for (let n = 0; n < cycles; n++)
        for (const id of await sendMixed(edge, stack.key, at * cycles + n)) sent.add(id);
      await stack.drained(180_000);
      samples.push(await takeSample(stack, redis, [edge, worker]));
    }
    expect(
      await closeLedger(stack.sql, stack.project.projectId, { sent, acked: sent, faults: [] }),
    ).toMatchObject(clean);
    const growth = (of: (sample: Sample) => number): number => {
      const values = samples.map(of);
      const half = Math.ceil(values.length / 2);
      return Math.min(...values.slice(half)) - Math.max(...values.slice(0, half));
    };
    reportFigure('R-10', {
      requests: samples.length * cycles * 11,
      descriptors: samples.map(({ descriptors }) => descriptors).join(' '),
      'heap MiB': samples.map(({ heapMiB }) => heapMiB.toFixed(1)).join(' '),
      connections: samples.map(({ connections }) => connections).join(' '),
      'Redis clients': samples.map(({ redisClients }) => redisClients).join(' '),
    });
    expect(growth(({ descriptors }) => descriptors)).toBeLessThanOrEqual(2);
    expect(growth(({ heapMiB }) => heapMiB)).toBeLessThan(3);
    expect(growth(({ connections }) => connections)).toBeLessThanOrEqual(0);
    expect(growth(({ redisClients }) => redisClients)).toBeLessThanOrEqual(0);
  },
  600_000,
);
