import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey } from '../../access';
import type { Runtime } from '../../runtime';

/** Tasks over HTTP, by checks alone: no model is called. */

let runtime: Runtime;
let key = '';

test.beforeAll(async ({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  ({ key } = await createKey(await createTestProject(runtime), {
    name: 'k',
    scopes: ['verify', 'read', 'write'],
  }));
});

async function send(
  path: string,
  body: unknown,
  method = 'POST',
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const task = (more: object) => ({
  task_description: 'List the pears',
  task_output: 'Two apples.',
  success_criteria: [],
  ...more,
});

test('the answer to an async call names the author of the work, as its GET does', async () => {
  const whose = {
    session_id: 's-1',
    trace_id: 't-1',
    mission_id: 'm-1',
    task_id: 'k-1',
    executor_model: 'openai/gpt-4o',
  };
  const posted = await send(
    '/v1/verify/task',
    task({
      ...whose,
      id: 'async-1',
      mode: 'async',
      success_criteria: [{ check: 'min_length', value: 3 }],
    }),
  );
  expect(posted.status).toBe(202);
  const { executor_model: model, ...ids } = whose;
  expect(posted.body).toMatchObject({ ...ids, model, client_id: 'async-1', state: 'pending' });
  expect((await send(`/v1/verifications/${String(posted.body['id'])}`, null, 'GET')).body).toEqual(
    posted.body,
  );
});

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

test.each([
  ['/v1/verify/task', (deep: string) => `{"task_output":"a","metadata":{"a":${deep}}}`],
  ['/v1/verify/consistency', (deep: string) => `{"outputs":[],"shared_context":${deep}}`],
  ['/v1/verify/mission', (deep: string) => `{"tasks":[],"metadata":{"a":${deep}}}`],
  ['/v1/verify/code', (deep: string) => `{"request":"","files":[],"tool_results":[${deep}]}`],
  ['/v1/verify/integrity', (deep: string) => `{"output":"a","metadata":{"a":${deep}}}`],
  ['/v1/contracts', (deep: string) => `{"request":"a","other":${deep}}`],
])('a body of %s that nests deeper than 64 is refused, however deep', async (path, body) => {
  for (const depth of [100, 100_000]) {
    const reply = await send(path, body(nested(depth)));
    expect(reply).toMatchObject({
      status: 413,
      body: {
        error: { message: expect.stringMatching(/nests \d+ levels deep; at most 64/) as string },
      },
    });
  }
});

test.each([
  ['/v1/verify/task', { task_output: 'a', id: 'a\u0000' }, 'id'],
  ['/v1/verify/task', { task_output: 'a', executor_model: '\u0000' }, 'executor_model'],
  [
    '/v1/verify/mission',
    { description: 'm', tasks: [{ task_id: 't', verification_id: 'a\u0000' }] },
    'tasks[0].verification_id',
  ],
])('%s names the field that holds a NUL: %j', async (path, body, field) => {
  expect(await send(path, body)).toMatchObject({
    status: 400,
    body: {
      error: {
        details: [{ path: field, message: `\`${field}\` must not contain a NUL character.` }],
      },
    },
  });
});

test('a NUL inside JSON that is stored is refused, and is not a server error', async () => {
  const body = { config: { strategy: 'sample', sample_rate: 0.25 }, reason: '\u0000' };
  expect((await send('/v1/verifiers/task', body, 'PUT')).status).toBe(400);
});

test.each([
  [
    'a weight that is text',
    [{ check: 'min_length', value: 3, weight: '2' }],
    'success_criteria[0].weight',
    /number/,
  ],
  ['an empty text', [{ text: ' ' }], 'success_criteria[0].text', /must not be empty/],
  ['a text that is too long', ['a'.repeat(5_000)], 'success_criteria[0]', /4000/],
])(
  'a criterion with %s is refused, and the error names the field',
  async (_what, success_criteria, path, message) => {
    const reply = await send('/v1/verify/task', task({ success_criteria }));
    expect(reply).toMatchObject({
      status: 400,
      body: { error: { details: [{ path, message: expect.stringMatching(message) as string }] } },
    });
  },
);

test.each([
  ['{}', { type: 'object' }, 'pass'],
  ['[]', { type: 'array' }, 'pass'],
  ['[]', { type: 'object' }, 'fail'],
])(
  'S-26 %s is an answer where a schema asks for it: %j, %s',
  async (task_output, value, verdict) => {
    const reply = await send(
      '/v1/verify/task',
      task({ task_output, success_criteria: [{ check: 'json_schema', value }] }),
    );
    expect(reply.body).toMatchObject({ verdict });
  },
);

test('S-26 the same punctuation is empty work for a judge', async () => {
  const success_criteria = [{ check: 'json_schema', value: {} }, 'Lists the pears'];
  expect(
    (await send('/v1/verify/task', task({ task_output: '{}', success_criteria }))).body,
  ).toMatchObject({ verdict: 'fail' });
});

test.each([
  [[{ check: 'regex', value: 'pears', must_pass: false }], 'fail', 0],
  [
    [
      { check: 'regex', value: 'pears', must_pass: false },
      { check: 'regex', value: 'apples', must_pass: false },
    ],
    'partial',
    0.5,
  ],
  [[{ check: 'regex', value: 'apples', must_pass: false }], 'pass', 1],
])(
  'VS-9 VS-24 optional checks alone: %j is %s with %d',
  async (success_criteria, verdict, score) => {
    expect((await send('/v1/verify/task', task({ success_criteria }))).body).toMatchObject({
      verdict,
      score,
    });
  },
);

test.each([
  ['{"a":1}', { required: ['constructor'] }, 'fail'],
  ['{"a":1}', { required: ['a'] }, 'pass'],
  ['{"a":1}', { properties: { toString: false, constructor: { type: 'string' } } }, 'pass'],
])(
  'json_schema sees the members of the text, and not those that every object inherits: %s, %j',
  async (task_output, value, verdict) => {
    const reply = await send(
      '/v1/verify/task',
      task({ task_output, success_criteria: [{ check: 'json_schema', value }] }),
    );
    expect(reply.body).toMatchObject({ verdict });
  },
);
