import { expect, test } from 'vitest';
import { type Assay, createAssay } from './index';

/** How a verify call waits for its verdict; the server of the test answers as scripted. */

type Reply = 'pending' | 'settled' | 'hang';

function setUp(replies: readonly Reply[]): { assay: Assay; bodies: string[]; paths: string[] } {
  const bodies: string[] = [];
  const paths: string[] = [];
  const left = [...replies];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    paths.push(new URL(input instanceof Request ? input.url : input).pathname);
    bodies.push(typeof init?.body === 'string' ? init.body : '');
    const reply = left.shift() ?? 'pending';
    if (reply === 'hang') return new Promise(() => undefined);
    return Response.json(
      { id: 'ver_1', state: reply },
      { status: reply === 'pending' ? 202 : 200 },
    );
  };
  const assay = createAssay({
    url: 'http://127.0.0.1:1',
    key: 'asy_test',
    fetch,
    flushOnExit: false,
  });
  return { assay, bodies, paths };
}

const work = { task_description: 'x', success_criteria: ['y'], task_output: 'z' };

test('repeats the same call, id and waiting time included, until there is a verdict', async () => {
  const { assay, bodies, paths } = setUp(['pending', 'pending', 'settled']);
  const result = await assay.verify('task', work);
  expect(result).toMatchObject({ ok: true, verification: { state: 'settled' } });
  expect(paths).toEqual(Array.from({ length: 3 }, () => '/v1/verify/task'));
  expect(new Set(bodies).size).toBe(1);
  const sent = JSON.parse(bodies[0] ?? '') as { wait_ms: number };
  expect(sent).toEqual({
    ...work,
    id: expect.stringMatching(/^v-/) as string,
    mode: 'sync',
    wait_ms: 27_000,
  });
});

test.each([
  ['is still pending', ['pending', 'pending', 'pending'] as const],
  ['is no longer answered', ['pending', 'hang'] as const],
])('a verdict that %s when the time is over leaves a pending verification', async (_, replies) => {
  const { assay } = setUp(replies);
  const result = await assay.verify('task', work, { timeoutMs: 400 });
  expect(result).toMatchObject({ ok: true, verification: { state: 'pending' } });
});

test('a server that never answers is unreachable', async () => {
  const { assay } = setUp(['hang']);
  expect(await assay.verify('task', work, { timeoutMs: 100 })).toMatchObject({
    ok: false,
    error: { code: 'unreachable' },
  });
});

test('the mode async does not wait, and names of verifiers are part of the path', async () => {
  const { assay, bodies, paths } = setUp([]);
  const result = await assay.verify('own/1', { subject: { output: 'x' } }, { mode: 'async' });
  expect(result).toMatchObject({ ok: true, verification: { state: 'pending' } });
  expect(paths).toEqual(['/v1/verify/own%2F1']);
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ mode: 'async' });
});
