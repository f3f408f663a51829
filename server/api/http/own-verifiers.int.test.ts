// Verifiers of a project at a real edge, whose threads answer one request at a time, with a worker.
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startEdge, startWorker, type Edge } from '../../../testing/processes';
import { createStack, type Stack } from '../../../testing/stack';
import { createKey } from '../../access';
import { createBoxMonitor } from '../../sandbox';

const monitor = createBoxMonitor();
const { state: boxState } = await monitor.check();
monitor.stop();

let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  [edge] = await Promise.all([startEdge(stack.variables), startWorker(stack.variables)]);
});

afterAll(() => stack.close());

async function call(method: string, path: string, body?: unknown, headers = {}) {
  const response = await fetch(edge.url + path, {
    method,
    headers: {
      authorization: `Bearer ${stack.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const jobCount = async (): Promise<number> => {
  const [row] = await stack.sql<{ n: number }[]>`select count(*)::int as n from jobs`;
  return row?.n ?? 0;
};

const draft = { kind: 'checks', checks: [{ check: 'contains', value: 'refund' }] };

test('online.md 3: a draft is tried at a real edge, and neither a verdict nor a job is left', async () => {
  const subjects = [{ output: 'a refund' }, { output: 'nothing' }];
  const tried = await call('POST', '/v1/verifiers/refunds/try', { draft, subjects });
  expect(tried).toMatchObject({
    status: 200,
    body: { faults: [], data: [{ outcome: 'passed' }, { outcome: 'failed' }] },
  });
  expect(await jobCount()).toBe(0);
  expect(await stack.sql`select 1 from verdicts`).toHaveLength(0);
});

test('S-1: a client cannot continue a job', async () => {
  const body = { draft, subjects: [{ output: 'a refund' }] };
  const tried = await call('POST', '/v1/verifiers/refunds/try', body, {
    'x-assay-continues': 'job_of_another',
  });
  expect(tried).toMatchObject({ status: 200, body: { data: [{ outcome: 'passed' }] } });
});

test('S-1: a draft needs the scope write, a stored verifier only verify', async () => {
  await call('PUT', '/v1/verifiers/refunds', draft);
  const { key } = await createKey(stack.project, { name: 'verify', scopes: ['verify'] });
  const headers = { authorization: `Bearer ${key}` };
  const subjects = [{ output: 'a refund' }];
  const path = '/v1/verifiers/refunds/try';
  expect((await call('POST', path, { subjects }, headers)).status).toBe(200);
  expect(await call('POST', path, { draft, subjects }, headers)).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining('"write"') } },
  });
});

describe.runIf(boxState === 'ready')('a function', () => {
  const define = (source: string) => ({
    kind: 'function',
    function: { language: 'python', source },
  });

  test('online.md 3: is stored after a worker loaded it; many at once hold no thread', async () => {
    const source = 'def evaluate(output):\n  return len(output) < 9';
    const slugs = Array.from({ length: 6 }, (_, n) => `short-${n}`);
    const stored = await Promise.all(
      slugs.map((slug) => call('PUT', `/v1/verifiers/${slug}`, define(source))),
    );
    expect(stored.map(({ status }) => status)).toEqual(slugs.map(() => 200));
    expect(stored.every(({ body }) => body.created === true)).toBe(true);
    expect(
      await call('POST', '/v1/verify/short-0', { subject: { output: 'short' } }),
    ).toMatchObject({ status: 200, body: { outcome: 'passed', function: { scores: [] } } });
    expect(await jobCount()).toBe(0);
  });

  test('online.md 3: with a syntax error is refused with its line, and is not stored', async () => {
    const answer = await call('PUT', '/v1/verifiers/broken', define('def evaluate(output:\n  1'));
    expect(answer).toMatchObject({
      status: 422,
      body: { error: { details: [{ path: 'function.source' }] } },
    });
    expect((await call('GET', '/v1/verifiers/broken')).status).toBe(404);
    expect(await jobCount()).toBe(0);
  });
});
