import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../../../testing/database';
import { createKey } from '../../access';
import type { Runtime } from '../../runtime';
import { createApp } from './app';

let database: TestDatabase;
let runtime: Runtime;
let key = '';

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  // The operator lists every host of this machine: Assay's own ports stay closed.
  const listed = [3000, 4318, new URL(database.url).port, 9999].flatMap((port) =>
    ['127.0.0.1', '[::1]', 'localhost', '0.0.0.0'].map((host) => `${host}:${port}`),
  );
  runtime = createTestRuntime(database.url, { ASSAY_OUTBOUND_ALLOW: listed.join(',') });
  const project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['read', 'write', 'ingest'] }));
});

afterAll(async () => {
  await runtime.close();
  await database.drop();
});

const ask = async (
  path: string,
  method = 'GET',
  body?: unknown,
  base = '',
  authorization = `Bearer ${key}`,
): Promise<Response> =>
  createApp(runtime, base).request(`${base}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

describe.each(['', '/api'])('under "%s"', (base) => {
  it('S-123 every answer says nosniff: pages, descriptions, errors, refusals, intake', async () => {
    const answers = [
      await ask('/docs', 'GET', undefined, base),
      await ask('/openapi.json', 'GET', undefined, base),
      await ask('/healthz', 'GET', undefined, base),
      await ask('/readyz', 'GET', undefined, base),
      await ask('/v1/settings', 'GET', undefined, base),
      await ask('/v1/settings', 'GET', undefined, base, 'Bearer wrong'),
      await ask('/v1/nothing-here', 'GET', undefined, base),
      await ask('/', 'GET', undefined, base),
      await ask('/v1/turns', 'POST', { turns: [] }, base),
      await ask('/v1/turns', 'POST', { turns: [] }, base, ''),
      await ask('/v1/rules/x', 'DELETE', undefined, base),
    ];
    for (const answer of answers)
      expect(answer.headers.get('x-content-type-options'), `${answer.status} ${answer.url}`).toBe(
        'nosniff',
      );
  });

  it('S-123 the reference page has a policy that permits its own style and nothing else', async () => {
    const answer = await ask('/docs', 'GET', undefined, base);
    const policy = answer.headers.get('content-security-policy') ?? '';
    const page = await answer.text();
    const style = /<style>([^<]*)<\/style>/.exec(page)?.[1] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    expect(policy).not.toContain('unsafe');
    expect(page).not.toMatch(/<script|\son\w+=|style="/);
  });
});

describe('S-123 an address of Assay itself', () => {
  const hosts = ['127.0.0.1', '[::1]', 'localhost', '0.0.0.0', '2130706433'];
  const places: readonly (readonly [field: string, save: (url: string) => Promise<Response>])[] = [
    ['url', (url) => ask('/v1/destinations', 'POST', { kind: 'webhook', name: 'w', url })],
    ['url', (url) => ask('/v1/destinations', 'POST', { kind: 'otlp', name: 'o', url })],
    [
      'url',
      (url) =>
        ask('/v1/destinations', 'POST', { kind: 'slack', name: 's', url: `${url}/services` }),
    ],
    [
      'base_url',
      (url) =>
        ask('/v1/providers/own', 'PUT', {
          kind: 'openai_compatible',
          base_url: url,
          api_key: null,
        }),
    ],
    ['upstream', (url) => ask('/v1/gateway/routes/own', 'PUT', { upstream: url })],
  ];

  it.each(places)(
    'S-123 is refused when it is saved as %s, whatever the operator lists',
    async (field, save) => {
      for (const host of hosts) {
        for (const port of ['3000', '4318', new URL(database.url).port]) {
          const answer = await save(`http://${host}:${port}/hook`);
          const { error } = (await answer.json()) as {
            error: { message: string; details: { path: string }[] };
          };
          expect({ host, port, status: answer.status, path: error.details[0]?.path }).toEqual({
            host,
            port,
            status: 422,
            path: field,
          });
          expect(error.message).toContain('a service of this installation');
        }
      }
      expect((await save('http://127.0.0.1:9999/hook')).status).toBeLessThan(300);
    },
  );
});
