import { expect } from 'vitest';
import { createTestProject, createTestRuntime, type TestDatabase } from '../../../testing/database';
import { testWith } from '../../../testing/fixture';
import { openSecret, type ProjectCtx, rewrapSecrets } from '../../access';
import type { Runtime } from '../../runtime';
import { PutProvider } from '../input';
import { deleteProvider } from './delete';
import { listProviderModels, listProviders, loadModels, loadProviders } from './list';
import { baseUrlOf, placeOfKey } from './provider';
import { putProvider } from './put';

const canary = 'sk-canary-5ecret5ecret5ecret-wxyz';
let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;

const env = {
  OPENAI_API_KEY: 'sk-env-openai-0123456789',
  ANTHROPIC_API_KEY: 'sk-env-anthropic-0123456789',
  ANTHROPIC_BASE_URL: 'https://claude.example.org',
  GOOGLE_API_KEY: '  ',
};
const test = testWith(env);

test.beforeAll(({ database: ownDatabase, runtime: ownRuntime }) => {
  database = ownDatabase;
  runtime = ownRuntime;
});

const put = (name: string, input: Record<string, unknown>) =>
  putProvider(project, name, PutProvider.parse(input));
const fresh = async () => {
  project = await createTestProject(runtime);
};

test('S-100 a key is stored sealed and shown only masked', async () => {
  await fresh();
  const stored = await put('openai', {
    kind: 'openai',
    api_key: canary,
    models: ['gpt-4o-mini', 'gpt-4o-mini', 'gpt-4o'],
  });
  expect(stored).toMatchObject({
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    models: ['gpt-4o-mini', 'gpt-4o'],
    key: 'sk-…wxyz',
    source: 'project',
  });
  const read = JSON.stringify([
    await listProviders(project),
    await listProviderModels(project, project.projectId),
    stored,
  ]);
  expect(read).not.toContain('5ecret');
  const dump = await runtime.ctx
    .sql`select to_jsonb(p) as row from providers p union all select to_jsonb(a) from audit_events a`;
  expect(JSON.stringify(dump)).not.toContain('5ecret');
  expect(
    await loadProviders(runtime.ctx, project.projectId).then((all) =>
      all.find(({ name }) => name === 'openai')?.openKey(),
    ),
  ).toBe(canary);
});

test('S-100 the mask of a short key reveals nothing', async () => {
  await fresh();
  expect(
    await put('ollama', {
      kind: 'openai_compatible',
      base_url: 'https://llm.example.org/v1',
      api_key: 'short',
    }),
  ).toMatchObject({
    key: '…',
  });
});

test('S-45 the key stays with its origin, and must be given again for another one', async () => {
  await fresh();
  await put('house', {
    kind: 'openai_compatible',
    base_url: 'https://a.example.org/v1',
    api_key: canary,
  });
  expect(
    await put('house', { kind: 'openai_compatible', base_url: 'https://a.example.org/v2' }),
  ).toMatchObject({ key: 'sk-…wxyz' });
  for (const base_url of [
    'https://b.example.org/v1',
    'http://a.example.org/v1',
    'https://a.example.org:8443/v1',
  ]) {
    await expect(
      put('house', { kind: 'openai_compatible', base_url }),
      base_url,
    ).rejects.toMatchObject({ code: 'refused' });
  }
  await expect(
    put('house', { kind: 'anthropic', base_url: 'https://a.example.org/v1' }),
  ).rejects.toMatchObject({ code: 'refused' });
  expect(
    await put('house', {
      kind: 'openai_compatible',
      base_url: 'https://b.example.org/v1',
      api_key: null,
    }),
  ).toMatchObject({
    key: null,
  });
});

test('S-99 a sealed key moved to another provider or project cannot be opened, and is shown as unreadable', async () => {
  await fresh();
  await put('one', { kind: 'openai', api_key: canary });
  await put('two', { kind: 'openai', api_key: 'another-key-of-some-length' });
  const other = await createTestProject(runtime);
  await putProvider(
    other,
    'one',
    PutProvider.parse({ kind: 'openai', api_key: 'a-third-key-of-some-length' }),
  );
  await runtime.ctx.sql`
    update providers set sealed_key = (select sealed_key from providers where project_id = ${project.projectId} and name = 'one')
    where (project_id = ${project.projectId} and name = 'two') or project_id = ${other.projectId}`;
  expect((await listProviders(project)).find(({ name }) => name === 'two')?.key).toBe('unreadable');
  expect((await listProviders(other)).find(({ name }) => name === 'one')?.key).toBe('unreadable');
});

