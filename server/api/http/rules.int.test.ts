import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainJobs, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest', 'read', 'write'] }));
});

async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: unknown }> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const send = (ids: readonly string[]) =>
  call('POST', '/v1/turns', {
    turns: ids.map((id) => ({ id, model: 'm', context: SOME_CONTEXT, output: 'It is 42 %.' })),
  });

test('X-10 a rule reads back as it was written, and applies to the next turn', async () => {
  const written = await call('PUT', '/v1/rules/integrity', {
    verifier: 'integrity',
    target: 'turn',
    filter: { model: ['n', 'o*'], metadata: { team: 'ops' } },
    sampling: 0.5,
    delay_seconds: 5,
    daily_budget: 100,
    enabled: true,
  });
  expect(written).toMatchObject({
    status: 200,
    body: {
      name: 'integrity',
      version: 2,
      verifier: 'integrity',
      target: 'turn',
      filter: { model: ['n', 'o*'], metadata: { team: 'ops' } },
      sampling: 0.5,
      delay_seconds: 5,
      daily_budget: 100,
      enabled: true,
      spent_today: 0,
      decisions: {},
    },
  });
  expect(await call('GET', '/v1/rules/integrity')).toEqual(written);
  await send(['t-1']);
  expect(await call('GET', '/v1/decisions?subject_id=t-1')).toMatchObject({
    status: 200,
    body: {
      data: [
        {
          subject_id: 't-1',
          subject_kind: 'turn',
          revision: 1,
          rule: 'integrity',
          rule_version: 2,
          verifier: 'integrity',
          state: 'filtered',
          reason: 'model: "m" is not "n" or "o*"',
          verification_id: null,
          settled: true,
        },
      ],
      next_cursor: null,
    },
  });
  expect(await call('GET', '/v1/rules')).toMatchObject({
    body: { data: [{ name: 'integrity', decisions: { filtered: 1 } }], next_cursor: null },
  });
  expect(await call('DELETE', '/v1/rules/integrity')).toEqual({
    status: 200,
    body: { name: 'integrity' },
  });
  expect((await call('GET', '/v1/rules/integrity')).status).toBe(404);
  await send(['t-2']);
  expect(await call('GET', '/v1/decisions?subject_id=t-2')).toMatchObject({ body: { data: [] } });
});

test.each<[string, string, unknown, number, string]>([
  ['an unknown clause', 'r', { verifier: 'integrity', filter: { modle: 'x' } }, 400, 'modle'],
  ['an unknown member', 'r', { verifier: 'integrity', rate: 1 }, 400, 'rate'],
  ['a share beyond all', 'r', { verifier: 'integrity', sampling: 1.1 }, 400, 'sampling'],
  ['no verifier', 'r', {}, 400, 'verifier'],
  ['a name that is none', 'R%20r', { verifier: 'integrity' }, 400, 'name'],
  ['a target that is none', 'r', { verifier: 'integrity', target: 'span' }, 400, 'target'],
  ['a target of others', 'r', { verifier: 'integrity', target: 'session' }, 422, 'target'],
  ['a verifier that is not there', 'r', { verifier: 'nothing' }, 422, 'verifier'],
])('R-100 a rule with %s is refused by name', async (_what, name, body, status, path) => {
  const reply = await call('PUT', `/v1/rules/${name}`, body);
  expect(reply.status).toBe(status);
  expect(JSON.stringify(reply.body)).toContain(path);
  expect((await call('GET', '/v1/rules')).body).toMatchObject({
    data: [{ name: 'integrity', version: 1 }],
  });
});

test('X-10 a backfill is a job, and the turns it sent are verified', async () => {
  await call('PUT', '/v1/rules/integrity', { verifier: 'integrity', enabled: false });
  await send(['t-1', 't-2', 't-3']);
  expect((await call('POST', '/v1/rules/integrity/backfill', {})).status).toBe(422);
  await call('PUT', '/v1/rules/integrity', { verifier: 'integrity' });
  const started = await call('POST', '/v1/rules/integrity/backfill', {
    from: '2020-01-01T00:00:00Z',
  });
  expect(started).toMatchObject({
    status: 202,
    body: { kind: 'rules.backfill', state: 'waiting', done: 0, errors: [], finished_at: null },
  });
  await drainJobs(runtime);
  const { id } = started.body as { id: string };
  const job = await call('GET', `/v1/jobs/${id}`);
  expect(job).toMatchObject({
    body: {
      state: 'done',
      done: 3,
      total: 3,
      error_count: 0,
      result: { decided: { run: 3 }, known: 0 },
    },
  });
  expect(await drainWork(runtime)).toBe(3);
  expect(await call('GET', '/v1/decisions?rule=integrity&state=run&limit=2')).toMatchObject({
    body: {
      data: [{ state: 'run', settled: true }, { state: 'run' }],
      next_cursor: expect.any(String) as unknown,
    },
  });
});

test.each([
  '',
  '?state=run',
  '?subject_id=',
  '?subject_id=t&state=nothing',
  '?subject_id=t&limit=201',
  '?subject_id=t&cursor=x',
  '?subject_id=%00',
])('S-19 GET /v1/decisions%s is refused', async (query) => {
  expect((await call('GET', `/v1/decisions${query}`)).status).toBe(400);
});

test.each(['ot*', 'edge', ['api', 'edge'], [], null])(
  'R-100 the filter origin %j is refused with the allowed values',
  async (origin) => {
    const message = '`filter.origin` must be one of api, otlp, import, gateway, or a list of them.';
    expect(
      await call('PUT', '/v1/rules/integrity', { verifier: 'integrity', filter: { origin } }),
    ).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'filter.origin', message }] } },
    });
  },
);

test.each(['otlp', ['api', 'import']])('X-10 the filter origin %j is accepted', async (origin) => {
  const filter = { origin };
  expect(await call('PUT', '/v1/rules/integrity', { verifier: 'integrity', filter })).toMatchObject(
    { status: 200, body: { filter } },
  );
});
