import { beforeEach, expect } from 'vitest';
import { appOf } from '../../testing/app';
import { createTestProject, drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, listAudit, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import type { ConfigBody } from './input';
import { getIntegrityState, updateSettings } from '../verdicts';
import { getConfig, putConfig } from '.';

let runtime: Runtime;
let project: ProjectCtx;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
});

const put = (
  slug: string,
  config: ConfigBody['config'],
  reason: string | null = null,
): Promise<void> => putConfig(project, runtime.subjects.kinds, slug, { config, reason });
const get = (slug: string) => getConfig(project, runtime.subjects.kinds, slug);
const valuesOf = async (slug: string) =>
  Object.fromEntries((await get(slug)).fields.map(({ key, value }) => [key, value]));

test('VS-40 a change of the config is the next version, with its author, its changes and the reason; other members are unchanged', async () => {
  expect(await get('task')).toMatchObject({ version: 1, versions: [] });
  await put('task', { strategy: 'sample', sample_rate: 0.25 }, 'Too many small jobs');
  await put('task', { judging: 'per_criterion', dimensions: ['grounding'] });
  const { criteria, ...others } = await valuesOf('task');
  expect(criteria).toHaveLength(3);
  expect(others).toEqual({
    strategy: 'sample',
    sample_rate: 0.25,
    judging: 'per_criterion',
    dimensions: ['grounding'],
    output_chars: 12_000,
  });
  expect(await get('task')).toMatchObject({
    version: 3,
    versions: [
      {
        version: 3,
        by: 'test',
        changes: [
          { key: 'judging', from: 'together', to: 'per_criterion' },
          { key: 'dimensions', from: [], to: ['grounding'] },
        ],
      },
      {
        version: 2,
        by: 'test',
        changes: [{ key: 'strategy', from: 'tiered', to: 'sample' }, { key: 'sample_rate' }],
      },
    ],
  });
  const [latest, first] = (await listAudit(project, {})).items.filter(
    ({ action }) => action === 'verifiers.update',
  );
  expect(latest).toMatchObject({ target: 'task' });
  expect(JSON.parse(first?.detail ?? '')).toEqual({
    version: 2,
    config: { strategy: 'sample', sample_rate: 0.25 },
    before: { strategy: 'tiered', sample_rate: 0.1 },
    reason: 'Too many small jobs',
  });
});

test('repeating the same change has no effect; null restores the default', async () => {
  await put('consistency', { both_orders: true });
  const before = await get('consistency');
  for (const config of [{ both_orders: true }, {}, { output_chars: null }, { output_chars: 4_000 }])
    await put('consistency', config);
  expect(await get('consistency')).toEqual(before);
  await put('consistency', { both_orders: null });
  expect(await get('consistency')).toMatchObject({
    version: 3,
    fields: [{ key: 'both_orders', value: false, standard: false }, {}],
  });
  expect(
    (await listAudit(project, {})).items.filter(({ action }) => action === 'verifiers.update'),
  ).toHaveLength(2);
});

const proto = JSON.parse('{"__proto__":true,"strategy":"always"}') as ConfigBody['config'];
test.each<[string, string, ConfigBody['config'], string]>([
  [
    'a member that is not there',
    'task',
    { strategy: 'always', both_orders: true },
    'the known names are `criteria`, `strategy`, `sample_rate`',
  ],
  ['a misspelt member', 'task', { stratgy: 'always' }, 'did you mean `strategy`?'],
  ['a prototype', 'task', proto, '`config.__proto__` is not known'],
])('S-127 %s is no valid config, and nothing changes', async (_, slug, config, message) => {
  const refusal = { code: 'invalid_request', message: expect.stringContaining(message) as string };
  await expect(put(slug, config)).rejects.toMatchObject(refusal);
  expect(await get(slug)).toMatchObject({ version: 1 });
  expect(({} as Record<string, unknown>)['strategy']).toBeUndefined();
});

