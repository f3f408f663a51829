// Reading back sent data: turns, sessions, traces with content, any list as NDJSON, and the undo of
// an override (online.md 5).
import { beforeEach, describe, expect } from 'vitest';
import fc from 'fast-check';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { createApp } from './app';

let runtime: Runtime;
let project: ProjectCtx;
let app: ReturnType<typeof createApp>;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  app = createApp(runtime);
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  const scopes = ['ingest', 'verify', 'read', 'write'] as const;
  ({ key } = await createKey(project, { name: 'k', scopes: [...scopes] }));
});

const request = (method: string, path: string, body?: string, accept = 'application/json') =>
  app.request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
    ...(body === undefined ? {} : { body }),
  });
const get = async (path: string) => {
  const response = await request('GET', path);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};
const send = async (turns: readonly object[]) => {
  const sent = await request('POST', '/v1/turns', JSON.stringify({ turns }));
  expect(await sent.json()).toMatchObject({ accepted: turns.length });
};
const lines = async (path: string): Promise<unknown[]> => {
  const response = await request('GET', path, undefined, 'application/x-ndjson');
  expect(response.headers.get('content-type')).toBe('application/x-ndjson');
  const text = await response.text();
  expect(text === '' || text.endsWith('\n')).toBe(true);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as unknown);
};

describe('turns', () => {
  const full = {
    id: 't-1',
    session_id: 's-1',
    trace_id: 'own-trace',
    source: 'agent',
    model: 'openai/gpt-4o',
    input: [{ role: 'user', content: [{ type: 'text', text: 'How full is it?' }] }],
    tools: [{ id: 'c1', name: 'disk', arguments: { host: 'web-1' }, result: { pct: 91.4 } }],
    context: [{ id: 'd', content: { page: 3 } }],
    output: 'It is at 91.4%.',
    tags: ['prod'],
    metadata: { tier: 'paid', user_id: 'u-1' },
    started_at: '2026-11-27T10:00:00.000Z',
    ended_at: '2026-11-27T10:00:01.000Z',
  };

  test('a turn comes back as sent, with its verdicts', async () => {
    await send([full]);
    await drainWork(runtime);
    const { status, body } = await get('/v1/turns/t-1');
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...full, origin: 'api', revision: 1, superseded: false });
    expect(body.verdicts).toMatchObject([{ verifier: 'integrity@1', state: 'passed' }]);
    const verified = await request(
      'POST',
      '/v1/verify/integrity',
      JSON.stringify({ ...full, id: 't-2' }),
    );
    const { id } = (await verified.json()) as { id: string };
    expect((await get('/v1/turns/t-2')).body.verdicts).toMatchObject([
      { id, verifier: 'integrity@1', state: 'passed' },
    ]);
    expect((await get('/v1/turns/nothing')).status).toBe(404);
  });

  test('digits and odd names come back unchanged', async () => {
    const text =
      '{"turns":[{"id":"t-1","output":"x","metadata":{"a":0.10,"b":1e400,"c":12345678901234567890,"own \\"member\\"":[1.50]}}]}';
    expect((await request('POST', '/v1/turns', text)).status).toBe(202);
    for (const path of ['/v1/turns/t-1', '/v1/turns']) {
      const read = await (await request('GET', path)).text();
      expect(read).toContain('"a":0.10,"b":1e400,"c":12345678901234567890');
      expect(read).toContain('"own \\"member\\"":[1.50]');
    }
    const all = await request('GET', '/v1/turns', undefined, 'application/x-ndjson');
    expect(await all.text()).toContain('"a":0.10,"b":1e400,"c":12345678901234567890');
  });

  test('any JSON in input, context and metadata comes back equal', async () => {
    const value = fc.jsonValue({ maxDepth: 3 }).map((each) => JSON.parse(JSON.stringify(each)));
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        value,
        fc.dictionary(fc.string(), value),
        async (id, any, metadata) => {
          const turn = { id, output: 'x', context: [{ id: 'c', content: any }], metadata };
          await send([turn]);
          const { body } = await get(`/v1/turns/${id}`);
          expect(body.context).toEqual(turn.context);
          expect(body.metadata).toEqual(metadata);
        },
      ),
      { numRuns: 25 },
    );
  });

  test('the list has the filters of a turn, and pages through all of them newest first', async () => {
    await send([
      ...Array.from({ length: 7 }, (_, n) => ({ id: `a-${n}`, output: 'x', session_id: 's-1' })),
      { id: 'b', output: 'x', model: 'm', source: 'agent', trace_id: 'tr' },
    ]);
    for (const filter of ['model=m', 'source=agent', 'trace_id=tr'])
      expect((await get(`/v1/turns?${filter}`)).body.data).toMatchObject([{ id: 'b' }]);
    const seen: unknown[] = [];
    let cursor = '';
    do {
      const { body } = await get(`/v1/turns?session_id=s-1&limit=3${cursor}`);
      seen.push(...(body.data as { id: string }[]).map(({ id }) => id));
      const next = body.next_cursor as string | null;
      cursor = next === null ? '' : `&cursor=${next}`;
    } while (cursor !== '');
    expect(seen).toEqual(['a-6', 'a-5', 'a-4', 'a-3', 'a-2', 'a-1', 'a-0']);
    const conversation = await get('/v1/sessions/s-1/turns?limit=100');
    expect((conversation.body.data as { id: string }[]).map(({ id }) => id)).toEqual(
      seen.toReversed(),
    );
    expect((await get('/v1/turns?from=2030-01-01T00:00:00Z')).body.data).toEqual([]);
    expect((await get('/v1/turns?sesion_id=s-1')).status).toBe(400);
    expect((await get('/v1/turns?cursor=x')).status).toBe(400);
  });
});

