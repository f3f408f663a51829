// Masking of recorded calls (S-129): masked values reach the provider, but no table, file or log of
// Assay.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { findSecretsIn } from '../../testing/canary';
import {
  answerJson,
  answerStream,
  type MockUpstream,
  startMockUpstream,
} from '../../testing/mock-upstream';
import { plantedIn, plantedValues } from '../../testing/planted';
import { type Edge, startEdge, startWorker } from '../../testing/processes';
import { sendRaw } from '../../testing/raw-answer';
import { createStack, type Stack } from '../../testing/stack';
import { until } from '../../testing/until';
import { createKey } from '../access';

let upstream: MockUpstream;
let stack: Stack;
let edge: Edge;
let worker: Awaited<ReturnType<typeof startWorker>>;
let key = '';
let dataDir = '';

const all = plantedValues.join(' ; ');
const answer = `The disk is 91.4% full, not 12%. Ask: ${all}`;
const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: 'gpt-4o', choices: [{ index: 0, delta: { content } }] })}\n\n`;
const completion = JSON.stringify({
  id: 'c1',
  object: 'chat.completion',
  model: `acme/${plantedValues[0] ?? ''}`,
  choices: [{ index: 0, message: { role: 'assistant', content: answer }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 },
});

beforeAll(async () => {
  [upstream, stack] = await Promise.all([
    startMockUpstream(answerJson(completion)),
    createStack(inject('databaseUrl')),
  ]);
  dataDir = mkdtempSync(join(tmpdir(), 'assay-masking-'));
  const variables = {
    ...stack.variables,
    ASSAY_LOG_LEVEL: 'info',
    ASSAY_OUTBOUND_ALLOW: new URL(upstream.origin).host,
    ASSAY_DATA_DIR: dataDir,
    ASSAY_REPLICA: 'edge',
  };
  [edge, worker] = await Promise.all([startEdge(variables), startWorker(variables)]);
  ({ key } = await createKey(stack.project, { name: 'gateway', scopes: ['gateway'] }));
  await api('PUT', '/v1/settings', {
    masking: {
      types: ['key', 'email', 'iban', 'card', 'phone'],
      regions: ['DE'],
      paths: ['$.metadata.user_id', '$.session_id'],
    },
  });
  await api('PUT', '/v1/verifiers/disks', {
    kind: 'checks',
    checks: [{ check: 'contains', value: 'nothing like it', must_pass: true }],
  });
  upstream.script((request) =>
    request.body.includes('"stream":true')
      ? answerStream([chunk(answer), 'data: [DONE]\n\n'])(request)
      : answerJson(completion)(request),
  );
});

afterAll(async () => {
  await stack?.close();
  await upstream?.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function api(method: string, path: string, body?: unknown) {
  const response = await fetch(edge.url + path, {
    method,
    headers: { authorization: `Bearer ${stack.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const read = (await response.json()) as Record<string, unknown>;
  expect(response.ok, JSON.stringify(read)).toBe(true);
  return read;
}

const routes = {
  observed: { integrity: { mode: 'observe' }, verify: null },
  held: { integrity: { mode: 'hold' }, verify: null },
  verified: {
    integrity: { mode: 'off' },
    verify: { verifier: 'disks', mode: 'hold', frequency: 1 },
  },
};

const call = (route: string, n: number, stream: boolean) =>
  sendRaw(Number(new URL(edge.url).port), {
    path: `/gateway/${route}/v1/chat/completions`,
    headers: [
      ['authorization', `Bearer ${key}`],
      // It contains a space, so that it is not a value of any type.
      ['x-assay-session', `Session ${n} of Ann`],
      ['x-assay-user', `Ann Lee ${plantedValues[0] ?? ''}`],
      ['x-assay-request-id', `${route}-${n} ${plantedValues[1] ?? ''}`],
    ],
    body: JSON.stringify({
      model: `acme/${plantedValues[0] ?? ''}`,
      ...(stream && { stream }),
      messages: [
        { role: 'system', content: all },
        { role: 'user', content: [{ type: 'text', text: `How full is it? ${all}` }] },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'call_1',
              type: 'function',
              function: { name: 'disk', arguments: JSON.stringify({ owner: plantedValues[0] }) },
            },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'call_1',
          content: JSON.stringify({ pct: 91.4, notes: plantedValues }),
        },
        // Large calls are recorded by a thread.
        ...(n % 2 === 0 ? [] : [{ role: 'user', content: `${'long '.repeat(20_000)}${all}` }]),
      ],
    }),
  });

