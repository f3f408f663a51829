// Sends the examples of the API reference to a server. With ASSAY_RECORD_EXAMPLES=1 it writes the
// server's answers to route-answers.json, which the reference shows. With ASSAY_RECORD_DUMP=FILE it
// then backs up the resulting data, for the tests of upgrades.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { createKey, type ProjectCtx } from '../../server/access';
import { httpRoutes } from '../../server/api/http';
import { writeBackup } from '../../server/lifecycle';
import type { Runtime } from '../../server/runtime';
import { appOf } from '../../testing/app';
import {
  createTestDatabase,
  createTestLabelledTask,
  createTestMember,
  createTestProject,
  createTestRuntime,
  drainJobs,
  drainWork,
  type TestDatabase,
} from '../../testing/database';
import { finishBaseline, insertScheduleResults } from '../../testing/example-rows';
import { sampleTurn } from '../../testing/stack';
import { root } from '../data-dir.mjs';
import { type RouteExample, routeExamples } from './route-examples';

const file = join(root, 'scripts', 'docs', 'route-answers.json');
const Answers = z.record(z.string(), z.object({ status: z.number(), answer: z.unknown() }));

let database: TestDatabase;
let runtime: Runtime;
let project: ProjectCtx;
let key = '';

beforeAll(async () => {
  database = await createTestDatabase(inject('databaseUrl'));
  runtime = createTestRuntime(database.url);
  project = await createTestProject(runtime, 'ops');
  ({ key } = await createKey(project, {
    name: 'examples',
    scopes: ['ingest', 'verify', 'read', 'write', 'gateway'],
  }));
});

afterAll(async () => {
  await runtime.close();
  await database.drop();
});

/** `data.0.id` of an answer. */
function valueAt(answer: unknown, path: string): string {
  let at: unknown = answer;
  for (const name of path.split('.'))
    at =
      typeof at === 'object' && at !== null
        ? Object.entries(at).find(([k]) => k === name)?.[1]
        : at;
  return typeof at === 'string' ? at : '';
}

async function send(
  { route, path, body, raw }: RouteExample,
  saved: ReadonlyMap<string, string>,
): Promise<{ status: number; answer: unknown }> {
  const fill = (text: string): string =>
    text.replace(/\$(\w+)/g, (_, name: string) => saved.get(name) ?? `$${name}`);
  const [method = ''] = route.split(' ');
  const filled = JSON.stringify(body, (_, value: unknown) =>
    typeof value === 'string' && value === '$prompt' ? `${saved.get('prompt') ?? ''}\n` : value,
  );
  const response = await appOf(runtime).request(fill(path), {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': raw?.type ?? 'application/json',
    },
    ...(body === undefined && raw === undefined ? {} : { body: raw?.text ?? filled }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, answer: isJson ? (JSON.parse(text) as unknown) : text };
}

/** With a member who can sign in, and with work that waits for a worker. */
async function recordDump(out: string): Promise<void> {
  await createTestMember(runtime, project, 'owner');
  const turns = ['waiting-1', 'waiting-2', 'waiting-3'].map((id) => sampleTurn(id));
  await appOf(runtime).request('/v1/turns', {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ turns }),
  });
  await writeBackup(runtime.ctx, out);
}

test('each route has one example', () => {
  expect(routeExamples.map(({ route }) => route).toSorted()).toEqual(
    httpRoutes.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
  );
});

test('the server accepts every example, and answers with the members that the reference shows', async () => {
  const saved = new Map<string, string>();
  const seen: Record<string, { status: number; answer: unknown }> = {};
  const refused: unknown[] = [];
  const dump = process.env['ASSAY_RECORD_DUMP'];
  for (const example of routeExamples) {
    // A dump preserves the data that the last examples delete.
    if (dump !== undefined && example.route.startsWith('DELETE')) continue;
    if (example.route === 'GET /v1/deliveries') await insertScheduleResults(runtime, project);
    if (example.route.endsWith('/trials')) await createTestLabelledTask(runtime, project);
    const got = await send(example, saved);
    const { route, status = 200, save = {}, drain } = example;
    const wanted =
      route.startsWith('DELETE') || route === 'POST /v1/deletions' ? [200, 202] : [status];
    if (!wanted.includes(got.status)) refused.push({ route, ...got });
    for (const [name, path] of Object.entries(save)) saved.set(name, valueAt(got.answer, path));
    if (drain) await drainWork(runtime);
    if (route.endsWith('/finish')) await drainJobs(runtime);
    if (route === 'GET /v1/experiments/{id}')
      saved.set('baseline', await finishBaseline(runtime, project));
    seen[route] = got;
  }
  expect(refused).toEqual([]);
  if (process.env['ASSAY_RECORD_EXAMPLES'] === '1') {
    delete seen['GET /openapi.json'];
    writeFileSync(file, `${JSON.stringify(seen, null, 2).replace(/whsec_[\w+/=]+/g, 'whsec_…')}\n`);
  }
  if (dump !== undefined) {
    await recordDump(join(root, dump));
    return;
  }
  const shown = Answers.parse(JSON.parse(readFileSync(file, 'utf8')));
  const members = (answer: unknown): string[] =>
    typeof answer === 'object' && answer !== null ? Object.keys(answer).toSorted() : [];
  for (const [route, { answer }] of Object.entries(shown))
    expect(members(seen[route]?.answer), route).toEqual(members(answer));
});