describe('Accept: application/x-ndjson', () => {
  test('any list streams all of its rows, whatever its page', async () => {
    await send(Array.from({ length: 123 }, (_, n) => ({ id: `t-${n}`, output: 'x' })));
    expect(await lines('/v1/turns')).toHaveLength(123);
    expect(await lines('/v1/turns?limit=7')).toHaveLength(123);
    expect(await lines('/v1/verifiers')).toHaveLength(9);
    expect(await lines('/v1/sessions')).toEqual([]);
  });

  test('an error is answered as JSON with its status', async () => {
    const response = await request('GET', '/v1/turns?limit=0', undefined, 'application/x-ndjson');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_request' } });
    const unknown = await app.request('/v1/turns', { headers: { accept: 'application/x-ndjson' } });
    expect(unknown.status).toBe(401);
  });
});

test('the content of a trace: messages, tool calls and documents of its spans', async () => {
  const message = (role: string, text: string) =>
    JSON.stringify([{ role, parts: [{ type: 'text', content: text }] }]);
  const attribute = (name: string, value: string) => ({ key: name, value: { stringValue: value } });
  const ns = (ms: number) => `${1_764_000_000_000 + ms}000000`;
  const traceId = '5b8efff798038103d269b633813fc60c';
  const spans = [
    {
      traceId,
      spanId: 'eee19b7ec3c1b174',
      name: 'chat',
      startTimeUnixNano: ns(0),
      endTimeUnixNano: ns(1000),
      attributes: [
        attribute('gen_ai.operation.name', 'chat'),
        attribute('gen_ai.input.messages', message('user', 'How full?')),
        attribute('gen_ai.output.messages', message('assistant', 'At 91.4%.')),
      ],
    },
    {
      traceId,
      spanId: 'eee19b7ec3c1b175',
      parentSpanId: 'eee19b7ec3c1b174',
      name: 'execute_tool disk',
      startTimeUnixNano: ns(10),
      endTimeUnixNano: ns(20),
      attributes: [
        attribute('gen_ai.operation.name', 'execute_tool'),
        attribute('gen_ai.tool.name', 'disk'),
        attribute('gen_ai.tool.call.id', 'c1'),
        attribute('gen_ai.tool.call.arguments', '{"host":"web-1"}'),
        attribute('gen_ai.tool.call.result', '{"pct":91.4}'),
      ],
    },
  ];
  const sent = { resourceSpans: [{ scopeSpans: [{ spans }] }] };
  expect((await request('POST', '/v1/traces', JSON.stringify(sent))).status).toBe(200);
  const { body } = await get(`/v1/traces/${traceId}?content=true`);
  expect(body.spans).toMatchObject([
    {
      name: 'chat',
      content: {
        input: [{ role: 'user', content: 'How full?' }],
        output: [{ role: 'assistant', content: 'At 91.4%.' }],
        tool: null,
      },
    },
    {
      name: 'execute_tool disk',
      content: {
        tool: {
          name: 'disk',
          call_id: 'c1',
          arguments: '{"host":"web-1"}',
          result: '{"pct":91.4}',
        },
      },
    },
  ]);
  const without = await get(`/v1/traces/${traceId}`);
  expect(JSON.stringify(without.body)).not.toContain('How full?');
});

