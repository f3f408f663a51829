import { expect } from 'vitest';
import { createTestProject } from '../../../testing/database';
import { testWith } from '../../../testing/fixture';
import { createCaller, type Json } from '../../../testing/call';
import { createKey, listAudit, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';

/** `PUT /v1/gateway/routes/{route}` and related routes, as clients call them. */

let runtime: Runtime;
let project: ProjectCtx;
let call: ReturnType<typeof createCaller>;
let other: ReturnType<typeof createCaller>;

const variables = {
  ASSAY_OUTBOUND_ALLOW: '127.0.0.1:9999,localhost:9999',
  QUALITY_VERIFIER_MODEL: 'openai:gpt-4o-mini',
  QUALITY_VERIFIER_FREQUENCY: '4',
  OPENAI_BASE_URL: 'http://127.0.0.1:9999/v1',
};
const test = testWith(variables);

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  const neighbour = await createTestProject(runtime);
  const keyOf = async (of: ProjectCtx) =>
    (await createKey(of, { name: 'k', scopes: ['read', 'write'] })).key;
  [call, other] = [
    createCaller(runtime, await keyOf(project)),
    createCaller(runtime, await keyOf(neighbour)),
  ];
});

const put = (name: string, body: unknown, by = call) =>
  by(`/v1/gateway/routes/${name}`, body as Json, {}, 'PUT');
const get = (name: string, by = call) => by(`/v1/gateway/routes/${name}`);
const remove = (name: string, by = call) =>
  by(`/v1/gateway/routes/${name}`, undefined, {}, 'DELETE');

test('QV-2 a route has all settings with their defaults: N is 10', async () => {
  expect(await put('mine', { upstream: 'https://llm.example.org' })).toMatchObject({
    status: 200,
    body: {
      name: 'mine',
      source: 'project',
      upstream: 'https://llm.example.org',
      base_url: 'https://llm.example.org/v1',
      api: 'openai',
      provider: null,
      quality_verifier: {
        model: null,
        frequency: 10,
        max_history: null,
        max_consecutive_failures: 5,
        cooldown_seconds: 300,
        ttft_timeout_seconds: 30,
        tool_followup_weight: 0.2,
        min_eligible_turn: 1,
        deferred: false,
      },
      integrity: { mode: 'observe', allow_user_figures: false, deadline_ms: 50 },
      fail_closed: false,
    },
  });
  expect((await get('mine')).body).toMatchObject({ name: 'mine', updated_at: expect.any(String) });
});

test('QV-39 routes without settings use the environment’s; a stored route only its own, until it is deleted', async () => {
  const operators = {
    source: 'environment',
    quality_verifier: { model: 'openai:gpt-4o-mini', frequency: 4 },
    base_url: 'http://127.0.0.1:9999/v1',
  };
  expect((await get('openai')).body).toMatchObject(operators);
  expect((await get('anthropic')).body).toMatchObject({
    source: 'environment',
    api: 'anthropic',
    base_url: 'https://api.anthropic.com/v1',
  });
  expect((await put('openai', { fail_closed: true })).body).toMatchObject({
    source: 'project',
    fail_closed: true,
    quality_verifier: { model: null, frequency: 10 },
  });
  expect(await remove('openai')).toMatchObject({ status: 200, body: { route: 'openai' } });
  expect((await get('openai')).body).toMatchObject({ ...operators, fail_closed: false });
});

