import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createCaller } from '../../testing/call';
import { createStack, type Stack } from '../../testing/stack';
import { openSigningSecret } from './destination';
import { readSigningSecrets } from './webhook-request';

let stack: Stack;
let call: ReturnType<typeof createCaller>;

beforeAll(async () => {
  stack = await createStack(inject('databaseUrl'), {
    ASSAY_OUTBOUND_ALLOW: '127.0.0.1:9999',
    ASSAY_SMTP_URL: 'smtp://127.0.0.1:9998',
    ASSAY_MAIL_FROM: 'assay@example.org',
  });
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
  const [row] = await stack.sql<
    { url: string; secret_sealed: string | null; headers_sealed: string | null }[]
  >`
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

test('S-45 another origin gets neither secret nor headers of the previous one', async () => {
  const made = await create();
  const before = await stored(made.id);
  const put = (more: Record<string, unknown>) =>
    call(`/v1/destinations/${made.id}`, { name: 'Pager', url: body.url, ...more }, {}, 'PUT');
  expect(await put({ url: 'https://hooks.example.org/other' })).toMatchObject({
    status: 200,
    body: { secret: null, has_headers: true },
  });
  expect((await stored(made.id)).secret_sealed).toBe(before.secret_sealed);
  for (const url of [
    'https://evil.example.org/a',
    'http://hooks.example.org/a',
    'https://hooks.example.org:8443/a',
  ]) {
    expect(await put({ url })).toMatchObject({
      status: 422,
      body: { error: { code: 'refused', details: [{ path: 'headers' }] } },
    });
  }
  const moved = await put({ url: 'https://evil.example.org/a', headers: [] });
  expect(moved).toMatchObject({
    status: 200,
    body: { has_headers: false, secret: expect.stringMatching(/^whsec_/) },
  });
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
])('S-39 S-48 an address is validated when it is saved: %s is %i', async (url, status) => {
  expect((await call('/v1/destinations', { ...body, url })).status).toBe(status);
});

test.each([
  [{ name: 'Metadata-Flavor', value: 'Google' }],
  [{ name: 'Host', value: 'x' }],
  [{ name: 'x', value: 'a\r\nb: c' }],
  [{ name: 'x y', value: 'a' }],
])('S-49 S-50 a header is validated when it is saved: %o', async (header) => {
  expect(await call('/v1/destinations', { ...body, headers: [header] })).toMatchObject({
    status: 422,
  });
});

const chat = {
  kind: 'slack',
  url: 'https://hooks.example.org/services/T0/B0/canary-of-a-chat',
  headers: [],
};
const mail = { kind: 'email', url: 'a@example.org', headers: [] };

test.each([
  [{}, 201, ['verdicts']],
  [{ kind: 'otlp' }, 201, ['verdicts']],
  [{ sends: ['reports', 'alerts', 'reports'] }, 201, ['reports', 'alerts']],
  [chat, 201, ['alerts']],
  [mail, 201, ['alerts']],
  [{ ...mail, url: ' a@example.org, b@example.org,a@example.org ' }, 201, ['alerts']],
  [{ ...chat, sends: ['verdicts'] }, 422, 'outcomes'],
  [{ ...chat, sends: ['verdicts'], outcomes: ['needs_review'] }, 201, ['verdicts']],
  [{ ...mail, sends: ['verdicts'] }, 422, 'sends'],
  [{ kind: 'otlp', sends: ['alerts'] }, 422, 'sends'],
  [{ sends: [] }, 400, 'sends'],
  [{ ...chat, url: 'https://hooks.example.org' }, 422, 'url'],
  [{ ...chat, url: 'http://10.0.0.1/services/x' }, 422, 'url'],
  [{ ...chat, headers: body.headers }, 422, 'headers'],
  [{ ...mail, headers: body.headers }, 422, 'headers'],
  [{ ...mail, url: 'https://example.org' }, 422, 'url'],
  [{ ...mail, url: 'a@example.org\r\nBcc: b@example.org' }, 422, 'url'],
  [
    { ...mail, url: Array.from({ length: 21 }, (_, n) => `a${n}@example.org`).join(',') },
    422,
    'url',
  ],
  [{ ...mail, url: ' , ' }, 422, 'url'],
])('S-63 which events may be sent where: %j is %i', async (more, status, expected) => {
  await stack.sql`delete from destinations`;
  const reply = await call('/v1/destinations', { ...body, ...more });
  expect(reply.status, reply.text).toBe(status);
  expect(reply.body).toMatchObject(
    status === 201 ? { sends: expected } : { error: { details: [{ path: expected }] } },
  );
});

test('S-103 a rotated secret is returned, and signs next to the previous one, which another origin never gets', async () => {
  const made = await create();
  const put = (more: Record<string, unknown>) =>
    call(`/v1/destinations/${made.id}`, { name: 'Pager', url: body.url, ...more }, {}, 'PUT');
  const secretsOf = async () => {
    const row = await stored(made.id);
    const opened = openSigningSecret(stack.runtime.ctx, stack.project.projectId, {
      id: made.id,
      url: row.url,
      secretSealed: row.secret_sealed,
    });
    return readSigningSecrets(opened ?? '', new Date());
  };
  const rotated = await put({ rotate_secret: true });
  expect(rotated.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect(await secretsOf()).toEqual([rotated.body.secret, made.secret]);
  const again = await put({ rotate_secret: true });
  expect(await secretsOf()).toEqual([again.body.secret, rotated.body.secret]);
  const moved = await put({ url: 'https://other.example.org/a', headers: [], rotate_secret: true });
  expect(await secretsOf()).toEqual([moved.body.secret]);
});

test('S-45 S-99 the address of a chat is a secret: sealed, shown by its origin, kept if the shown origin is sent, and replaced otherwise', async () => {
  const made = await create(chat);
  expect(made).toMatchObject({
    url: 'https://hooks.example.org',
    secret: null,
    has_headers: false,
  });
  const before = await stored(made.id);
  const [{ everything } = { everything: '' }] = await stack.sql<{ everything: string }[]>`
    select string_agg(t, '') as everything from (
      select d::text as t from destinations d union all select a::text from audit_events a union all select k::text from idempotency_keys k) all_rows`;
  expect(everything).not.toContain('canary-of-a-chat');
  const put = (url: string) =>
    call(`/v1/destinations/${made.id}`, { name: 'Chat', url }, {}, 'PUT');
  expect(await put('https://hooks.example.org')).toMatchObject({
    status: 200,
    body: { url: 'https://hooks.example.org', secret: null },
  });
  expect(await stored(made.id)).toEqual(before);
  expect((await put('https://evil.example.org')).status).toBe(422);
  expect((await put('https://evil.example.org/services/x')).body).toMatchObject({
    url: 'https://evil.example.org',
  });
  const row = await stored(made.id);
  const opened = openSigningSecret(stack.runtime.ctx, stack.project.projectId, {
    id: made.id,
    url: row.url,
    secretSealed: row.secret_sealed,
  });
  expect(opened).toBe('https://evil.example.org/services/x');
});

test('R-78 the same Idempotency-Key creates one destination and gives one answer, including the secret; another body is refused', async () => {
  const once = { 'idempotency-key': 'make-one' };
  const answers = await Promise.all([1, 2, 3].map(() => call('/v1/destinations', body, once)));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]).toMatchObject({
    status: 201,
    body: { secret: expect.stringMatching(/^whsec_/) },
  });
  expect((await call('/v1/destinations', { ...body, name: 'Other' }, once)).status).toBe(409);
  const id = String(answers[0]?.body.id);
  expect((await call(`/v1/destinations/${id}`, undefined, {}, 'DELETE')).status).toBe(200);
  expect((await call('/v1/destinations', body, once)).body).toMatchObject({ id, secret: null });
  expect(await stack.sql`select 1 from destinations where id = ${id}`).toHaveLength(0);
});

test('a project has at most twenty destinations, and deleting one deletes its deliveries', async () => {
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
  expect(actions.map(({ action }) => action as string)).toEqual([
    'destinations.create',
    'destinations.delete',
  ]);
});

test('X-10 omitted members are unchanged: the outcomes, and whether it is enabled', async () => {
  await stack.sql`delete from destinations`;
  const made = await create({ outcomes: ['failed', 'needs_review'] });
  const put = (more: Record<string, unknown>) =>
    call(`/v1/destinations/${made.id}`, { name: 'Other', url: body.url, ...more }, {}, 'PUT');
  expect(await put({})).toMatchObject({
    status: 200,
    body: { name: 'Other', outcomes: ['failed', 'needs_review'] },
  });
  expect(await put({ outcomes: ['passed'] })).toMatchObject({ body: { outcomes: ['passed'] } });
  expect(await put({ outcomes: [] })).toMatchObject({ body: { outcomes: [] } });
  expect(await put({ enabled: false })).toMatchObject({ body: { enabled: false } });
  expect(await put({})).toMatchObject({ body: { enabled: false } });
});

test('X-10 deliveries are listed newest first, by destination and state, page after page', async () => {
  await stack.sql`delete from destinations`;
  await stack.sql`delete from deliveries`;
  const [one, other] = [await create(), await create()];
  const { projectId } = stack.project;
  for (const [n, to, state] of [
    [1, one.id, 'dead'],
    [2, one.id, 'delivered'],
    [3, one.id, 'dead'],
    [4, other.id, 'waiting'],
  ] as const) {
    await stack.sql`
      insert into deliveries (project_id, id, destination_id, verdict_id, state, attempts, due_at, last_error, created_at, delivered_at)
      values (${projectId}, ${`dlv_${n}`}, ${to}, ${`ver_${n}`}, ${state}, ${n}, '2026-01-02T00:00:00Z', ${state === 'dead' ? '500' : null},
        ${`2026-01-01T00:00:0${n}Z`}, ${state === 'delivered' ? '2026-01-01T00:01:00Z' : null})`;
  }
  const list = async (query = '') => {
    const { status, body: page } = await call(`/v1/deliveries${query}`);
    const { data, next_cursor } = page as { data?: { id: string }[]; next_cursor?: string | null };
    return { status, data, ids: data?.map(({ id }) => id), next: next_cursor ?? null };
  };
  const all = await list();
  expect(all).toMatchObject({ status: 200, ids: ['dlv_4', 'dlv_3', 'dlv_2', 'dlv_1'], next: null });
  const common = { destination_id: one.id, due_at: null };
  const at = (n: number) => `2026-01-01T00:00:0${n}.000Z`;
  expect(all.data?.slice(0, 3)).toEqual([
    {
      id: 'dlv_4',
      destination_id: other.id,
      verification_id: 'ver_4',
      notice_id: null,
      subject: null,
      state: 'waiting',
      attempts: 4,
      due_at: '2026-01-02T00:00:00.000Z',
      last_error: null,
      created_at: at(4),
      delivered_at: null,
    },
    {
      ...common,
      id: 'dlv_3',
      verification_id: 'ver_3',
      notice_id: null,
      subject: null,
      state: 'dead',
      attempts: 3,
      last_error: '500',
      created_at: at(3),
      delivered_at: null,
    },
    {
      ...common,
      id: 'dlv_2',
      verification_id: 'ver_2',
      notice_id: null,
      subject: null,
      state: 'delivered',
      attempts: 2,
      last_error: null,
      created_at: at(2),
      delivered_at: '2026-01-01T00:01:00.000Z',
    },
  ]);
  const first = await list(`?destination_id=${one.id}&state=dead&limit=1`);
  expect(first.ids).toEqual(['dlv_3']);
  expect(
    await list(`?destination_id=${one.id}&state=dead&limit=1&cursor=${first.next ?? ''}`),
  ).toMatchObject({
    ids: ['dlv_1'],
    next: null,
  });
  for (const query of ['state=lost', 'limit=0', 'cursor=x'])
    expect((await list(`?${query}`)).status).toBe(400);
});
