// Lists as NDJSON from a real edge, whose threads read the pages.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Edge, startEdge } from '../../../testing/processes';
import { createStack, type Stack } from '../../../testing/stack';

let stack: Stack;
let edge: Edge;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
});

afterAll(() => stack.close());

test('online.md 5: all rows of a list arrive, one a line, with their digits', async () => {
  const headers = { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' };
  const turns = Array.from(
    { length: 130 },
    (_, n) => `{"id":"t-${n}","output":"x","metadata":{"n":${n}.50,"large":1e400}}`,
  );
  const sent = await fetch(`${edge.url}/v1/turns`, {
    method: 'POST',
    headers,
    body: `{"turns":[${turns.join(',')}]}`,
  });
  expect(await sent.json()).toMatchObject({ accepted: 130 });
  for (const query of ['', '?limit=200', '?limit=9']) {
    const response = await fetch(`${edge.url}/v1/turns${query}`, {
      headers: { ...headers, accept: 'application/x-ndjson' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/x-ndjson');
    const rows = (await response.text()).trimEnd().split('\n');
    expect(rows).toHaveLength(130);
    const ids = rows.map((row) => (JSON.parse(row) as { id: string }).id);
    expect(new Set(ids).size).toBe(130);
    expect(rows[0]).toMatch(/"n":\d+\.50,"large":1e400/);
  }
});