const bad: readonly (readonly [string, unknown, number, string])[] = [
  ['QV-8 N of 0', { quality_verifier: { frequency: 0 } }, 400, 'quality_verifier.frequency'],
  ['QV-8 N below 0', { quality_verifier: { frequency: -1 } }, 400, 'quality_verifier.frequency'],
  [
    'QV-8 N that is no integer',
    { quality_verifier: { frequency: 2.5 } },
    400,
    'quality_verifier.frequency',
  ],
  [
    'QV-8 N that is no number',
    { quality_verifier: { frequency: '10' } },
    400,
    'quality_verifier.frequency',
  ],
  [
    'QV-5 a weight above 1',
    { quality_verifier: { tool_followup_weight: 1.1 } },
    400,
    'quality_verifier.tool_followup_weight',
  ],
  [
    'QV-33 a threshold of 0',
    { quality_verifier: { max_consecutive_failures: 0 } },
    400,
    'quality_verifier.max_consecutive_failures',
  ],
  [
    'QV-33 a cooldown below 0',
    { quality_verifier: { cooldown_seconds: -1 } },
    400,
    'quality_verifier.cooldown_seconds',
  ],
  [
    'QV-36 a time-out of 0',
    { quality_verifier: { ttft_timeout_seconds: 0 } },
    400,
    'quality_verifier.ttft_timeout_seconds',
  ],
  ['a mode that there is not', { integrity: { mode: 'maybe' } }, 400, 'integrity.mode'],
  ['a member that there is not', { frequency: 3 }, 400, 'frequency'],
  [
    'a member inside that there is not',
    { quality_verifier: { every: 3 } },
    400,
    'quality_verifier.every',
  ],
  ['S-39 a private upstream', { upstream: 'http://10.0.0.1/v1' }, 422, 'upstream'],
  ['S-39 a loopback upstream', { upstream: 'http://127.0.0.1:8080/v1' }, 422, 'upstream'],
  ['S-39 localhost', { upstream: 'http://localhost:8080/' }, 422, 'upstream'],
  ['S-39 a name below localhost', { upstream: 'http://llm.LocalHost.:8080/v1' }, 422, 'upstream'],
  ['S-44 another scheme', { upstream: 'file:///etc/passwd' }, 422, 'upstream'],
  ['an upstream with a password', { upstream: 'https://a:b@llm.example.org/v1' }, 422, 'upstream'],
  ['an upstream with a query', { upstream: 'https://llm.example.org/v1?key=1' }, 422, 'upstream'],
  ['an upstream that is no provider', { upstream: 'unknown' }, 422, 'upstream'],
  [
    'parameters without a model',
    { quality_verifier: { model: '?temperature=1' } },
    422,
    'quality_verifier.model',
  ],
  [
    'a provider without a model',
    { quality_verifier: { model: 'judges:' } },
    422,
    'quality_verifier.model',
  ],
  [
    'QV-37 a parameter that no model takes',
    { quality_verifier: { model: 'openai:gpt-4o?foo=1' } },
    422,
    'quality_verifier.model',
  ],
  [
    'QV-37 a temperature that is no number',
    { quality_verifier: { model: 'openai:gpt-4o?temperature=hot' } },
    422,
    'quality_verifier.model',
  ],
  [
    'S-49 a model with a line break',
    { quality_verifier: { model: 'openai:gpt\r\nx: y' } },
    422,
    'quality_verifier.model',
  ],
  [
    'S-122 a verifier of an unknown provider',
    { quality_verifier: { model: 'nosuch:gpt-4o' } },
    422,
    'quality_verifier.model',
  ],
  [
    'S-122 the same with parameters',
    { quality_verifier: { model: 'Open_AI:gpt-4o?seed=1' } },
    422,
    'quality_verifier.model',
  ],
  ['S-122 a path with a query', { allow_paths: ['/files/*', '/a?b'] }, 400, 'allow_paths[1]'],
  ['S-122 paths that are no list', { allow_paths: '/files' }, 400, 'allow_paths'],
  ['no object', [], 400, ''],
];

test.each(bad)('%s is refused, and the field is named', async (_what, body, status, path) => {
  const before = await get('openai');
  const answer = await put('openai', body);
  expect(answer.status).toBe(status);
  expect(answer.body).toMatchObject({ error: { details: [{ path }] } });
  expect(await get('openai')).toEqual(before);
});

test('a name of its own, without an upstream, needs a provider of that name', async () => {
  expect(await put('nameless', {})).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'upstream' }] } },
  });
  await call(
    '/v1/providers/local',
    { kind: 'openai_compatible', base_url: 'http://127.0.0.1:9999/v1', api_key: null, models: [] },
    {},
    'PUT',
  );
  expect((await get('local')).body).toMatchObject({
    source: 'provider',
    provider: 'local',
    base_url: 'http://127.0.0.1:9999/v1',
  });
  expect(await put('local', { integrity: { mode: 'hold' } })).toMatchObject({
    status: 200,
    body: { source: 'project', provider: 'local' },
  });
  expect(await put('by-name', { upstream: 'local' })).toMatchObject({
    status: 200,
    body: { provider: 'local' },
  });
  await call('/v1/providers/local', undefined, {}, 'DELETE');
  expect((await get('by-name')).body).toMatchObject({
    upstream: 'local',
    base_url: null,
    provider: null,
  });
});