const filesIn = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const file = join(folder, name);
    return statSync(file).isDirectory() ? filesIn(file) : [file];
  });

test('S-129 no table, file or log has a value of a recorded call', async () => {
  for (const [name, settings] of Object.entries(routes)) {
    await api('PUT', `/v1/gateway/routes/${name}`, {
      upstream: `${upstream.origin}/v1`,
      ...settings,
    });
    await until(`the route ${name}`, async () => {
      const { status } = await fetch(`${edge.url}/gateway/${name}/v1/models`, {
        headers: { authorization: `Bearer ${key}` },
      });
      return status === 200 ? true : null;
    });
    for (let n = 0; n < 4; n++) {
      const { status, body } = await call(name, n, n >= 2);
      expect(status).toBe(200);
      // The client gets the model's answer, with marks on unsupported figures.
      expect(plantedIn(body.toString().replaceAll('⚠️', '')), `${name} ${n}`).toEqual(plantedValues);
    }
  }
  expect(plantedIn(upstream.requests.map(({ body }) => body).join('\n')).length).toBe(
    plantedValues.length,
  );
  const { projectId } = stack.project;
  await until('all calls are stored', async () => {
    const [row] = await stack.sql`
      select count(*)::int as n from gateway_calls where project_id = ${projectId} and turn_id is not null`;
    return row?.n === 12 ? true : null;
  });
  await stack.drained();
  for (const value of plantedValues)
    expect([value, await findSecretsIn(stack.sql, [value])]).toEqual([value, []]);
  for (const file of filesIn(dataDir))
    expect(plantedIn(readFileSync(file, 'latin1')), file).toEqual([]);
  expect(plantedIn(edge.output() + worker.output())).toEqual([]);
}, 120_000);

test('a recorded call has the tokens of other input, and its figures keep their sources', async () => {
  const session = 'Session 0 of Ann';
  await api('POST', '/v1/turns', {
    turns: [{ id: 'sent', output: `Write to ${plantedValues[0]}`, session_id: session }],
  });
  const sent = await api('GET', '/v1/turns/sent');
  const [token = ''] = /\[email:[a-z]{12}\]/.exec(JSON.stringify(sent)) ?? [];
  const masked = String(sent.session_id);
  expect(masked).toMatch(/^\[masked:[a-z]{12}\]$/);
  const { data } = await api(
    'GET',
    `/v1/turns?source=gateway&session_id=${encodeURIComponent(masked)}`,
  );
  const turns = data as Record<string, unknown>[];
  expect(turns).toHaveLength(3);
  for (const turn of turns) {
    expect(turn.output).toContain(token);
    expect(turn.model).toBe(`acme/${token}`);
    expect(turn.metadata).toMatchObject({
      user_id: expect.stringMatching(/^\[masked:[a-z]{12}\]$/),
    });
    expect(JSON.stringify(turn.tools)).toContain('91.4');
  }
  expect(await findSecretsIn(stack.sql, [session])).toEqual([]);
});

test('values are counted by type and day', async () => {
  const rows = await stack.sql<{ type: string; replaced: number }[]>`
    select type, sum(replaced)::int as replaced from masked_values
    where project_id = ${stack.project.projectId} group by type`;
  const counts = Object.fromEntries(rows.map(({ type, replaced }) => [type, replaced]));
  expect(Object.keys(counts).sort()).toEqual(['card', 'email', 'iban', 'key', 'masked', 'phone']);
  // The user ids of 12 calls, and the session of a turn.
  expect(counts.masked).toBe(13);
});
