import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { createTestProject, type TestDatabase } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import {
  readLoad,
  type Child,
  type Edge,
  endAll,
  startEdge,
  startWorker,
} from '../../../testing/processes';
import { until } from '../../../testing/until';
import { worstRequests } from '../../../testing/worst-requests';
import { timeFactor } from '../../../testing/time-factor';
import { long } from '../../../testing/stack';
import { createKey } from '../../access';
import type { Runtime } from '../../runtime';

// with real processes: work whose size a caller controls runs in threads, within a
// budget.

let database: TestDatabase;
let runtime: Runtime;
let edge: Edge;
let worker: Child;
let key: string;
let dataDir: string;

/** Processor time of the main thread between two turns of its loop, milliseconds. */
const STALL_MS = 50;

test.beforeAll(async ({ database: ownDatabase, runtime: ownRuntime }) => {
  database = ownDatabase;
  runtime = ownRuntime;
  dataDir = mkdtempSync(join(tmpdir(), 'assay-budget-'));
  const project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'k',
    scopes: ['ingest', 'verify', 'read', 'write'],
  }));
  const variables = {
    DATABASE_URL: database.url,
    ASSAY_DATA_DIR: dataDir,
    ASSAY_LOG_LEVEL: 'warn',
  };
  [edge, worker] = await Promise.all([
    startEdge(variables, true),
    // A worker has twenty times the budget: 1 s in the short form.
    startWorker(long ? variables : { ...variables, ASSAY_REQUEST_BUDGET_MS: '50' }, 'worker', true),
  ]);
});

afterAll(async () => {
  await endAll();
  rmSync(dataDir, { recursive: true, force: true });
});

interface Reply {
  readonly status: number;
  readonly body: {
    id?: string;
    state?: string;
    outcome?: string;
    verdict?: string | null;
    scores?: { state: string; reasoning: string; name: string }[];
  };
}

async function post(path: string, body: string): Promise<Reply> {
  const response = await fetch(`${edge.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
}

const get = async (path: string): Promise<Reply> => {
  const response = await fetch(`${edge.url}${path}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return { status: response.status, body: (await response.json()) as Reply['body'] };
};

describe('R-104 one request never blocks an event loop', () => {
  test.each(worstRequests)('R-104 $name', async ({ path, body, isOver }) => {
    await readLoad(edge);
    const reply = await post(path, body(1));
    const { stallMs } = await readLoad(edge);
    expect(reply.status, JSON.stringify(reply.body).slice(0, 500)).toBeLessThan(300);
    expect(stallMs).toBeLessThan(timeFactor * STALL_MS);
    if (!isOver) return;
    expect(reply.body).toMatchObject({ state: 'settled', outcome: 'inconclusive', verdict: null });
    const over =
      reply.body.scores?.filter(
        ({ state, reasoning }) => state === 'failed' && reasoning.startsWith('over budget'),
      ) ?? [];
    expect(over.length).toBeGreaterThan(0);
  });

  test('R-104 the same in `async` blocks no worker, and ends as over budget', async () => {
    const [worst] = worstRequests;
    if (worst === undefined) throw new Error('no request');
    await readLoad(worker);
    const { id } = (
      await post(
        worst.path,
        JSON.stringify({ ...(JSON.parse(worst.body(2)) as object), mode: 'async' }),
      )
    ).body;
    const settled = await until('a verdict', async () => {
      const { body } = await get(`/v1/verifications/${id ?? ''}`);
      return body.state === 'settled' ? body : null;
    });
    expect(settled).toMatchObject({ outcome: 'inconclusive', verdict: null });
    expect((await readLoad(worker)).stallMs).toBeLessThan(timeFactor * STALL_MS);
  });

  test('R-104 a list of large verdicts blocks no event loop', async () => {
    const output = Array.from(
      { length: 3_000 },
      (_, i) => `host-${i} is at ${i % 100}.${i % 10}%`,
    ).join(', ');
    for (let n = 0; n < 10; n++) {
      const sent = { output: `${n}: ${output}`, tools: [{ id: 'a', result: { pct: 1.5 } }] };
      expect((await post('/v1/verify/integrity', JSON.stringify(sent))).body.state).toBe('settled');
    }
    await readLoad(edge);
    const response = await fetch(`${edge.url}/v1/verifications?limit=200`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const text = await response.text();
    const { stallMs } = await readLoad(edge);
    expect(response.status, text.slice(0, 200)).toBe(200);
    expect(text.length).toBeGreaterThan(4_000_000);
    expect(stallMs).toBeLessThan(timeFactor * STALL_MS);
  });

  test('R-104 checks before the one that is over budget keep their scores; the next subject is verified as ever', async () => {
    const [worst] = worstRequests;
    const sent = JSON.parse(worst?.body(3) ?? '{}') as { success_criteria: object[] };
    const first = { check: 'min_length', value: 1 };
    const { body } = await post(
      '/v1/verify/task',
      JSON.stringify({ ...sent, success_criteria: [first, ...sent.success_criteria] }),
    );
    expect(body.scores?.find(({ name }) => /length|characters/i.test(name))).toMatchObject({
      state: 'scored',
    });
    const fine = await post(
      '/v1/verify/task',
      JSON.stringify({
        task_description: 't',
        success_criteria: [first],
        task_output: 'A whole sentence of work.',
      }),
    );
    expect(fine.body).toMatchObject({ outcome: 'passed' });
  });
});