test.each<[string, string, ConfigBody['config'], string]>([
  ['an unknown choice', 'task', { strategy: 'never' }, 'config.strategy'],
  ['beyond the end', 'task', { sample_rate: 1.01 }, 'config.sample_rate'],
  ['a text for a number', 'mission', { output_chars: '9000' }, 'config.output_chars'],
  ['no whole number', 'mission', { output_chars: 9000.5 }, 'config.output_chars'],
  [
    'one of several is unknown',
    'task',
    { dimensions: ['grounding', 'style'] },
    'config.dimensions[1]',
  ],
])('%s is refused by name, and nothing changes', async (_, slug, config, path) => {
  await expect(put(slug, config)).rejects.toMatchObject({ code: 'refused', details: [{ path }] });
  expect(await get(slug)).toMatchObject({ version: 1 });
  expect(({} as Record<string, unknown>)['strategy']).toBeUndefined();
});

test('an unknown verifier is not found; another project keeps its own', async () => {
  await expect(put('nobodys', {})).rejects.toMatchObject({ code: 'not_found' });
  await expect(get('__proto__')).rejects.toMatchObject({ code: 'not_found' });
  await put('task', { strategy: 'always' });
  const other = await createTestProject(runtime);
  expect(await getConfig(other, runtime.subjects.kinds, 'task')).toMatchObject({
    version: 1,
    versions: [],
  });
});

test('more concurrent changes than there are connections are each a version, whichever route they use', async () => {
  const count = 3 * runtime.ctx.env.poolSize;
  await Promise.all(
    Array.from({ length: count }, (_, n) =>
      n % 2 === 0
        ? put('integrity', { derived_counts_as_sourced: n % 4 === 0 })
        : updateSettings(project, { allowUserFigures: n % 4 === 1 }),
    ),
  );
  const { version, versions } = await get('integrity');
  expect(versions.map((each) => each.version)).toEqual(versions.map((_, at) => version - at));
  await put('integrity', { allow_user_figures: true, derived_counts_as_sourced: true });
  expect(await getIntegrityState(project)).toMatchObject({
    allowUserFigures: true,
    derivedCountsAsSourced: true,
  });
});

test('VS-40 over HTTP: stored verdicts keep the version that decided them, the next ones name the next', async () => {
  const { key } = await createKey(project, { name: 'k', scopes: ['read', 'write', 'verify'] });
  const call = async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Record<string, unknown> }> => {
    const response = await appOf(runtime).request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const task = {
    task_description: 'List the ports',
    success_criteria: [{ check: 'keywords', value: ['443'], must_pass: true }],
    task_output: 'Port 443',
  };
  const first = await call('POST', '/v1/verify/task', task);
  expect(first.body).toMatchObject({ verifier: 'task@1', verdict: 'pass' });
  expect(
    await call('PUT', '/v1/verifiers/task', { config: { output_chars: 900 }, reason: 'cheaper' }),
  ).toMatchObject({
    status: 200,
    body: {
      slug: 'task',
      version: 2,
      config: { strategy: 'tiered', output_chars: 900 },
      versions: [{ version: 2 }],
    },
  });
  expect(
    (await call('POST', '/v1/verify/task', { ...task, verifier: 'task@2' })).body,
  ).toMatchObject({ verifier: 'task@2' });
  expect(await call('POST', '/v1/verify/task', { ...task, verifier: 'task@1' })).toMatchObject({
    status: 422,
  });
  await drainWork(runtime);
  expect((await call('GET', `/v1/verifications/${String(first.body['id'])}`)).body).toMatchObject({
    verifier: 'task@1',
    verdict: 'pass',
  });

  expect(await call('PUT', '/v1/verifiers/task', { config: { output_chars: 5 } })).toMatchObject({
    status: 422,
    body: { error: { code: 'refused', details: [{ path: 'config.output_chars' }] } },
  });
  expect(await call('PUT', '/v1/verifiers/nobodys', { config: {} })).toMatchObject({ status: 404 });
  expect((await call('GET', '/v1/verifiers/task')).body).toMatchObject({
    fields: [
      { key: 'criteria' },
      { key: 'strategy', type: 'choice', default: 'tiered', min: null },
      { key: 'sample_rate', min: 0, max: 1, options: null },
      {},
      {},
      {},
    ],
  });
  const all = (await call('GET', '/v1/verifiers')).body['data'] as {
    slug: string;
    version: number;
  }[];
  expect(all.map(({ slug, version }) => `${slug}@${version}`)).toEqual(
    expect.arrayContaining(['integrity@1', 'task@2', 'consistency@1', 'mission@1']),
  );
});
