import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createCaller } from '../../scripts/harness/call';
import { createStack, type Stack } from '../../scripts/harness/stack';
import { openSigningSecret } from './destination';

let stack: Stack;
let call: ReturnType<typeof createCaller>;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'), { ASSAY_OUTBOUND_ALLOW: '127.0.0.1:9999' });
  call = createCaller(stack.runtime, stack.key);
});

afterAll(() => stack.close());

const body = {
  kind: 'webhook',
  name: 'Pager',
  url: 'https://hooks.example.org/a?b=c',
  headers: [{ name: 'X-Key', value: 'hidden value' }],
};

async function create(more: Record<string, unknown> = {}): Promise<{ id: string; secret: string }> {
  const reply = await call('/v1/destinations', { ...body, ...more });
  expect(reply.status, reply.text).toBe(201);
  return reply.body as { id: string; secret: string };
}

async function stored(id: string) {
  const [row] = await stack.sql<{ url: string; secret_sealed: string | null; headers_sealed: string | null }[]>`
    select url, secret_sealed, headers_sealed from destinations where id = ${id}`;
  if (row === undefined) throw new Error('not stored');
  return row;
}

test('S-99 a signing secret is shown once; at rest it and the headers are sealed; no list, audit row or other answer has them', async () => {
  const made = await create();
  expect(made).toMatchObject({
    name: 'Pager',
    enabled: true,
    outcomes: [],
    has_headers: true,
    secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
  });
  const row = await stored(made.id);
  const opened = openSigningSecret(stack.runtime.ctx, stack.project.projectId, {
    id: made.id,
    url: row.url,
    secretSealed: row.secret_sealed,
  });
  expect(opened).toBe(made.secret);
  const listed = await call('/v1/destinations');
  const [{ everything } = { everything: '' }] = await stack.sql<{ everything: string }[]>`
    select string_agg(t, '') as everything from (
      select d::text as t from destinations d union all select a::text from audit_events a union all select k::text from idempotency_keys k) all_rows`;
  for (const text of [listed.text, everything]) {
    expect(text).toContain(made.id);
    expect(text).not.toContain('hidden value');
    expect(text).not.toContain(made.secret);
  }
});

test('S-45 another origin has neither secret nor headers of the one before', async () => {
  const made = await create();
  const before = await stored(made.id);
  const put = (more: Record<string, unknown>) => call(`/v1/destinations/${made.id}`, { name: 'Pager', url: body.url, ...more }, {}, 'PUT');
  expect(await put({ url: 'https://hooks.example.org/other' })).toMatchObject({ status: 200, body: { secret: null, has_headers: true } });
  expect((await stored(made.id)).secret_sealed).toBe(before.secret_sealed);
  for (const url of ['https://evil.example.org/a', 'http://hooks.example.org/a', 'https://hooks.example.org:8443/a']) {
    expect(await put({ url })).toMatchObject({ status: 422, body: { error: { code: 'refused', details: [{ path: 'headers' }] } } });
  }
  const moved = await put({ url: 'https://evil.example.org/a', headers: [] });
  expect(moved).toMatchObject({ status: 200, body: { has_headers: false, secret: expect.stringMatching(/^whsec_/) } });
  expect(moved.body.secret).not.toBe(made.secret);
  const rotated = await put({ url: 'https://evil.example.org/a', rotate_secret: true });
  expect(rotated.body.secret).not.toBe(moved.body.secret);
});

test.each([
  ['http://127.0.0.1:9998/', 422],
  ['http://169.254.169.254/latest/meta-data', 422],
  ['http://2130706433/', 422],
  ['https://user:pass@hooks.example.org/', 422],
  ['ftp://hooks.example.org/', 422],
  ['http://hooks.example.org:6379/', 422],
  ['', 400],
  ['http://127.0.0.1:9999/', 201],
])('S-39 S-48 an address is judged when it is saved: %s is %i', async (url, status) => {
  expect((await call('/v1/destinations', { ...body, url })).status).toBe(status);
});

test.each([
  [{ name: 'Metadata-Flavor', value: 'Google' }],
  [{ name: 'Host', value: 'x' }],
  [{ name: 'x', value: 'a\r\nb: c' }],
  [{ name: 'x y', value: 'a' }],
])('S-49 S-50 a header is judged when it is saved: %o', async (header) => {
  expect(await call('/v1/destinations', { ...body, headers: [header] })).toMatchObject({ status: 422 });
});

test('R-78 the same Idempotency-Key makes one destination and gives one answer, secret and all; another body is refused', async () => {
  const once = { 'idempotency-key': 'make-one' };
  const answers = await Promise.all([1, 2, 3].map(() => call('/v1/destinations', body, once)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]).toMatchObject({ status: 201, body: { secret: expect.stringMatching(/^whsec_/) } });
  expect((await call('/v1/destinations', { ...body, name: 'Other' }, once)).status).toBe(409);
  const id = String(answers[0]?.body.id);
  expect((await call(`/v1/destinations/${id}`, undefined, {}, 'DELETE')).status).toBe(200);
  expect((await call('/v1/destinations', body, once)).body).toMatchObject({ id, secret: null });
  expect(await stack.sql`select 1 from destinations where id = ${id}`).toHaveLength(0);
});

test('a project has at most twenty destinations, and one that is deleted takes its deliveries along', async () => {
  await stack.sql`delete from destinations`;
  const made = [];
  for (let n = 0; n < 20; n++) made.push(await create({ kind: 'otlp' }));
  expect((await call('/v1/destinations', body)).status).toBe(409);
  const id = made[0]?.id ?? '';
  await stack.sql`
    insert into deliveries (project_id, id, destination_id, verdict_id) values (${stack.project.projectId}, 'dlv_x', ${id}, 'ver_x')`;
  expect((await call(`/v1/destinations/${id}`, undefined, {}, 'DELETE')).status).toBe(200);
  expect(await stack.sql`select 1 from deliveries`).toHaveLength(0);
  const actions = await stack.sql`select action from audit_events where target = ${id} order by id`;
  expect(actions.map(({ action }) => action as string)).toEqual(['destinations.create', 'destinations.delete']);
});