test('an override is undone under its own verdict only, twice with the same answer', async () => {
  const verify = async (id: string) =>
    (await (
      await request(
        'POST',
        '/v1/verify/integrity',
        JSON.stringify({
          id,
          output: 'It is at 21 GiB.',
          context: [{ id: 'c', content: '9 GiB' }],
        }),
      )
    ).json()) as { id: string };
  const [one, other] = [await verify('t-1'), await verify('t-2')];
  const ruled = await request(
    'POST',
    `/v1/verifications/${one.id}/overrides`,
    JSON.stringify({ verdict: 'sourced', reason: 'It is in the ticket.' }),
  );
  const { id } = (await ruled.json()) as { id: string };
  const effective = async () => (await get(`/v1/verifications/${one.id}`)).body.effective_verdict;
  expect(await effective()).toBe('sourced');
  expect((await request('DELETE', `/v1/verifications/${other.id}/overrides/${id}`)).status).toBe(
    404,
  );
  for (let times = 0; times < 2; times += 1) {
    const undone = await request('DELETE', `/v1/verifications/${one.id}/overrides/${id}`);
    expect({ status: undone.status, body: await undone.json() }).toMatchObject({
      status: 200,
      body: { id, verification_id: one.id, undone_by: expect.any(String) },
    });
  }
  expect(await effective()).toBe('unsourced');
});

test('labels are listed with their filters, and say when they were undone', async () => {
  await send([
    { id: 't-1', output: 'It is at 9 GiB.', context: [{ id: 'c', content: '9 GiB' }] },
    { id: 't-2', output: 'x' },
  ]);
  await drainWork(runtime);
  const outcomes = ['t-1', 't-2'].map((id, n) => ({ id: `o-${n}`, turn_id: id, success: n === 0 }));
  await request('POST', '/v1/outcomes', JSON.stringify({ outcomes }));
  const found = await get('/v1/verifications?turn_id=t-1');
  const verification = (found.body.data as { id: string }[])[0]?.id ?? '';
  const ruled = await request(
    'POST',
    `/v1/verifications/${verification}/overrides`,
    JSON.stringify({ id: 'r-1', verdict: 'unsourced', reason: 'It is wrong.', grade: 2 }),
  );
  expect(ruled.status).toBe(201);
  const ids = async (query: string) =>
    ((await get(`/v1/labels${query}`)).body.data as { id: string }[]).map(({ id }) => id);
  expect(await ids('')).toEqual(expect.arrayContaining(['r-1', 'o-0', 'o-1']));
  expect((await ids('?subject_id=t-1')).sort()).toEqual(['o-0', 'r-1']);
  expect(await ids('?kind=override')).toEqual(['r-1']);
  expect(await ids(`?verification_id=${verification}`)).toEqual(['r-1']);
  expect(await ids('?verifier=integrity')).toEqual(['r-1']);
  expect(await ids('?verifier=task')).toEqual([]);
  expect((await ids('?rater=key%20%22k%22')).sort()).toEqual(['o-0', 'o-1', 'r-1']);
  expect(await ids('?from=2100-01-01T00:00:00Z')).toEqual([]);
  expect((await lines('/v1/labels?limit=1')).length).toBe(3);
  await request('DELETE', `/v1/verifications/${verification}/overrides/r-1`);
  const { body } = await get('/v1/labels?kind=override');
  expect(body.data).toMatchObject([
    {
      id: 'r-1',
      verdict: 'unsourced',
      success: false,
      grade: 2,
      reason: 'It is wrong.',
      rater: 'key "k"',
      undone_at: expect.any(String),
    },
  ]);
});
