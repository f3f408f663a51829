import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, createTestRuntime, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { createApp, httpRoutes } from './index';
import { intakePaths } from './intake';

/** api.md, Conventions: guarantees to clients on every route. */

let runtime: Runtime;
let project: ProjectCtx;
let key = '';
let app: ReturnType<typeof createApp>;

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, {
    name: 'all',
    scopes: ['ingest', 'verify', 'read', 'write'],
  }));
  app = createApp(runtime);
});

interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly raw?: BodyInit;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(
  path: string,
  { method, body, raw, headers = {} }: Call = {},
): Promise<Response> {
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  return app.request(path, {
    method: method ?? (sent === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${key}`,
      ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
  });
}

/** Expects the documented error body, its status, and no internals. */
async function expectError(
  response: Response,
  status: number,
  code: string,
): Promise<{ message: string; details: { path: string; message: string }[] }> {
  const text = await response.text();
  expect(response.status, text).toBe(status);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(text).not.toMatch(/node_modules|\.ts:\d+|\n\s+at |select |insert /);
  const parsed = JSON.parse(text) as { error?: Record<string, unknown>; message: string };
  // OTLP: the body is a `Status` (its classes: server/api/http/traces.int.test.ts).
  const otlp = { code: grpcCode[code], message: parsed.message };
  const error = parsed.error ?? {
    code,
    message: parsed.message,
    details: [],
    request_id: response.headers.get('x-request-id'),
  };
  expect(parsed).toEqual(parsed.error === undefined ? otlp : { error });
  expect(Object.keys(error).sort()).toEqual(['code', 'details', 'message', 'request_id']);
  expect(error).toMatchObject({ code, message: expect.any(String), details: expect.any(Array) });
  expect(error.request_id).toMatch(/^req_[0-9a-z]{26}$/);
  expect(response.headers.get('x-request-id')).toBe(error.request_id);
  return error as { message: string; details: { path: string; message: string }[] };
}

const grpcCode: Record<string, number> = {
  invalid_request: 3,
  unauthorized: 16,
  forbidden: 7,
  unavailable: 14,
  internal: 13,
};
const guarded = httpRoutes.filter((route) => route.scope !== null);
const foreign = new Set([...intakePaths.keys()].filter((path) => path !== '/v1/turns'));
const bodied = guarded.filter((route) => route.body !== undefined);
const placeholders: Readonly<Record<string, string>> = {
  id: 'ver_nobodys',
  name: 'integrity',
  override: 'lbl_nobodys',
  verifier: 'task',
  key: 'pass_threshold',
  slug: 'task-rubric',
  label: 'production',
  route: 'openai',
  version: '0',
};
/** The routes of verifiers that a project defines; the slug of the others is of the release. */
const ownPath = /^\/v1\/(verify\/\{verifier\}|verifiers\/\{verifier\}\/try)$/;
const pathOf = (path: string): string =>
  (ownPath.test(path) ? path.replace('{verifier}', 'refund-policy') : path).replace(
    /\{(\w+)\}/g,
    (_, name: string) => placeholders[name] ?? '',
  );
const named = (routes: typeof guarded) =>
  routes.map((route) => [`${route.method.toUpperCase()} ${route.path}`, route] as const);

test.each(named(guarded))(
  'S-1: %s without a key, with an unknown one and with one in the query is 401',
  async (_name, route) => {
    const init = {
      method: route.method.toUpperCase(),
      ...(route.body === undefined ? {} : { raw: '{}' }),
    };
    const path = pathOf(route.path);
    const other = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
    const none: (readonly [string, string])[] = [
      ['', path],
      [`Bearer ${other}`, path],
      ['Bearer ', path],
      [`Basic ${Buffer.from(`${key}:`).toString('base64')}`, path],
      [key, path],
      ['', `${path}?api_key=${key}`],
      ['', `${path}?key=${key}&token=${key}&access_token=${key}&authorization=Bearer%20${key}`],
    ];
    // The intake of other products' clients reads their headers (intake-paths.int.test.ts).
    const ignored = foreign.has(route.path) ? {} : { 'x-api-key': key, 'x-auth-token': key };
    for (const [authorization, at] of none) {
      const response = await call(at, {
        ...init,
        headers: { authorization, ...ignored, cookie: `authorization=Bearer ${key}` },
      });
      await expectError(response, 401, 'unauthorized');
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
    }
  },
);

test.each(named(guarded))(
  'S-12: %s with a key that lacks the scope is 403, and names it',
  async (_name, route) => {
    const others = (['ingest', 'verify', 'read', 'write', 'gateway'] as const).filter(
      (scope) => scope !== route.scope,
    );
    const { key: lacking } = await createKey(project, { name: 'lacking', scopes: others });
    const response = await call(pathOf(route.path), {
      method: route.method.toUpperCase(),
      headers: { authorization: `Bearer ${lacking}` },
      ...(route.body === undefined ? {} : { raw: '{}' }),
    });
    expect((await expectError(response, 403, 'forbidden')).message).toContain(`"${route.scope}"`);
  },
);

test('an unknown id is 404', async () => {
  const { message } = await expectError(
    await call('/v1/verifications/ver_nobodys'),
    404,
    'not_found',
  );
  expect(message).toBe('No such verification.');
});

test('S-19: an id, a filter or a cursor that PostgreSQL cannot read is 400, not 500', async () => {
  const cursor = Buffer.from(JSON.stringify(['9999-99-99T99Z', 'x'])).toString('base64url');
  const paths = [
    '/v1/verifications/a%00b',
    '/v1/verifications?model=%00',
    '/v1/verifications?from=0000-01-01T00:00:00Z',
    `/v1/verifications?cursor=${cursor}`,
  ];
  for (const path of paths)
    expect((await expectError(await call(path), 400, 'invalid_request')).message).toMatch(
      /NUL|cursor/,
    );
});

test('an unknown route is 404, whatever the method, key or not', async () => {
  const paths = [
    '/',
    '/v1',
    '/v1/turn',
    '/v1/turns/',
    '/v1/turns/x/y',
    '/v2/turns',
    '/metrics',
    '/debug',
    '/.env',
    '/.git/config',
    '/admin',
    '/v1/verifications/a/b',
  ];
  for (const path of paths) {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(
        (
          await expectError(
            await call(path, { method, headers: { authorization: '' } }),
            404,
            'not_found',
          )
        ).message,
      ).toBe('No such route.');
  }
  await expectError(await call('/v1/outcomes'), 404, 'not_found');
  await expectError(await call('/v1/settings', { method: 'DELETE' }), 404, 'not_found');
});

test.each(named(bodied))(
  '%s with a body that is not JSON or violates the schema is 400, and names the field',
  async (_name, route) => {
    const method = route.method.toUpperCase();
    // An acknowledgement, or a request to continue, needs no body.
    const none = /\/(?:acknowledge|resume)$/.test(route.path) ? [] : [''];
    for (const raw of [...none, '{', 'x', '[1,2', '\u0000', '{"a":1}}'])
      await expectError(await call(pathOf(route.path), { method, raw }), 400, 'invalid_request');
    for (const raw of ['null', '[]', '1', '"text"', 'true'])
      await expectError(await call(pathOf(route.path), { method, raw }), 400, 'invalid_request');
    const wrong = {
      '/v1/turns': ['turns', { turns: {} }],
      '/v1/verify/integrity': ['tools[0].id', { output: 'x', tools: [{ id: 7 }] }],
      '/v1/missions/{id}/settings': ['review_above_usd', { review_above_usd: 'much' }],
      '/v1/settings': ['integrity_enabled', { integrity_enabled: 'yes' }],
      '/v1/gateway/routes/{route}': [
        'quality_verifier.frequency',
        { quality_verifier: { frequency: 'often' } },
      ],
      '/v1/rules/{name}': ['filter.tags', { verifier: 'integrity', filter: { tags: 7 } }],
      '/v1/rules/preview': ['limit', { verifier: 'integrity', limit: 'all' }],
      '/v1/rules/{name}/backfill': ['from', { from: 'yesterday' }],
      '/v1/outcomes': ['outcomes', { outcomes: {} }],
      '/v1/verifications/{id}/overrides': ['grade', { grade: 6 }],
      '/v1/datasets/{slug}': ['name', { name: 7 }],
      '/v1/datasets/{slug}/items': ['items', { items: {} }],
      '/v1/datasets/{slug}/items/from': ['limit', { turns: ['t'], limit: 'all' }],
      '/v1/labels': ['grade', { turn_id: 't', verifier: 'integrity', grade: 6 }],
      '/v1/experiments': ['concurrency', { concurrency: 'many' }],
      '/v1/experiments/{id}/outputs': ['outputs', { outputs: {} }],
      '/v1/experiments/{id}/resume': ['retry_failed', { retry_failed: 'yes' }],
      '/v1/experiments/{id}/gate': ['max_cost_usd', { max_cost_usd: 'much' }],
      '/v1/findings/{id}/acknowledge': ['reason', { reason: 7 }],
      '/v1/thresholds/{verifier}/{key}': ['value', { value: 'high' }],
      '/v1/thresholds/{verifier}/{key}/simulate': ['values[1]', { values: [0.6, 'high'] }],
      '/v1/verifiers/{verifier}': ['config.strategy', { config: { strategy: {} } }],
      '/v1/verifiers/{verifier}/try': ['subjects', { subjects: 7 }],
      '/v1/verify/{verifier}': ['subject.latency_ms', { subject: { latency_ms: 'long' } }],
      '/v1/prompts/{slug}/versions': ['body', { body: 7, message: 'x' }],
      '/v1/prompts/{slug}/labels/{label}': ['version', { version: 'last' }],
      '/v1/prompts/{slug}/versions/{version}/trials': ['subjects', { subjects: 'all' }],
      '/v1/providers/{name}': ['models', { kind: 'openai', models: 7 }],
      '/v1/contracts': ['request', { request: 7 }],
      '/v1/verify/task': [
        'task_output',
        { task_description: 'x', success_criteria: [], task_output: 7 },
      ],
      '/verify-task': [
        'task_output',
        { task_description: 'x', success_criteria: [], task_output: 7 },
      ],
      '/v1/verify/code': ['files', { request: 'Create a.md', files: 7 }],
      '/v1/verify/consistency': ['outputs', { outputs: 7 }],
      '/v1/verify/decomposition': [
        'scores.consistency',
        { query: 'q', decomposition: {}, scores: { completeness: 1, consistency: 1.2 } },
      ],
      '/v1/verify/agent-output': [
        'subgoal.critical',
        { subgoal: { id: 's', critical: 'yes' }, output: {} },
      ],
      '/v1/verify/synthesis': [
        'agent_outputs[0].summary',
        { query: 'q', answer: 'a', agent_outputs: [{ id: 'o', summary: 7 }] },
      ],
      '/v1/verify/mission': ['tasks', { mission_id: 'm', description: 'x', tasks: 7 }],
      '/v1/verify/turn': [
        'messages[0].role',
        { messages: [{ role: 'judge', content: 'q' }], completion: 'a' },
      ],
      '/v1/deletions': ['kind', { kind: 'everything', id: 'u' }],
      '/v1/destinations': ['name', { kind: 'otlp', name: 7, url: 'https://otel.example.org' }],
      '/v1/destinations/{id}': ['name', { name: 7, url: 'https://otel.example.org' }],
    };
    const [path, body] = wrong[route.path as keyof typeof wrong];
    const { details } = await expectError(
      await call(pathOf(route.path), { method, body }),
      400,
      'invalid_request',
    );
    expect(details.map((detail) => detail.path)).toContain(path);
  },
);

test('S-5: an unknown setting is refused by name, and none is changed', async () => {
  const before = await (await call('/v1/settings')).json();
  const { message } = await expectError(
    await call('/v1/settings', {
      method: 'PUT',
      body: { allow_user_figures: true, project_id: 'prj_other', role: 'owner' },
    }),
    400,
    'invalid_request',
  );
  expect(message).toContain('project_id');
  expect(await (await call('/v1/settings')).json()).toEqual(before);
});

test('S-5: a turn with unknown members is refused, kept as a dead letter, and does not affect its neighbours', async () => {
  const own = { id: 't-extra', output: 'x' };
  const odd = [
    'project_id',
    'projectId',
    'role',
    'userId',
    'isPublic',
    'revision',
    'flags',
    'verdict',
    'outcome',
    '__proto__',
  ];
  const turns = [
    own,
    ...odd.map(
      (name) => JSON.parse(`{"id":"t-${name}","output":"x","${name}":"prj_other"}`) as object,
    ),
  ];
  const response = await call('/v1/turns', { body: { turns } });
  expect(response.status).toBe(202);
  const reply = (await response.json()) as {
    accepted: number;
    rejected: { index: number; code: string; message: string }[];
  };
  expect(reply.accepted).toBe(1);
  expect(reply.rejected.map(({ index, code }) => [index, code])).toEqual(
    odd.map((_, at) => [at + 1, 'invalid']),
  );
  for (const [at, { message }] of reply.rejected.entries())
    expect(message).toContain(`\`${odd[at] ?? ''}\` is not known`);
  const rows = await runtime.ctx.sql`
    select id, project_id, revision, to_jsonb(flags) as flags from turns where project_id = ${project.projectId} and id like 't-%tra'`;
  expect(rows.map((row) => ({ ...row }))).toEqual([
    { id: 't-extra', project_id: project.projectId, revision: 1, flags: [] },
  ]);
  const letters = await runtime.ctx.sql<{ body: string }[]>`
    select convert_from(body, 'UTF8') as body from dead_letters where project_id = ${project.projectId} and route = '/v1/turns'`;
  for (const name of odd)
    expect(letters.some(({ body }) => body.includes(`"t-${name}"`))).toBe(true);
});

test.each(named(bodied))('%s of another type or encoding is 415', async (_name, route) => {
  const method = route.method.toUpperCase();
  const types = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'application/jsonp',
    '',
  ];
  for (const type of types)
    await expectError(
      await call(pathOf(route.path), { method, raw: '{}', headers: { 'content-type': type } }),
      415,
      'unsupported_media_type',
    );
  for (const encoding of ['br', 'deflate', 'zstd', 'gzip, gzip', 'x']) {
    await expectError(
      await call(pathOf(route.path), {
        method,
        raw: '{}',
        headers: { 'content-encoding': encoding },
      }),
      415,
      'unsupported_media_type',
    );
  }
  const notGzip = await expectError(
    await call(pathOf(route.path), {
      method,
      raw: 'no gzip',
      headers: { 'content-encoding': 'gzip' },
    }),
    400,
    'invalid_request',
  );
  expect(notGzip.message).toContain('not gzip');
});

