// The paths and headers of clients of other products.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { intakePaths } from './intake';
import { intakeAliases, keyHeaders } from './intake-paths';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, { name: 'foreign', scopes: ['ingest'] }));
});

const pair = (password: string): string => `Basic ${btoa(`public:${password}`)}`;
const forms: Readonly<Record<string, (key: string) => Record<string, string>>> = {
  'Authorization: Bearer': (sent) => ({ authorization: `Bearer ${sent}` }),
  'Authorization: Basic': (sent) => ({ authorization: pair(sent) }),
  ...Object.fromEntries(keyHeaders.map((name) => [name, (sent: string) => ({ [name]: sent })])),
};

/** A span at an intake path; returns the status and whether the span was stored. */
async function sendSpan(
  base: string,
  path: string,
  headers: Record<string, string>,
): Promise<[status: number, stored: number]> {
  const traceId = randomBytes(16).toString('hex');
  const span = { traceId, spanId: randomBytes(8).toString('hex'), name: 'a span' };
  const response = await appOf(runtime, base).request(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }),
  });
  const stored = await runtime.ctx.sql`
    select 1 from trace_segments where project_id = ${project.projectId} and trace_id = ${traceId}`;
  return [response.status, stored.length];
}

const paths = [...intakePaths].flatMap(([path, route]) => (route === '/v1/traces' ? [path] : []));
const cases = paths.flatMap((path) => Object.keys(forms).map((form) => [path, form] as const));

test.each(cases)('spans at %s with the key as %s are stored', async (path, form) => {
  const headers = forms[form]?.(key) ?? {};
  expect(await sendSpan('', path, headers)).toEqual([200, 1]);
  const other = key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');
  expect(await sendSpan('', path, forms[form]?.(other) ?? {})).toEqual([401, 0]);
});

test.each(paths)('spans at %s below /api are stored', async (path) => {
  const at = path.startsWith('/api/') ? path : `/api${path}`;
  expect(await sendSpan('/api', at, { 'x-api-key': key })).toEqual([200, 1]);
});

test.each(
  intakeAliases.flatMap(({ path, route }) =>
    route === '/v1/traces' ? [] : [[path, route] as const],
  ),
)('%s answers as %s', async (path, route) => {
  const [own, alias] = await Promise.all(
    [route, path].map(async (at) => {
      const response = await appOf(runtime).request(at, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}] }] }] }),
      });
      return [response.status, await response.json()];
    }),
  );
  expect(alias).toEqual(own);
  expect(alias?.[0]).toBe(200);
});

test('a header of another client never replaces an Authorization', async () => {
  for (const authorization of ['Bearer asy_none', pair('asy_none'), 'Bearer ', 'Basic !', key])
    expect(await sendSpan('', '/v1/traces', { authorization, 'x-api-key': key })).toEqual([401, 0]);
});

test.each(keyHeaders)('%s is no key for turns and for other routes', async (name) => {
  for (const [method, path] of [
    ['POST', '/v1/turns'],
    ['GET', '/v1/traces'],
  ] as const) {
    const response = await appOf(runtime).request(path, { method, headers: { [name]: key } });
    expect([path, response.status]).toEqual([path, 401]);
  }
});

test('the reference lists every path and every header', () => {
  const page = readFileSync('docs/reference/opentelemetry.md', 'utf8');
  for (const path of intakePaths.keys())
    if (path !== '/v1/turns' && !path.includes('otel/')) expect(page).toContain(`\`${path}\``);
  for (const { path, route, clients } of intakeAliases)
    if (route === '/v1/traces')
      expect(page.replaceAll(/ +/g, ' ')).toContain(`| \`${path}\` | ${clients} |`);
  for (const name of keyHeaders) expect(page.toLowerCase()).toContain(`\`${name}\``);
});