test('S-122 a verifier’s provider is one of the project, of the operator, or a kind; the answer names them', async () => {
  const provider = {
    kind: 'openai_compatible',
    base_url: 'http://127.0.0.1:9999/v1',
    api_key: null,
    models: ['llama3:8b'],
  };
  await call('/v1/providers/own-judge', provider, {}, 'PUT');
  const upstream = 'https://llm.example.org';
  for (const model of [
    'own-judge:x',
    'openai:gpt-4o',
    'google:g',
    'llama3:8b',
    'meta-llama/llama-3:free',
    'gpt-4o',
    'claude.v1:0',
  ]) {
    expect(await put('judged', { upstream, quality_verifier: { model } }), model).toMatchObject({
      status: 200,
    });
  }
  for (const model of ['own-judg:x', 'OWN-JUDGE:x', 'llama4:8b', 'ft:gpt-4o:mine']) {
    const { status, body } = await put('judged', { upstream, quality_verifier: { model } });
    expect([status, JSON.stringify(body)], model).toEqual([
      422,
      expect.stringMatching(/quality_verifier\.model.*own-judge.*openai/),
    ]);
  }
  await call('/v1/providers/own-judge', { ...provider, enabled: false }, {}, 'PUT');
  expect(
    await put('judged', { upstream, quality_verifier: { model: 'own-judge:y' } }),
  ).toMatchObject({ status: 200 });
  await call('/v1/providers/own-judge', undefined, {}, 'DELETE');
  expect(
    await put('judged', { upstream, quality_verifier: { model: 'own-judge:x' } }),
  ).toMatchObject({ status: 422 });
  await remove('judged');
});

test.each([
  [{ default_judge: 'nosuch:gpt-4o' }, 'default_judge'],
  [{ default_judge: null, jury: ['openai:gpt-4o', 'nosuch:x'] }, 'jury[1]'],
])(
  'S-122 a judge of an unknown provider is refused when saved, with the same message: %j',
  async (body, path) => {
    const answer = await call('/v1/settings', body as Json, {}, 'PUT');
    expect(answer).toMatchObject({ status: 422, body: { error: { details: [{ path }] } } });
    expect(JSON.stringify(answer.body)).toContain('names the provider');
  },
);

test('S-122 paths that a route opens are stored unchanged', async () => {
  const paths = ['/files/*', 'batches', '/v1/images/*'];
  expect(
    await put('open', { upstream: 'https://llm.example.org', allow_paths: paths }),
  ).toMatchObject({
    status: 200,
    body: { allow_paths: paths },
  });
  expect((await get('open')).body).toMatchObject({ allow_paths: paths });
  expect((await get('anthropic')).body).toMatchObject({ allow_paths: [] });
  await remove('open');
});

test('S-39 localhost is stored where the operator lists it', async () => {
  expect(await put('listed', { upstream: 'http://localhost:9999/' })).toMatchObject({
    status: 200,
  });
  expect(await put('listed', { upstream: 'http://localhost.example.org/' })).toMatchObject({
    status: 200,
  });
  await remove('listed');
});

test('S-45 a URL shared by several providers is refused with their names; a name is accepted', async () => {
  const base = { base_url: 'https://lite.example.org/v1', models: [] };
  await call(
    '/v1/providers/lite-open',
    { ...base, kind: 'openai_compatible', api_key: 'sk-open-0123456789' },
    {},
    'PUT',
  );
  expect(await put('lite', { upstream: 'https://lite.example.org' })).toMatchObject({
    status: 200,
    body: { provider: 'lite-open' },
  });
  await call(
    '/v1/providers/lite-claude',
    { ...base, kind: 'anthropic', api_key: 'sk-claude-0123456789' },
    {},
    'PUT',
  );
  expect((await get('lite')).body).toMatchObject({
    provider: null,
    base_url: 'https://lite.example.org/v1',
  });
  const refused = await put('lite', { upstream: 'https://lite.example.org' });
  expect(refused).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'upstream' }] } },
  });
  expect(JSON.stringify(refused.body)).toMatch(/lite-claude.*lite-open.*set the upstream/);
  expect(await put('lite', { upstream: 'lite-claude' })).toMatchObject({
    status: 200,
    body: { provider: 'lite-claude' },
  });
  expect(await put('lite', { upstream: 'https://lite.example.org', api: 'openai' })).toMatchObject({
    body: { provider: 'lite-open' },
  });
});