const tooBig = 20 * 1024 * 1024 + 1;

test('R-91: over 20 MiB is 413, as declared, as counted, and after gunzip', async () => {
  for (const { method, path } of bodied) {
    const init = {
      method: method.toUpperCase(),
      headers: { 'content-length': String(tooBig) },
      raw: '{}',
    };
    await expectError(await call(pathOf(path), init), 413, 'too_large');
  }
  const bomb = gzipSync(Buffer.alloc(tooBig, 32));
  expect(bomb.length).toBeLessThan(64 * 1024);
  await expectError(
    await call('/v1/turns', { raw: bomb, headers: { 'content-encoding': 'gzip' } }),
    413,
    'too_large',
  );
  await expectError(await call('/v1/turns', { raw: Buffer.alloc(tooBig, 32) }), 413, 'too_large');
  let sent = 0;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = new Uint8Array(1024 * 1024);
      sent += chunk.length;
      controller.enqueue(chunk);
    },
  });
  const streamed = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: endless,
    duplex: 'half',
  };
  await expectError(
    await app.request(new Request('http://localhost/v1/turns', streamed)),
    413,
    'too_large',
  );
  // The excess is read and discarded for a while, so that a client that only sends receives its
  // answer.
  expect(sent).toBeLessThan(2 * tooBig + 4 * 1024 * 1024);
  // At the limit but not over it: the body is read, and is not JSON.
  await expectError(
    await call('/v1/turns', { raw: Buffer.alloc(tooBig - 1, 32) }),
    400,
    'invalid_request',
  );
});

