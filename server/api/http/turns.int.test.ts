import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { partBySize } from '../../ingest';
import { createApp } from './index';

let runtime: Runtime;
let project: ProjectCtx;
let key: string;
let app: ReturnType<typeof createApp>;

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  ({ key } = await createKey(project, {
    name: 'test',
    scopes: ['ingest', 'verify', 'read', 'write'],
  }));
  app = createApp(runtime);
});

const call = (
  path: string,
  init: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
) =>
  app.request(path, {
    method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...init.headers,
    },
    ...(init.body === undefined
      ? {}
      : { body: typeof init.body === 'string' ? init.body : JSON.stringify(init.body) }),
  });

test('a turn becomes a verdict', async () => {
  const response = await call('/v1/turns', {
    body: {
      turns: [
        {
          id: 't-1',
          model: 'openai/gpt-4o',
          output: 'web-1 is at 91.4% and 77 GB.',
          tools: [
            { id: 'tc1', name: 'disk', result: { rows: [{ host: 'web-1', disk_pct: 91.4 }] } },
          ],
        },
      ],
    },
  });
  expect(response.status).toBe(202);
  expect(await response.json()).toEqual({ accepted: 1, duplicates: 0, conflicts: 0, rejected: [] });
  expect(await drainWork(runtime)).toBe(1);
  const list = (await (await call('/v1/verifications?turn_id=t-1')).json()) as {
    data: { id: string; outcome: string }[];
  };
  expect(list.data).toHaveLength(1);
  const full = await (await call(`/v1/verifications/${list.data[0]?.id}`)).json();
  expect(full).toMatchObject({
    outcome: 'failed',
    verdict: 'unsourced',
    integrity: { unsourced: 1, mode: 'fallback_scan' },
  });
});

test('verify answers at once', async () => {
  const response = await call('/v1/verify/integrity', {
    body: {
      output: 'It is 91.4%.',
      tools: [{ id: 'tc1', name: 'disk', result: '{"rows":[{"disk_pct":91.40}]}' }],
    },
  });
  const reply = await response.json();
  expect(reply).toMatchObject({
    outcome: 'passed',
    score: 1,
    integrity: { figures: [{ source: { id: 'tc1', path: 'rows[0].disk_pct' } }] },
  });
  expect(response.status).toBe(200);
});

test('a repeated verify call with another spelling of the same body answers the same verdict; other content is 409', async () => {
  const first = await call('/v1/verify/integrity', {
    body: '{"id":"v-1","output":"5 of 5","tools":[{"id":"a","result":5}]}',
  });
  const again = await call('/v1/verify/integrity', {
    body: ' {"tools":[{"result":5,"id":"\\u0061"}],"output":"5 of 5", "id":"v-1"}',
  });
  const other = await call('/v1/verify/integrity', { body: '{"id":"v-1","output":"6 of 6"}' });
  expect([first.status, again.status, other.status]).toEqual([200, 200, 409]);
  expect(await again.json()).toEqual(await first.json());
});

test('a verifier by its version runs only while that version is the current one', async () => {
  const wanted = (verifier: string) =>
    call('/v1/verify/integrity', { body: { output: 'none', verifier } });
  expect((await wanted('integrity@1')).status).toBe(200);
  expect((await wanted('integrity@7')).status).toBe(422);
  expect((await wanted('code@1')).status).toBe(422);
});

test('a batch whose turns together exceed the memory limit is verified in parts and settled whole', async () => {
  const large = () => randomBytes(6 * 1024 * 1024).toString('base64');
  for (const batch of [0, 1, 2]) {
    const turns = Array.from({ length: 10 }, (_, i) => ({
      id: `part-${batch}-${i}`,
      output: 'no figures here',
      context: [{ id: 'c', content: i === 5 ? large() : 'small' }],
    }));
    expect((await call('/v1/turns', { body: { turns } })).status).toBe(202);
  }
  const keys = Array.from({ length: 30 }, (_, i) => ({
    projectId: project.projectId,
    subjectId: `part-${Math.floor(i / 10)}-${i % 10}`,
  }));
  const parts = await partBySize(runtime.ctx, keys);
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.flat()).toEqual(keys);
  expect(await drainWork(runtime)).toBe(30);
});

test.each<[string, unknown, string]>([
  ['a string that is no JSON', 'plain 33', 'plain 33⚠️'],
  ['JSON text without facts', '{"answer": "x 33"}', 'x 33⚠️'],
  ['an object without an answer', { z: 33 }, '{"z":33⚠️}'],
  ['a fact without a path', { answer: 'x 33', facts: [{ value: '33' }] }, 'x 33⚠️'],
])(
  'INT-6 a broken envelope without an output is scanned as text and delivered, never passed: %s',
  async (_, envelope, answer) => {
    const reply = await (await call('/v1/verify/integrity', { body: { envelope } })).json();
    expect(reply).toMatchObject({
      verdict: 'unsourced',
      integrity: { mode: 'fallback_scan', parse_ok: false, unsourced: 1, answer },
    });
  },
);

test('INT-11 switched off, an answer passes byte for byte, including characters that storage cannot keep', async () => {
  const other = await createTestProject(runtime);
  const { key: otherKey } = await createKey(other, { name: 'off', scopes: ['verify', 'write'] });
  const headers = { authorization: `Bearer ${otherKey}` };
  await call('/v1/settings', { method: 'PUT', body: { integrity_enabled: false }, headers });
  const output = 'x 33 \u0000 and \ud800 and 91.4%';
  const reply = (await (
    await call('/v1/verify/integrity', { body: { output }, headers })
  ).json()) as { integrity: { answer: string } };
  expect(reply).toMatchObject({ outcome: 'skipped', integrity: { fields: null } });
  expect(reply.integrity.answer).toBe(output);
});

test('a threshold out of range is refused by name', async () => {
  const response = await call('/v1/verify/integrity', { body: { output: 'none', threshold: 2 } });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({ error: { details: [{ path: 'threshold' }] } });
});
