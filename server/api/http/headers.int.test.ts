import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { appOf } from '../../../testing/app';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../../../testing/database';
import { createKey } from '../../access';
import { SOME_CONTEXT } from '../../../testing/some-context';
import type { Runtime } from '../../runtime';

let database: TestDatabase;
let runtime: Runtime;
let key = '';

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  // Even if the operator lists every host of this machine, Assay's own ports stay closed.
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
  appOf(runtime, base).request(`${base}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

/** Answers of every sort: pages, descriptions, downloads, errors, refusals, intake. */
const answersOf = async (base: string): Promise<readonly Response[]> => [
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
  await ask('/v1/turns/hostile', 'GET', undefined, base),
  await ask('/v1/reports/none.md', 'GET', undefined, base),
  await ask('/v1/destinations/none/actions', 'POST', {}, base),
];

describe.each(['', '/api'])('under "%s"', (base) => {
  it('S-123 every answer has nosniff: pages, descriptions, errors, refusals, intake', async () => {
    const answers = await answersOf(base);
    for (const answer of answers)
      expect(answer.headers.get('x-content-type-options'), `${answer.status} ${answer.url}`).toBe(
        'nosniff',
      );
  });

  it('S-56 S-57 every answer has a policy: an answer that is not a page loads, runs and frames nothing', async () => {
    for (const answer of await answersOf(base)) {
      const where = `${answer.status} ${answer.url}`;
      const policy = new Map(
        (answer.headers.get('content-security-policy') ?? '').split('; ').map((rule) => {
          const [name = '', ...values] = rule.split(' ');
          return [name, values.join(' ')];
        }),
      );
      expect(policy.get('default-src'), where).toBe("'none'");
      expect(policy.get('base-uri'), where).toBe("'none'");
      expect(policy.get('frame-ancestors'), where).toBe("'none'");
      const isPage = answer.headers.get('content-type')?.startsWith('text/html') === true;
      expect(policy.has('sandbox'), where).toBe(!isPage);
      expect(answer.headers.get('content-security-policy'), where).not.toContain('unsafe');
    }
  });

  it('S-57 a stored page comes back as data, whatever the client accepts', async () => {
    const text = '<!doctype html><svg onload="alert(1)"><script>alert(1)</script></svg>';
    const stored = await ask(
      '/v1/turns',
      'POST',
      { turns: [{ id: 'page', context: SOME_CONTEXT, output: text }] },
      base,
    );
    expect(stored.status).toBe(202);
    for (const accept of ['text/html', 'image/svg+xml', 'application/pdf', '*/*']) {
      for (const path of ['/v1/turns/page', '/v1/turns?limit=1', `/v1/turns/page?x=<script>`]) {
        const answer = await appOf(runtime, base).request(`${base}${path}`, {
          headers: { authorization: `Bearer ${key}`, accept },
        });
        expect(answer.headers.get('content-type'), path).toMatch(/^application\/json\b/);
        expect(answer.headers.get('content-security-policy'), path).toContain('sandbox');
      }
    }
    expect(await (await ask('/v1/turns/page', 'GET', undefined, base)).text()).toContain('onload');
  });

  it('S-61 no answer allows another origin to read it, also not before a request', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost:3000']) {
      for (const [path, method] of [
        ['/v1/turns', 'OPTIONS'],
        ['/v1/turns', 'GET'],
        ['/v1/turns', 'POST'],
        ['/v1/traces', 'OPTIONS'],
        ['/mcp', 'OPTIONS'],
        ['/openapi.json', 'GET'],
        ['/healthz', 'GET'],
        ['/docs', 'GET'],
        ['/nowhere', 'GET'],
      ] as const) {
        const answer = await appOf(runtime, base).request(`${base}${path}`, {
          method,
          headers: {
            origin,
            authorization: `Bearer ${key}`,
            'access-control-request-method': 'POST',
            'access-control-request-headers': 'authorization, content-type',
          },
        });
        const names = [...answer.headers.keys()].filter((name) =>
          name.startsWith('access-control'),
        );
        expect(names, `${method} ${path} from ${origin}`).toEqual([]);
      }
    }
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