test('a gzipped body is read', async () => {
  const raw = gzipSync(JSON.stringify({ turns: [{ id: 't-gzip', output: 'x' }] }));
  const response = await call('/v1/turns', {
    raw,
    headers: { 'content-encoding': 'GZIP', 'content-type': 'Application/JSON; charset=utf-8' },
  });
  expect(await response.json()).toMatchObject({ accepted: 1 });
});

test('a verifier of another kind is 422', async () => {
  const { details } = await expectError(
    await call('/v1/verify/integrity', { body: { output: 'x', verifier: 'task@3' } }),
    422,
    'refused',
  );
  expect(details).toMatchObject([{ path: 'verifier' }]);
  expect(
    (await call('/v1/verify/integrity', { body: { output: 'x', verifier: 'integrity' } })).status,
  ).toBe(200);
});

test('X-10: the same Idempotency-Key or verify id with another body is 409, with the same body the same answer', async () => {
  const once = async (path: string, body: unknown, idempotency?: string) =>
    call(path, {
      body,
      headers: idempotency === undefined ? {} : { 'idempotency-key': idempotency },
    });
  const first = await once('/v1/verify/integrity', { id: 'v-1', output: 'It is 1.' });
  const again = await once('/v1/verify/integrity', { id: 'v-1', output: 'It is 1.' });
  expect([again.status, await again.json()]).toEqual([first.status, await first.json()]);
  await expectError(
    await once('/v1/verify/integrity', { id: 'v-1', output: 'It is 2.' }),
    409,
    'conflict',
  );
  for (const [path, body, other] of [
    ['/v1/turns', { turns: [{ output: 'a' }] }, { turns: [{ output: 'b' }] }],
    ['/v1/verify/integrity', { output: 'a' }, { output: 'b' }],
  ] as const) {
    const one = await once(path, body, `key ${path}`.replaceAll(' ', '-'));
    const two = await once(path, body, `key ${path}`.replaceAll(' ', '-'));
    expect([two.status, await two.json()]).toEqual([one.status, await one.json()]);
    await expectError(await once(path, other, `key-${path}`), 409, 'conflict');
  }
  await expectError(
    await once('/v1/turns', { turns: [] }, 'x'.repeat(201)),
    400,
    'invalid_request',
  );
  await expectError(await once('/v1/turns', { turns: [] }, 'with space'), 400, 'invalid_request');
});

