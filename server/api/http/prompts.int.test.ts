import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type KeyScope } from '../../access';
import type { Runtime } from '../../runtime';

/** Runs on the first prompt of this release, independent of its content. */
let runtime: Runtime;
let slug = '';
let body = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
  const [prompt] = runtime.prompts.values();
  slug = prompt?.slug ?? '';
  body = prompt?.body ?? '';
});

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown> & {
    readonly error?: { readonly message: string; readonly details: readonly { path: string }[] };
  };
}

type Call = (
  method: string,
  path: string,
  sent?: unknown,
  headers?: Record<string, string>,
) => Promise<Reply>;

async function enter(scopes: readonly KeyScope[] = ['read', 'write']): Promise<Call> {
  const project = await createTestProject(runtime);
  const { key } = await createKey(project, { name: 'k', scopes: [...scopes] });
  return async (method, path, sent, headers = {}) => {
    const response = await appOf(runtime).request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
    });
    return { status: response.status, body: (await response.json()) as Reply['body'] };
  };
}

test('X-8 over HTTP: list, save, promote, read, roll back', async () => {
  const call = await enter();
  const list = await call('GET', '/v1/prompts');
  expect(list).toMatchObject({ status: 200, body: { next_cursor: null } });
  expect((list.body.data as { slug: string }[]).map((each) => each.slug)).toEqual([
    ...runtime.prompts.keys(),
  ]);

  const next = `${body}\nBe brief.`;
  const saved = await call('POST', `/v1/prompts/${slug}/versions`, {
    body: next,
    message: 'Brief',
  });
  expect(saved).toMatchObject({
    status: 201,
    body: {
      slug,
      version: 1,
      message: 'Brief',
      body: next,
      labels: [],
      created_at: expect.stringMatching(/Z$/),
    },
  });
  expect(await call('POST', `/v1/prompts/${slug}/versions`, { body: next })).toMatchObject({
    status: 200,
    body: { version: 1 },
  });
  expect((await call('GET', `/v1/prompts/${slug}`)).body).toMatchObject({
    production_version: 0,
    latest_version: 1,
    fell_back: null,
  });

  expect(await call('PUT', `/v1/prompts/${slug}/labels/production`, { version: 1 })).toEqual({
    status: 200,
    body: { slug, label: 'production', version: 1 },
  });
  const detail = await call('GET', `/v1/prompts/${slug}`);
  expect(detail.body).toMatchObject({
    production_version: 1,
    labels: { production: 1 },
    versions: [
      { version: 1, labels: ['production'] },
      { version: 0, labels: [], created_by: null, created_at: null },
    ],
  });
  expect((await call('GET', `/v1/prompts/${slug}/versions/0`)).body).toMatchObject({
    version: 0,
    body,
  });
  expect((await call('PUT', `/v1/prompts/${slug}/labels/production`, { version: 0 })).status).toBe(
    200,
  );
  expect((await call('GET', `/v1/prompts/${slug}`)).body.production_version).toBe(0);
});

test('X-10 a save repeated under an Idempotency-Key returns its first answer', async () => {
  const call = await enter();
  const send = (words: string) =>
    call(
      'POST',
      `/v1/prompts/${slug}/versions`,
      { body: `${body}${words}` },
      { 'idempotency-key': 'k-1' },
    );
  const first = await send('One.');
  expect(first.status).toBe(201);
  await call('POST', `/v1/prompts/${slug}/versions`, { body: `${body}Two.` });
  expect(await send('One.')).toEqual(first);
  expect((await send('Three.')).status).toBe(409);
});

const long = 'x'.repeat(64 * 1024 + 1);

test.each<[string, string, string, unknown, number, string]>([
  ['an empty prompt', 'POST', 'versions', { body: '' }, 422, 'body'],
  ['a prompt over 64 KiB', 'POST', 'versions', { body: long }, 422, 'body'],
  ['a prompt without a text', 'POST', 'versions', {}, 400, 'body'],
  ['a prompt that is no text', 'POST', 'versions', { body: 7 }, 400, 'body'],
  ['a field of its own', 'POST', 'versions', { body: 'x', model: 'gpt' }, 400, 'model'],
  ['a long message', 'POST', 'versions', { body: 'x', message: 'x'.repeat(501) }, 400, 'message'],
  ['a version that is not there', 'PUT', 'labels/production', { version: 99 }, 422, 'version'],
  ['a version below zero', 'PUT', 'labels/production', { version: -1 }, 400, 'version'],
  ['a version that is no number', 'PUT', 'labels/production', { version: '1' }, 400, 'version'],
  ['a label that is no name', 'PUT', 'labels/UP%20', { version: 0 }, 400, ''],
])(
  'X-8 %s is refused by name, and nothing changes',
  async (_name, method, path, sent, status, field) => {
    const call = await enter();
    const before = await call('GET', `/v1/prompts/${slug}`);
    const reply = await call(method, `/v1/prompts/${slug}/${path}`, sent);
    expect(reply.status, JSON.stringify(reply.body)).toBe(status);
    expect(reply.body.error?.details[0]?.path).toBe(field);
    expect(await call('GET', `/v1/prompts/${slug}`)).toEqual(before);
  },
);

test('X-8 the message contains the limit and the line', async () => {
  const call = await enter();
  const tooLong = await call('POST', `/v1/prompts/${slug}/versions`, { body: long });
  expect(tooLong.body.error?.message).toContain('at most 65536');
  const wrong = await call('POST', `/v1/prompts/${slug}/versions`, {
    body: `${body.trimEnd()}\n{{nobody}}`,
  });
  expect(wrong.body.error?.message).toContain(
    `line ${body.trimEnd().split('\n').length + 1}: {{nobody}}`,
  );
});

test('S-20 an invalid slug, and an invalid version, is 404; no prompt of a judge is created', async () => {
  const call = await enter();
  for (const path of [
    '..%2f..%2fetc%2fpasswd',
    '%00',
    'nobodys',
    'task%2Frubric',
    '__proto__',
    `${slug}.md`,
  ]) {
    expect((await call('GET', `/v1/prompts/${path}`)).status, path).toBe(404);
    const saved = await call('POST', `/v1/prompts/${path}/versions`, { body });
    expect([saved.status, saved.body.error?.details[0]?.path], path).toEqual([
      422,
      path === 'nobodys' ? 'body' : 'slug',
    ]);
    expect(
      (await call('PUT', `/v1/prompts/${path}/labels/production`, { version: 0 })).status,
      path,
    ).toBe(404);
  }
  for (const version of ['1', '-1', 'x', '0x0', '1e3', '99999999', '%20'])
    expect((await call('GET', `/v1/prompts/${slug}/versions/${version}`)).status, version).toBe(
      404,
    );
});

test('S-33 a key without the read scope learns nothing about a prompt', async () => {
  const call = await enter(['ingest', 'verify', 'gateway']);
  for (const path of ['', `/${slug}`, `/${slug}/versions/0`])
    expect((await call('GET', `/v1/prompts${path}`)).status).toBe(403);
  expect((await call('POST', `/v1/prompts/${slug}/versions`, { body })).status).toBe(403);
});
