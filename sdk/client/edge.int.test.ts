import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Edge, startEdge } from '../../testing/processes';
import { createStack, sampleTurn, type Stack } from '../../testing/stack';
import { type Assay, createAssay, type Rejection, type Turn } from './index';

/** The client against a real edge: both must agree on the wire format. */

let stack: Stack;
let edge: Edge;
let assay: Assay;
const rejections: Rejection[] = [];

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'));
  edge = await startEdge(stack.variables);
  assay = createAssay({
    url: edge.url,
    key: stack.key,
    compression: 'gzip',
    onReject: (rejection) => rejections.push(rejection),
  });
});

afterAll(async () => {
  await assay.close();
  await stack.close();
});

test('a turn with all its members, and the report of its outcome', async () => {
  const turn: Turn = {
    session_id: 's-1',
    trace_id: '0123456789abcdef0123456789abcdef',
    source: 'chat',
    model: 'openai/gpt-4o',
    started_at: new Date('2026-01-01T00:00:00Z'),
    ended_at: '2026-01-01T00:00:01Z',
    input: [{ role: 'user', content: 'How full?' }],
    tools: [{ id: 'tc1', name: 'disk', arguments: {}, result: { disk_pct: 91.4 } }],
    context: [{ id: 'ctx1', content: 'x' }],
    output: '91.4%',
    envelope: { answer: '91.4%', facts: [{ value: '91.4%', source_id: 'tc1', path: 'disk_pct' }] },
    files: [{ path: 'a.py', content: 'x' }],
    cost_usd: 0.004,
    tokens: { input: 900, output: 40 },
    tags: ['a'],
    metadata: { 'long text': 'word '.repeat(500) },
    reprompt_used: false,
  };
  const id = assay.turn(turn);
  const bad = assay.turn({ output: 'x', cost_usd: -1 });
  assay.outcome({ turn_id: id, success: true, score: 0.5, source: 'ci', note: 'worked' });
  expect(await assay.flush()).toBe(true);
  expect(rejections).toMatchObject([
    { kind: 'turn', id: bad, code: 'invalid', message: expect.stringContaining('cost_usd') },
  ]);
  expect(assay.stats()).toMatchObject({ accepted: 2, rejected: 1, duplicates: 0, retried: 0 });
  const [stored] = await stack.sql<{ session_id: string; started: string }[]>`
    select session_id, (payload::jsonb)->>'started_at' as started from turns where id = ${id}`;
  expect(stored).toEqual({ session_id: 's-1', started: '2026-01-01T00:00:00.000Z' });
});

test('a verification, and a refused one', async () => {
  const { id, ...turn } = sampleTurn('v-1');
  const result = await assay.verifyIntegrity({ ...turn, id });
  expect(result).toMatchObject({
    ok: true,
    verification: {
      state: 'settled',
      outcome: 'failed',
      turn_id: id,
      integrity: { unsourced: 1, figures: [{ sourced: true }, { text: '77', sourced: false }] },
    },
  });
  expect(await assay.verifyIntegrity({ ...turn, id })).toEqual(result);
  expect(
    await assay.verifyIntegrity({ output: 'x', tags: [7] as unknown as string[] }),
  ).toMatchObject({
    ok: false,
    error: { code: 'invalid_request', status: 400, message: expect.stringContaining('tags') },
  });
  const stranger = createAssay({ url: edge.url, key: 'asy_nobodys', flushOnExit: false });
  await expect(
    stranger.verifyIntegrity({ output: 'x' }, { throwOnError: true }),
  ).rejects.toMatchObject({
    name: 'AssayError',
    status: 401,
  });
});