/** The input that a route needs to reach storage. */
const valid: Readonly<Record<string, { readonly query?: string; readonly raw?: string }>> = {
  '/v1/turns': { raw: '{"turns":[{"output":"x"}]}' },
  '/v1/traces': {
    raw: JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  traceId: 'a'.repeat(32),
                  spanId: 'b'.repeat(16),
                  name: 's',
                  startTimeUnixNano: '1',
                  endTimeUnixNano: '2',
                },
              ],
            },
          ],
        },
      ],
    }),
  },
  '/v1/logs': {
    raw: JSON.stringify({
      resourceLogs: [
        {
          scopeLogs: [
            {
              logRecords: [
                {
                  traceId: 'a'.repeat(32),
                  spanId: 'b'.repeat(16),
                  eventName: 'gen_ai.choice',
                  body: { stringValue: 'x' },
                },
              ],
            },
          ],
        },
      ],
    }),
  },
  '/api/public/ingestion': {
    raw: '{"batch":[{"id":"e","type":"trace-create","timestamp":"2026-01-05T10:00:00Z","body":{}}]}',
  },
  '/v1/contracts': { raw: '{"request":"Create app.py"}' },
  '/v1/verify/integrity': { raw: '{"output":"x"}' },
  '/v1/verify/{verifier}': { raw: '{"subject":{"output":"x"}}' },
  '/v1/verifiers/{verifier}/try': { raw: '{"subjects":[{"output":"x"}]}' },
  '/v1/verify/task': { raw: '{"task_description":"t","success_criteria":["c"],"task_output":"o"}' },
  '/verify-task': { raw: '{"task_description":"t","success_criteria":["c"],"task_output":"o"}' },
  '/v1/verify/code': { raw: '{"request":"Create a.md","files":[{"path":"a.md","content":"x"}]}' },
  '/v1/verify/consistency': {
    raw: '{"outputs":[{"task_id":"a","output":"x"},{"task_id":"b","output":"y"}]}',
  },
  '/v1/verify/decomposition': {
    raw: '{"query":"q","decomposition":{"goal":"g","subgoals":[{"id":"a","description":"d"}]}}',
  },
  '/v1/verify/agent-output': {
    raw: '{"subgoal":{"id":"s"},"output":{"summary":"x","confidence":0.9}}',
  },
  '/v1/verify/synthesis': {
    raw: '{"query":"q","answer":"It is up.","agent_outputs":[{"id":"o","agent":"a","summary":"It is up.","data":{}}]}',
  },
  '/v1/verify/mission': {
    raw: '{"mission_id":"m","description":"d","tasks":[{"task_id":"a","description":"d","output":"x"}]}',
  },
  '/v1/verify/turn': { raw: '{"messages":[{"role":"user","content":"q"}],"completion":"a"}' },
  '/v1/missions/{id}/settings': { raw: '{"review_above_usd":5}' },
  '/v1/thresholds/{verifier}/{key}': { raw: '{"value":0.8}' },
  '/v1/thresholds/{verifier}/{key}/simulate': { raw: '{"values":[0.6]}' },
  '/v1/verifiers/{verifier}': { raw: '{"config":{}}' },
  '/v1/gateway/routes/{route}': { raw: '{"fail_closed":true}' },
  '/v1/prompts/{slug}/versions': {
    raw: JSON.stringify({ body: readFileSync('prompts/task/rubric.md', 'utf8'), message: 'again' }),
  },
  '/v1/prompts/{slug}/labels/{label}': { raw: '{"version":0}' },
  '/v1/prompts/{slug}/versions/{version}/trials': { raw: '{"subjects":1}' },
  '/v1/providers/{name}': { raw: '{"kind":"openai","api_key":"k","models":["gpt-4o-mini"]}' },
  '/v1/rules/{name}': { raw: '{"verifier":"integrity"}' },
  '/v1/rules/preview': { raw: '{"verifier":"integrity"}' },
  '/v1/decisions': { query: '?subject_id=s' },
  '/v1/import': { query: `?mapping=${encodeURIComponent('{"format":"jsonl","output":"o"}')}` },
  '/v1/verifications/{id}/overrides': { raw: '{"grade":4}' },
  '/v1/datasets/{slug}': { raw: '{"name":"n"}' },
  '/v1/datasets/{slug}/items': { raw: '{"items":[{"input":"x"}]}' },
  '/v1/datasets/{slug}/items/from': { raw: '{"turns":["t"]}' },
  '/v1/datasets/{slug}/diff': { query: '?from=1&to=2' },
  '/v1/labels': { raw: '{"verification_id":"v","grade":4}' },
  '/v1/experiments': {
    raw: '{"name":"n","dataset":"d","target":{"type":"outputs"},"verifiers":["integrity"]}',
  },
  '/v1/experiments/{id}/outputs': { raw: '{"outputs":[{"item_id":"i","output":"o"}]}' },
  '/v1/experiments/{id}/gate': { raw: '{"max_cost_usd":1}' },
  '/v1/experiments/compare': { query: '?ids=a,b' },
  '/v1/experiments/compare/items': { query: '?ids=a,b' },
  '/v1/findings/{id}/acknowledge': { raw: '{"reason":"r"}' },
  '/v1/outcomes': { raw: '{"outcomes":[{"subject_id":"s","success":true}]}' },
  '/v1/deletions': { raw: '{"kind":"user","id":"u"}' },
  '/v1/destinations': { raw: '{"kind":"otlp","name":"o","url":"https://otel.example.org"}' },
  '/v1/destinations/{id}': { raw: '{"name":"o","url":"https://otel.example.org"}' },
};