test.each([
  [{ kind: 'openai' }, /api_key/],
  [{ kind: 'anthropic', api_key: null }, /api_key/],
  [{ kind: 'openai_compatible', api_key: 'k' }, /base_url: is required/],
  [{ kind: 'openai', api_key: 'k', base_url: 'http://127.0.0.1:9999/v1' }, /public/],
  [{ kind: 'openai', api_key: 'k', base_url: 'http://localhost:9999/v1' }, /public/],
  [{ kind: 'openai', api_key: 'k', base_url: 'http://llm.localhost:9999/v1' }, /public/],
  [{ kind: 'openai', api_key: 'k', base_url: 'http://169.254.169.254/' }, /public/],
  [{ kind: 'openai', api_key: 'k', base_url: 'https://user:pw@api.example.org' }, /password/],
  [{ kind: 'openai', api_key: 'k', base_url: 'https://api.example.org/?key=x' }, /"\?"/],
  [{ kind: 'openai', api_key: 'k', base_url: 'ftp://api.example.org' }, /https/],
])('S-39 S-45 refused: %o', async (input, message) => {
  await fresh();
  await expect(put('x', input)).rejects.toMatchObject({
    code: 'refused',
    message: expect.stringMatching(message),
  });
});

test('a provider may have any name, even that of another kind', async () => {
  await fresh();
  expect(await put('anthropic', { kind: 'openai', api_key: canary })).toMatchObject({
    name: 'anthropic',
    kind: 'openai',
  });
});

test.each(['k\r\nx: y', 'k y', '', 'ключ', 'k'.repeat(501)])(
  'S-49 "%s" is not a key',
  (api_key) => {
    expect(PutProvider.safeParse({ kind: 'openai', api_key }).success).toBe(false);
  },
);

test('X-10 storing the same again changes nothing; two concurrent requests both succeed', async () => {
  await fresh();
  const input = { kind: 'openai', api_key: canary, models: ['gpt-4o'] };
  const results = await Promise.all([
    put('openai', input),
    put('openai', input),
    put('openai', input),
  ]);
  expect(new Set(results.map(({ key }) => key))).toEqual(new Set(['sk-…wxyz']));
  expect((await listProviders(project)).filter(({ name }) => name === 'openai')).toHaveLength(1);
});

test('X-11 a project’s own prices stay until replaced, and a model may be listed once', async () => {
  await fresh();
  const prices = [{ model: 'llama3:8b', usd_per_million: { input: 0.2, output: 0.6 } }];
  const input = {
    kind: 'openai_compatible',
    base_url: 'https://llm.example.org/v1',
    models: ['llama3:8b', 'other'],
  };
  expect(await put('house', { ...input, prices })).toMatchObject({ prices });
  expect(await put('house', input)).toMatchObject({ prices });
  expect([...(await loadModels(runtime.ctx, project.projectId)).prices]).toEqual([
    ['house:llama3:8b', { inputUsd: 0.2, outputUsd: 0.6 }],
  ]);
  expect(await put('house', { ...input, prices: [] })).toMatchObject({ prices: [] });
  for (const wrong of [
    [...prices, ...prices],
    [{ model: 'm', usd_per_million: { input: -1, output: 0 } }],
    [{ model: 'm', usd_per_million: { input: '1', output: 0 } }],
    [{ model: '../m', usd_per_million: { input: 1, output: 0 } }],
  ])
    expect(PutProvider.safeParse({ ...input, prices: wrong }).success).toBe(false);
});