test.each(['Upper', 'a b', '-a', 'x'.repeat(64), 'a%2Fb', '%00'])(
  'no route has the name "%s"',
  async (name) => {
    expect((await put(name, {})).status).toBe(400);
  },
);

test('a blank model is none; equal settings change nothing; changes and deletions are in the audit', async () => {
  expect(
    (
      await put('audited', {
        upstream: 'https://llm.example.org',
        quality_verifier: { model: '  ' },
      })
    ).body,
  ).toMatchObject({
    quality_verifier: { model: null },
  });
  const again = await put('audited', { upstream: 'https://llm.example.org' });
  const changed = await put('audited', {
    upstream: 'https://llm.example.org',
    quality_verifier: { frequency: 3 },
  });
  expect(
    (changed.body as { updated_at: string }).updated_at >
      (again.body as { updated_at: string }).updated_at,
  ).toBe(true);
  await remove('audited');
  const { items } = await listAudit(project, {});
  expect(items.filter(({ target }) => target === 'audited').map(({ action }) => action)).toEqual([
    'gateway.delete_route',
    'gateway.put_route',
    'gateway.put_route',
  ]);
});

test('S-2 another project’s route is not found', async () => {
  await put('private', { upstream: 'https://llm.example.org' });
  expect((await get('private', other)).status).toBe(404);
  expect((await remove('private', other)).status).toBe(404);
  expect(await put('private', { upstream: 'https://evil.example' }, other)).toMatchObject({
    status: 200,
  });
  expect((await get('private')).body).toMatchObject({ upstream: 'https://llm.example.org' });
  const names = ((await other('/v1/gateway/routes')).body as { data: { name: string }[] }).data.map(
    ({ name }) => name,
  );
  expect(names).toEqual(['anthropic', 'openai', 'private']);
});

test('a project has at most 100 routes of its own', async () => {
  const full = await createTestProject(runtime);
  const { key } = await createKey(full, { name: 'k', scopes: ['read', 'write'] });
  const by = createCaller(runtime, key);
  await runtime.ctx.sql`
    insert into gateway_routes (project_id, name, settings, updated_by)
    select ${full.projectId}, 'r' || n, '{}', 'test' from generate_series(1, 100) as n`;
  expect(await put('one-more', { upstream: 'https://llm.example.org' }, by)).toMatchObject({
    status: 422,
  });
  expect(await put('r1', { upstream: 'https://llm.example.org' }, by)).toMatchObject({
    status: 200,
  });
});

test('INT-2 source blocks of a route are stored unchanged; an invalid one is refused by its field', async () => {
  const upstream = 'https://llm.example.org';
  const sources = {
    blocks: [
      { by: 'tag', tag: 'context', roles: ['user'] },
      { by: 'pattern', pattern: '^--- (.*?) ---$', roles: ['system', 'user'] },
    ],
    documents: true,
    earlier_messages: true,
  };
  expect(
    await put('cited', { upstream, integrity: { sources, sources_footer: false } }),
  ).toMatchObject({
    status: 200,
    body: { integrity: { sources, sources_footer: false } },
  });
  expect((await get('cited')).body).toMatchObject({ integrity: { sources } });
  expect((await get('anthropic')).body).toMatchObject({
    integrity: { sources: { blocks: [], documents: false }, sources_footer: true },
  });
  for (const [block, expected, path] of [
    [{ by: 'pattern', pattern: '(?=a)b' }, 422, 'integrity.sources.blocks[0].pattern'],
    [{ by: 'pattern', pattern: 'a*' }, 422, 'integrity.sources.blocks[0].pattern'],
    [{ by: 'tag', tag: '1a' }, 400, 'integrity.sources.blocks[0].tag'],
    [{ by: 'heading', heading: 'a'.repeat(201) }, 400, 'integrity.sources.blocks[0].heading'],
  ] as const) {
    const { status, body } = await put('cited', {
      upstream,
      integrity: { sources: { blocks: [block] } },
    });
    expect([status, JSON.stringify(body).includes(path)], JSON.stringify(body)).toEqual([
      expected,
      true,
    ]);
  }
  await remove('cited');
});