test('S-104: an internal error is a 500 without its text, and unavailable storage is 503 with Retry-After', async () => {
  const { sql } = runtime.ctx;
  const tables = [
    'verdicts',
    'turns',
    'project_settings',
    'mission_settings',
    'trace_segments',
    'rules',
    'decisions',
    'jobs',
    'labels',
    'datasets',
    'destinations',
    'deletions',
    'sessions',
    'deliveries',
    'thresholds',
    'verifiers',
    'verifier_versions',
    'prompt_versions',
    'prompt_labels',
    'providers',
    'subjects',
    'gateway_routes',
    'alert_events',
    'experiments',
  ];
  for (const table of tables)
    await sql`alter table ${sql(table)} rename to ${sql(`${table}_away`)}`;
  // Metrics are not stored.
  const storing = guarded.filter(({ path }) => (intakePaths.get(path) ?? path) !== '/v1/metrics');
  for (const { method, path } of storing) {
    const { query = '', raw = '{}' } = valid[intakePaths.get(path) ?? path] ?? {};
    // A verifier of the release cannot be archived, regardless of the state of the storage.
    const named = method === 'delete' ? path.replace('{verifier}', 'refund-policy') : path;
    const response = await call(`${pathOf(named)}${query}`, {
      method: method.toUpperCase(),
      ...(['get', 'delete'].includes(method) ? {} : { raw }),
    });
    expect(response.status, path).toBeGreaterThanOrEqual(500);
    const { message } = await expectError(
      response,
      response.status,
      response.status === 500 ? 'internal' : 'unavailable',
    );
    expect(message).not.toMatch(/relation|does not exist|_away/);
  }
  for (const table of tables)
    await sql`alter table ${sql(`${table}_away`)} rename to ${sql(table)}`;
  const away = createTestRuntime('postgres://nobody@127.0.0.1:1/none');
  const response = await createApp(away).request('/v1/settings', {
    headers: { authorization: `Bearer ${key}` },
  });
  await expectError(response, 503, 'unavailable');
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await createApp(away).request('/healthz')).status).toBe(200);
  expect((await createApp(away).request('/readyz')).status).toBe(503);
  await away.close();
});