test('providers of the environment are the default of each project, until it has one of the same name', async () => {
  await fresh();
  expect(await listProviders(project)).toEqual([
    expect.objectContaining({
      name: 'anthropic',
      source: 'environment',
      baseUrl: 'https://claude.example.org/v1',
      key: 'sk-…6789',
    }),
    expect.objectContaining({
      name: 'openai',
      source: 'environment',
      baseUrl: 'https://api.openai.com/v1',
    }),
  ]);
  await put('openai', { kind: 'openai', api_key: canary, models: ['o3-mini'], enabled: false });
  expect((await listProviders(project)).map(({ name, source }) => [name, source])).toEqual([
    ['anthropic', 'environment'],
    ['openai', 'project'],
  ]);
  expect(await listProviderModels(runtime.ctx, project.projectId)).toEqual([
    'anthropic:claude-haiku-4-5',
    'anthropic:claude-sonnet-4-5',
  ]);
  await deleteProvider(project, 'openai');
  expect(await listProviderModels(runtime.ctx, project.projectId)).toContain('openai:gpt-4o-mini');
  await expect(deleteProvider(project, 'openai')).rejects.toMatchObject({ code: 'conflict' });
  await expect(deleteProvider(project, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
});

test('S-2 S-3 another project can neither see, change nor delete a provider', async () => {
  await fresh();
  await put('house', { kind: 'openai', api_key: canary });
  const other = await createTestProject(runtime);
  expect((await listProviders(other)).map(({ name }) => name)).not.toContain('house');
  await expect(deleteProvider(other, 'house')).rejects.toMatchObject({ code: 'not_found' });
  await putProvider(
    other,
    'house',
    PutProvider.parse({ kind: 'openai', api_key: 'another-key-of-some-length' }),
  );
  expect((await listProviders(project)).find(({ name }) => name === 'house')?.key).toBe('sk-…wxyz');
});

test.each([
  ['openai', 'https://x.example.org/v1/', 'https://x.example.org/v1'],
  ['openai', 'https://x.example.org', 'https://x.example.org'],
  ['anthropic', 'https://x.example.org', 'https://x.example.org/v1'],
  ['anthropic', 'https://x.example.org/proxy', 'https://x.example.org/proxy'],
  ['google', 'https://x.example.org/', 'https://x.example.org/v1beta'],
  ['openai_compatible', 'http://ollama:11434/v1', 'http://ollama:11434/v1'],
  ['google', null, 'https://generativelanguage.googleapis.com/v1beta'],
] as const)('an address of %s is treated as by its own client: %s', (kind, given, expected) =>
  expect(baseUrlOf(kind, given)).toBe(expected),
);

test('S-99 secrets rewrap: everything is wrapped under a new ASSAY_SECRET, repeatably, and the old one is no longer needed', async () => {
  await fresh();
  await put('openai', { kind: 'openai', api_key: canary });
  const next = 'another-secret-another-secret-another';
  const previous = 'test-secret-test-secret-test-secret';
  const changed = createTestRuntime(database.url, { ASSAY_SECRET: next });
  const rotating = createTestRuntime(database.url, {
    ASSAY_SECRET: next,
    ASSAY_SECRET_PREVIOUS: previous,
  });
  try {
    const keyUnder = async ({ ctx }: Runtime): Promise<string | undefined> => {
      const [row] = await ctx.sql<{ sealed_key: string; origin: string }[]>`
        select sealed_key, origin from providers where project_id = ${project.projectId} and name = 'openai'`;
      return openSecret(
        ctx,
        placeOfKey(project.projectId, 'openai', row?.origin ?? ''),
        row?.sealed_key ?? '',
      );
    };
    await expect(keyUnder(changed)).rejects.toThrow('ASSAY_SECRET_PREVIOUS');
    expect((await rewrapSecrets(changed.ctx)).unreadable.join()).toContain('another ASSAY_SECRET');
    expect(await keyUnder(rotating)).toBe(canary);
    const first = await rewrapSecrets(rotating.ctx);
    expect(first.rewrapped).toBeGreaterThan(0);
    expect(await rewrapSecrets(rotating.ctx)).toMatchObject({ rewrapped: 0 });
    expect(await keyUnder(changed)).toBe(canary);
    await expect(keyUnder(runtime)).rejects.toThrow('another ASSAY_SECRET');
  } finally {
    const back = createTestRuntime(database.url, {
      ASSAY_SECRET: previous,
      ASSAY_SECRET_PREVIOUS: next,
    });
    await rewrapSecrets(back.ctx);
    await Promise.all([changed, rotating, back].map((each) => each.close()));
  }
});
