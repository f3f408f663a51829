import { beforeEach, expect } from 'vitest';
import { createTestProject, drainWork } from '../../testing/database';
import { test } from '../../testing/fixture';
import { createKey, listAudit, type ProjectCtx } from '../access';
import { createApp } from '../api/http';
import type { Runtime } from '../runtime';

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
  ({ key } = await createKey(project, {
    name: 'all',
    scopes: ['ingest', 'verify', 'read', 'write'],
  }));
});

async function call(method: string, path: string, body?: unknown) {
  const response = await app.request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const checks = {
  name: 'Refund checks',
  kind: 'checks',
  targets: ['turn', 'trace'],
  checks: [
    { check: 'contains', value: 'refund', must_pass: true },
    { check: 'latency_ms', max: 5000 },
  ],
};

test('online.md 3: PUT creates a verifier, the same body changes nothing, another is the next version', async () => {
  const path = '/v1/verifiers/refund-checks';
  const first = await call('PUT', path, checks);
  expect(first).toMatchObject({
    status: 200,
    body: { slug: 'refund-checks', version: 1, created: true, prompt: null, overridden: [] },
  });
  expect((await call('PUT', path, checks)).body).toMatchObject({ version: 1, created: false });
  const stricter = { ...checks, thresholds: { pass_threshold: 0.9 } };
  expect((await call('PUT', path, stricter)).body).toMatchObject({ version: 2, created: true });
  expect((await call('GET', path)).body).toMatchObject({
    ...stricter,
    slug: 'refund-checks',
    version: 2,
    archived: false,
    thresholds: { pass_threshold: 0.9, confidence_threshold: 0.5 },
  });
  const all = await call('GET', '/v1/verifiers');
  expect(all.status, JSON.stringify(all.body)).toBe(200);
  const listed = all.body.data as { slug: string }[];
  expect(listed.map(({ slug }) => slug)).toContain('refund-checks');
  const actions = (await listAudit(project, {})).items.map(({ action }) => action);
  expect(actions.filter((action) => action === 'verifiers.update')).toHaveLength(2);
});

test.each([
  ['a slug of the release', 'task', { ...checks }, 422],
  ['another slug in the body', 'mine', { ...checks, slug: 'yours' }, 400],
  ['an upper-case slug', 'Mine', checks, 400],
  ['a reserved slug', 'trace', checks, 400],
  ['a built-in kind', 'mine', { ...checks, kind: 'task' }, 400],
  ['a misspelt kind', 'mine', { ...checks, kind: 'cheks' }, 400],
  ['no check', 'mine', { ...checks, checks: [] }, 400],
  ['an unknown member', 'mine', { ...checks, treshold: 1 }, 400],
  ['an unknown query', 'mine', { ...checks, mapping: { a: '$.outptu' } }, 400],
  ['no kind', 'mine', { name: 'x' }, 400],
  ['not an object', 'mine', [1], 400],
])('online.md 3: refuses %s with the field', async (_what, slug, body, status) => {
  const answer = await call('PUT', `/v1/verifiers/${slug}`, body);
  expect([answer.status === 200, answer.status >= 400 && answer.status < 500]).toEqual([
    false,
    true,
  ]);
  if (slug !== 'task') expect(answer.status).toBe(status);
  const { error } = answer.body as unknown as { error: { details: { path: string }[] } };
  expect(error.details.length).toBeGreaterThan(0);
});

test('online.md 3: a verify call, a rule and an override know the verifier', async () => {
  await call('PUT', '/v1/verifiers/refund-checks', checks);
  const passed = await call('POST', '/v1/verify/refund-checks', {
    subject: { output: 'You get a refund.', latency_ms: 10 },
    id: 'call-1',
  });
  expect(passed).toMatchObject({
    status: 200,
    body: {
      kind: 'checks',
      verifier: 'refund-checks@1',
      state: 'settled',
      outcome: 'passed',
      verdict: 'pass',
      score: 1,
      checks: { results: [{ met: true }, { met: true }] },
    },
  });
  const failed = await call('POST', '/v1/verify/refund-checks', {
    subject: { output: 'No.', latency_ms: 10 },
  });
  expect(failed.body).toMatchObject({ outcome: 'failed', verdict: 'fail' });
  const overridden = await call('POST', `/v1/verifications/${String(failed.body.id)}/overrides`, {
    verdict: 'pass',
    reason: 'It is fine.',
  });
  expect(overridden.status).toBeLessThan(300);
  const rule = await call('PUT', '/v1/rules/refunds', {
    verifier: 'refund-checks',
    target: 'turn',
    filter: {},
  });
  expect(rule.status).toBe(200);
  await call('POST', '/v1/turns', { turns: [{ id: 't-1', output: 'A refund it is.' }] });
  await drainWork(runtime);
  const verdicts = await call('GET', '/v1/verifications?verifier=refund-checks');
  const found = verdicts.body.data as { turn_id: string | null; outcome: string }[];
  expect(found.find(({ turn_id }) => turn_id !== null)).toMatchObject({ outcome: 'passed' });
});

test('online.md 3: an archived verifier takes no rule and no call, and a PUT restores it', async () => {
  const path = '/v1/verifiers/refund-checks';
  await call('PUT', path, checks);
  expect((await call('DELETE', path)).body).toEqual({ slug: 'refund-checks', archived: true });
  expect((await call('GET', path)).body).toMatchObject({ archived: true });
  expect(
    (await call('POST', '/v1/verify/refund-checks', { subject: { output: 'x' } })).status,
  ).toBe(422);
  const rule = { verifier: 'refund-checks', target: 'turn', filter: {} };
  expect((await call('PUT', '/v1/rules/refunds', rule)).status).toBe(422);
  expect((await call('PUT', path, checks)).body).toMatchObject({ version: 2, created: true });
  expect((await call('PUT', '/v1/rules/refunds', rule)).status).toBe(200);
});

test('online.md 3: thresholds of the definition apply until people tune them, and again after a reset', async () => {
  const path = '/v1/verifiers/length';
  const half = {
    kind: 'checks',
    thresholds: { pass_threshold: 0.5 },
    checks: [
      { check: 'contains', value: 'a' },
      { check: 'contains', value: 'b' },
    ],
  };
  await call('PUT', path, half);
  const verify = () => call('POST', '/v1/verify/length', { subject: { output: 'a' } });
  expect((await verify()).body).toMatchObject({
    outcome: 'passed',
    score: 0.5,
    threshold: { value: 0.5, source: 'default' },
  });
  const tuned = await call('PUT', '/v1/thresholds/length/pass_threshold', { value: 0.8 });
  expect(tuned.status).toBe(200);
  expect((await verify()).body).toMatchObject({ outcome: 'failed', threshold: { value: 0.8 } });
  expect((await call('PUT', path, half)).body).toMatchObject({ overridden: ['pass_threshold'] });
  expect((await call('PUT', `${path}?reset_thresholds=true`, half)).body).toMatchObject({
    created: false,
    overridden: [],
  });
  expect((await verify()).body).toMatchObject({ outcome: 'passed' });
});

test('S-3 two projects may define the same slug', async () => {
  await call('PUT', '/v1/verifiers/mine', checks);
  const other = await createTestProject(runtime);
  const made = await createKey(other, { name: 'other', scopes: ['verify', 'read', 'write'] });
  key = made.key;
  expect((await call('GET', '/v1/verifiers/mine')).status).toBe(404);
  expect((await call('POST', '/v1/verify/mine', { subject: { output: 'x' } })).status).toBe(404);
});

test('the list takes the same queries for 3 verifiers as for 30, each with its prompt and thresholds', async () => {
  let queries = 0;
  const sql = new Proxy(runtime.ctx.sql, {
    apply(target, self, given) {
      queries += 1;
      return Reflect.apply(target, self, given) as unknown;
    },
  });
  app = createApp({ ...runtime, ctx: { ...runtime.ctx, sql } });
  const promptOf = (n: number) => `Is answer ${n} polite? {{output}}`;
  const judge = (n: number) => ({
    kind: 'judge',
    judge: { output: { type: 'boolean' }, prompt: promptOf(n) },
  });
  const list = async (count: number) => {
    for (let n = 0; n < count; n++)
      await call('PUT', `/v1/verifiers/own-${n}`, n % 3 === 0 ? checks : judge(n));
    await call('PUT', '/v1/thresholds/own-1/pass_threshold', { value: 0.8 });
    const before = queries;
    const { body } = await call('GET', '/v1/verifiers');
    const data = body.data as { slug: string; overridden?: string[]; judge?: object }[];
    return { taken: queries - before, own: data.filter(({ slug }) => slug.startsWith('own-')) };
  };
  const few = await list(3);
  const many = await list(30);
  expect([few.own.length, many.own.length]).toEqual([3, 30]);
  expect(many.taken).toBe(few.taken);
  for (const { slug, judge: shown, overridden } of many.own) {
    const n = Number(slug.slice('own-'.length));
    expect(overridden).toEqual(n === 1 ? ['pass_threshold'] : []);
    if (n % 3 !== 0) expect(shown).toMatchObject({ prompt: promptOf(n) });
  }
});