test('verifications without a verdict are listed as pending, by the same filters and pages', async () => {
  const other = await createTestProject(runtime);
  const { key: otherKey } = await createKey(other, { name: 'k', scopes: ['ingest', 'read'] });
  const bearer = { headers: { authorization: `Bearer ${otherKey}` } };
  const turns = Array.from({ length: 5 }, (_, n) => ({
    id: `p-${n}`,
    session_id: `s-${n % 2}`,
    model: `m-${n % 2}`,
    context: SOME_CONTEXT,
    output: 'It is 42 %.',
  }));
  await call('/v1/turns', { body: { turns }, ...bearer });
  type Item = { id: string; turn_id: string; state: string; verdict: unknown; score: unknown };
  const list = async (query: string): Promise<{ data: Item[]; next_cursor: string | null }> =>
    (await (await call(`/v1/verifications?state=pending&${query}`, bearer)).json()) as {
      data: Item[];
      next_cursor: string | null;
    };
  const first = await list('limit=2');
  const second = await list(`limit=200&cursor=${first.next_cursor ?? ''}`);
  const all = [...first.data, ...second.data];
  expect(all.map((item) => item.turn_id).sort()).toEqual(turns.map((turn) => turn.id));
  expect(
    all.every((item) => item.state === 'pending' && item.verdict === null && item.score === null),
  ).toBe(true);
  expect((await list('session_id=s-1&model=m-1&kind=integrity')).data).toHaveLength(2);
  expect((await list('verifier=other')).data).toEqual([]);
  await drainWork(runtime);
  expect((await list('')).data).toEqual([]);
});

