import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findFreePort } from '../scripts/postgres.mjs';
import { endAll, startProcess, startEdge } from '../testing/processes';
import { createStack, sampleTurn, type Stack } from '../testing/stack';
import { until } from '../testing/until';

/* Answers that the edge writes without its router. */

let stack: Stack;
let url: string;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  ({ url } = await startEdge(stack.variables));
});

afterAll(() => stack.close());

function expectData(answer: Response): void {
  const { headers, status } = answer;
  expect(headers.get('x-content-type-options'), `${status} ${answer.url}`).toBe('nosniff');
  const policy = headers.get('content-security-policy') ?? '';
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", 'sandbox'])
    expect(policy, `${status} ${answer.url}`).toContain(rule);
}

const html = '<script>alert(1)</script>';

test.for([
  ['an accepted turn', 202, '/v1/turns', { turns: [sampleTurn('t-1')] }, true],
  ['a rejected turn', 202, '/v1/turns', { turns: [{ id: html }] }, true],
  ['an unreadable body', 400, '/v1/turns', html, true],
  ['an unknown key', 401, '/v1/turns', { turns: [] }, false],
  [
    'an unreadable gateway route',
    400,
    `/gateway/${encodeURIComponent(html)}/v1/x`,
    { model: html },
    false,
  ],
  [
    'a gateway call without the scope',
    403,
    '/gateway/none/v1/chat/completions',
    { model: html },
    true,
  ],
] as const)('S-56 S-57 %s is data', async ([, status, path, body, isKnown]) => {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${isKnown ? stack.key : 'asy_ir_unknown'}`,
      'content-type': 'application/json',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  expect([answer.status, await answer.text()]).toEqual([status, expect.any(String)]);
  expectData(answer);
});

test('S-56 S-57 readiness is data, with a database and while none answers', async () => {
  for (const path of ['/readyz', '/gateway/readyz']) expectData(await fetch(url + path));
  const port = await findFreePort();
  const nowhere = `postgres://assay@127.0.0.1:${await findFreePort()}/assay`;
  await startProcess('edge', {
    ...stack.variables,
    DATABASE_URL: nowhere,
    ASSAY_EDGE_PORT: String(port),
  });
  const lost = await until('the edge answers', () =>
    fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null),
  );
  expect(lost.status).toBe(503);
  expectData(lost);
  await endAll();
});
