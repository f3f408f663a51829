import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { appOf } from '../../../testing/app';
import {
  createTestDatabase,
  createTestProject,
  createTestRuntime,
  type TestDatabase,
} from '../../../testing/database';
import {
  type ScriptedCall,
  type ScriptedLlm,
  startScriptedLlm,
  textOf,
} from '../../../testing/scripted-llm';
import { createKey, type ProjectCtx } from '../../access';
import { httpRoutes } from '../../api/http';
import { putProvider } from '../../llm';
import { claimSlowWork } from '../../queue';
import type { Runtime } from '../../runtime';
import { verifyClaimed } from '../verify';

/**
 * A judge's words are only text: they are never followed, and only people with read access get
 * them.
 */

let database: TestDatabase;
let runtime: Runtime;
let llm: ScriptedLlm;
let project: ProjectCtx;
let lure: { readonly origin: string; readonly hits: string[]; close(): Promise<void> };
let nonce = '';
let reasoning = '';

beforeAll(async () => {
  [llm, lure] = await Promise.all([startScriptedLlm(), startLure()]);
  database = await createTestDatabase(inject('databaseUrl'));
  // The operator allows even the address in the text, so only a missing request proves the
  // protection.
  runtime = createTestRuntime(database.url, {
    ASSAY_OUTBOUND_ALLOW: [llm.origin, lure.origin].map((origin) => new URL(origin).host).join(','),
  });
  project = await createTestProject(runtime);
  await putProvider(project, 'one', {
    kind: 'openai',
    base_url: llm.baseUrl,
    api_key: 'sk-test',
    models: ['gpt-4o-mini'],
    enabled: true,
  });
  reasoning = `![x](${lure.origin}/a?q=swordfish) <img src="${lure.origin}/b"> [c](${lure.origin}/c) ${lure.origin}/d`;
  llm.answerWith(reply);
});

afterAll(async () => {
  await runtime?.close();
  await database?.drop();
  await Promise.all([llm?.close(), lure?.close()]);
});

async function startLure(): Promise<typeof lure> {
  const hits: string[] = [];
  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    origin: `http://127.0.0.1:${port}`,
    hits,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

function reply({ body }: ScriptedCall): { readonly text: string } {
  nonce = /<data nonce="([0-9a-f]{32})"/.exec(textOf(body))?.[1] ?? '';
  const criteria = [{ criterion: 1, reasoning, quotes: [], met: true, confidence: 0.9 }];
  return { text: JSON.stringify({ nonce, criteria, suggestions: [], confidence: 0.9 }) };
}

async function callWith(scopes: Parameters<typeof createKey>[1]['scopes']) {
  const { key } = await createKey(project, { name: scopes.join(' '), scopes });
  return async (
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; text: string }> => {
    const response = await appOf(runtime).request(path, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    return { status: response.status, text: await response.text() };
  };
}

const task = {
  success_criteria: ['Is clear'],
  scoring_mode: 'binary',
  executor_model: 'google/gemini-2.5-pro',
};

let serial = 0;

async function judgeOne(): Promise<string> {
  const call = await callWith(['verify']);
  const body = { ...task, task_output: `The password is swordfish ${++serial}.`, wait_ms: 0 };
  const { id } = JSON.parse((await call('POST', '/v1/verify/task', body)).text) as { id: string };
  const work = await claimSlowWork(runtime.ctx, {
    owner: 'slow',
    projectId: project.projectId,
    id,
  });
  if (work === null) throw new Error('nothing waits for the slow lane');
  await verifyClaimed(runtime.ctx, runtime.subjects, {
    owner: 'slow',
    claimed: [work],
    signal: new AbortController().signal,
    asks: true,
  });
  return id;
}

test("S-32 images and links in a judge's text are stored as text, and never fetched", async () => {
  const id = await judgeOne();
  const read = await callWith(['read']);
  const { status, text } = await read('GET', `/v1/verifications/${id}`);
  expect(status).toBe(200);
  expect(
    (JSON.parse(text) as { scores: { reasoning: string | null }[] }).scores.map(
      (score) => score.reasoning,
    ),
  ).toContain(reasoning);
  for (const path of ['/v1/verifications', '/v1/decisions', '/v1/metrics/verifiers'])
    await read('GET', path);
  expect(lure.hits).toEqual([]);
});

test.each(['ingest', 'verify', 'gateway'] as const)(
  'S-33 a key of scope %s reads no rubric, prompt, code or reason',
  async (scope) => {
    const id = await judgeOne();
    const call = await callWith([scope]);
    const secrets = [
      reasoning,
      'swordfish',
      nonce,
      runtime.prompts.get('task-binary')?.body.slice(-200) ?? '',
    ];
    expect(secrets.map((secret) => secret.length > 5)).toEqual([true, true, true, true]);
    const routes = httpRoutes.filter((route) => route.scope === 'read');
    expect(routes.length).toBeGreaterThan(10);
    for (const { method, path } of routes) {
      const at = path
        .replace('{id}', id)
        .replace('{slug}', 'task-binary')
        .replace('{version}', '0')
        .replace('{verifier}', 'task');
      const { status, text } = await call(
        method.toUpperCase(),
        at,
        method === 'get' ? undefined : {},
      );
      expect(status, at).toBe(403);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  },
);

test('S-33 the code of a question is in no response', async () => {
  const id = await judgeOne();
  const read = await callWith(['read']);
  expect(nonce).toMatch(/^[0-9a-f]{32}$/);
  for (const path of [
    `/v1/verifications/${id}`,
    '/v1/verifications',
    '/v1/prompts/task-binary',
    '/v1/verifiers/task',
  ])
    expect((await read('GET', path)).text).not.toContain(nonce);
});