test('lists: limit, cursor and each filter', async () => {
  const other = await createTestProject(runtime);
  const { key: otherKey } = await createKey(other, {
    name: 'k',
    scopes: ['ingest', 'read', 'verify'],
  });
  const bearer = { headers: { authorization: `Bearer ${otherKey}` } };
  const turns = Array.from({ length: 45 }, (_, n) => ({
    id: `l-${n}`,
    session_id: `s-${n % 3}`,
    trace_id: `tr-${n % 5}`,
    model: `m-${n % 2}`,
    context: SOME_CONTEXT,
    output: n % 2 === 0 ? 'no figures' : 'It is 42 %.',
  }));
  await call('/v1/turns', { body: { turns }, ...bearer });
  await drainWork(runtime);
  type List = {
    data: { id: string; turn_id: string; settled_at: string; outcome: string }[];
    next_cursor: string | null;
  };
  const list = async (query: string) =>
    (await (await call(`/v1/verifications?${query}`, bearer)).json()) as List;

  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const page: List = await list(`limit=7${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(page.data.length).toBeLessThanOrEqual(7);
    seen.push(...page.data.map((item) => item.turn_id));
    cursor = page.next_cursor;
  }
  expect(pages).toBe(7);
  expect([...seen].sort()).toEqual(turns.map((turn) => turn.id).sort());

  expect((await list('limit=200')).data).toHaveLength(45);
  for (const limit of ['0', '201', '1000000', '-1', 'x', '1.5', ''])
    await expectError(
      await call(`/v1/verifications?limit=${limit}`, bearer),
      400,
      'invalid_request',
    );
  await expectError(await call('/v1/verifications?cursor=made-up', bearer), 400, 'invalid_request');

  const ids = async (query: string) =>
    (await list(`limit=200&${query}`)).data.map((item) => item.turn_id).sort();
  const those = (test: (n: number) => boolean) =>
    turns
      .filter((_, n) => test(n))
      .map((turn) => turn.id)
      .sort();
  expect(await ids('kind=integrity')).toEqual(those(() => true));
  expect(await ids('kind=task')).toEqual([]);
  expect(await ids('outcome=failed')).toEqual(those((n) => n % 2 === 1));
  expect(await ids('verifier=integrity')).toEqual(those(() => true));
  expect(await ids('verifier=integrity@1')).toEqual(those(() => true));
  expect(await ids('verifier=integrity@2')).toEqual([]);
  expect(await ids('model=m-1')).toEqual(those((n) => n % 2 === 1));
  expect(await ids('state=settled')).toEqual(those(() => true));
  expect(await ids('state=pending')).toEqual([]);
  await expectError(await call('/v1/verifications?state=odd', bearer), 400, 'invalid_request');
  expect(await ids('session_id=s-2')).toEqual(those((n) => n % 3 === 2));
  expect(await ids('turn_id=l-7')).toEqual(['l-7']);
  expect(await ids('subject_id=l-8')).toEqual(['l-8']);
  expect(await ids('trace_id=tr-4')).toEqual(those((n) => n % 5 === 4));
  expect(await ids('model=m-0&session_id=s-0&trace_id=tr-0')).toEqual(those((n) => n % 30 === 0));
  expect(
    await ids(`to=${encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())}`),
  ).toEqual([]);
  expect(
    await ids(`from=${encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())}`),
  ).toEqual(those(() => true));
  for (const query of ['outcome=won', 'from=yesterday', 'to=2024-13-01T00:00:00Z'])
    await expectError(await call(`/v1/verifications?${query}`, bearer), 400, 'invalid_request');
});

interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
  }[];
  readonly security?: readonly object[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: object }>>;
  };
  readonly responses: Readonly<Record<string, { readonly description: string }>>;
}

interface Description {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

test.each(['', '/api'])(
  'the description under "%s" is OpenAPI 3.1 and has every route',
  async (basePath) => {
    const described = (await (
      await appOf(runtime, basePath).request(`${basePath}/openapi.json`)
    ).json()) as Description;
    expect(described.openapi).toMatch(/^3\.1\./);
    expect(described.info).toMatchObject({
      title: expect.any(String),
      version: expect.any(String),
    });
    const paths = Object.entries(described.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(paths.sort()).toEqual(
      httpRoutes.map((route) => `${route.method} ${basePath}${route.path}`).sort(),
    );
    for (const route of httpRoutes) {
      const operation = described.paths[basePath + route.path]?.[route.method];
      const name = `${route.method} ${route.path}`;
      const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, param]) => param);
      expect(
        operation?.parameters
          ?.filter((param) => param.in === 'path')
          .map((param) => [param.name, param.required]) ?? [],
        name,
      ).toEqual(inPath.map((param) => [param, true]));
      expect(operation?.security ?? [], name).toEqual(route.scope === null ? [] : [{ key: [] }]);
      expect(Object.keys(operation?.requestBody?.content ?? {}), name).toEqual(
        route.body === undefined ? [] : ['application/json'],
      );
      for (const [status, answer] of Object.entries(operation?.responses ?? {})) {
        expect(status).toMatch(/^([1-5]\d\d|default)$/);
        expect(answer.description).toEqual(expect.any(String));
      }
    }
    const ids = Object.values(described.paths).flatMap((methods) =>
      Object.values(methods).map((operation) => operation.operationId),
    );
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    // Every reference has a target.
    const references = [
      ...JSON.stringify(described).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g),
    ];
    expect(references.length).toBeGreaterThan(5);
    for (const [, section = '', name = ''] of references)
      expect(described.components[section]?.[name], `${section}/${name}`).toBeDefined();
  },
);
