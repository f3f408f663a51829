import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
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
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest'] }));
});

async function post(
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const response = await appOf(runtime).request(path, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

const send = (outcomes: unknown[], headers: Record<string, string> = {}) =>
  post('/v1/outcomes', { outcomes }, headers);
const labels = async () =>
  (
    await runtime.ctx
      .sql`select id, kind, subject_id, verdict_id, success, score, source, note, created_by from labels
      where project_id = ${project.projectId} order by id`
  ).map((row) => ({ ...row }));
const taken = (accepted: number, duplicates: number, rejected: unknown[] = []) => ({
  status: 202,
  body: { accepted, duplicates, rejected },
});

test('X-10 the same outcome again is a duplicate, other content under its id is refused, and nothing is edited', async () => {
  const outcome = {
    id: 'o-1',
    subject_id: 's-1',
    success: true,
    score: null,
    source: 'ci',
    note: 'green',
  };
  expect(await send([outcome])).toEqual(taken(1, 0));
  const [stored] = await labels();
  expect(stored).toEqual({ ...outcome, kind: 'outcome', verdict_id: null, created_by: 'key "k"' });
  expect(await send([outcome])).toEqual(taken(0, 1));
  expect(await send([{ ...outcome, success: false }])).toMatchObject({
    status: 409,
    body: { error: { code: 'conflict' } },
  });
  expect(
    await send([
      { ...outcome, success: false },
      { id: 'o-2', subject_id: 's-1', score: 0.5 },
    ]),
  ).toEqual(
    taken(1, 0, [
      { index: 0, code: 'conflict', message: '`id` was used before with other content: "o-1".' },
    ]),
  );
  expect((await labels())[0]).toEqual(stored);
  expect(await labels()).toHaveLength(2);
});

test('X-10 one id twice in a request is one label', async () => {
  const outcome = { id: 'o-1', subject_id: 's-1', success: true };
  expect(await send([outcome, outcome, { ...outcome, success: false }])).toMatchObject(
    taken(1, 1, [{ index: 2, code: 'conflict' }]),
  );
});

test('R-83 a bad item does not affect the others, and is kept with the reason', async () => {
  const reply = await send([
    { subject_id: 's', success: 'yes' },
    { subject_id: 's' },
    { success: true },
    { subject_id: 's', score: 1.5 },
    { verification_id: 'ver_nobodys', success: true },
    null,
    { subject_id: 's', success: false },
  ]);
  expect(reply).toMatchObject(
    taken(1, 0, [
      { index: 0, code: 'invalid' },
      {
        index: 1,
        code: 'invalid',
        message: '`success` is required, or `score`.',
      },
      {
        index: 2,
        code: 'invalid',
        message: '`subject_id` is required, or `verification_id`, or `turn_id`.',
      },
      { index: 3, code: 'invalid' },
      { index: 4, code: 'not_found' },
      { index: 5, code: 'invalid' },
    ]),
  );
  const letters = await runtime.ctx
    .sql`select 1 from dead_letters where project_id = ${project.projectId} and route = '/v1/outcomes'`;
  expect(letters).toHaveLength(6);
});

test('X-10 a verification or a turn names its subject, and another tenant has neither', async () => {
  await post('/v1/turns', { turns: [{ id: 't-1', context: SOME_CONTEXT, output: 'It is 42 %.' }] });
  const [work] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from work where project_id = ${project.projectId}`;
  const verification = work?.id ?? '';
  expect(await send([{ id: 'a', verification_id: verification, success: true }])).toEqual(
    taken(1, 0),
  );
  await drainWork(runtime);
  expect(
    await send([
      { id: 'b', verification_id: verification, success: true },
      { id: 'c', turn_id: 't-9', success: true },
    ]),
  ).toEqual(taken(2, 0));
  expect(await labels()).toMatchObject([
    { id: 'a', subject_id: 't-1', verdict_id: verification },
    { id: 'b', subject_id: 't-1', verdict_id: verification },
    { id: 'c', subject_id: 't-9', verdict_id: null },
  ]);
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, { name: 'k', scopes: ['ingest'] }));
  expect(await send([{ verification_id: verification, success: true }])).toMatchObject(
    taken(0, 0, [{ code: 'not_found' }]),
  );
});

test('X-10 names of different subjects are refused, those of one subject are accepted', async () => {
  await post('/v1/turns', { turns: [{ id: 't-1', context: SOME_CONTEXT, output: 'It is 42 %.' }] });
  const [work] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from work where project_id = ${project.projectId}`;
  const verification_id = work?.id ?? '';
  const reply = await send([
    { subject_id: 't-1', turn_id: 't-1', verification_id, success: true },
    { subject_id: 't-1', turn_id: 't-2', success: true },
    { subject_id: 't-2', verification_id, success: true },
    { turn_id: 't-2', verification_id, success: true },
    { turn_id: 't-1', subject_id: null, verification_id, success: true },
  ]);
  const of = (name: string) =>
    `\`verification_id\` belongs to another subject than \`${name}\`; send one of them.`;
  expect(reply).toEqual(
    taken(2, 0, [
      {
        index: 1,
        code: 'invalid',
        message: '`turn_id` names another subject than `subject_id`; send one of them.',
      },
      { index: 2, code: 'invalid', message: of('subject_id') },
      { index: 3, code: 'invalid', message: of('turn_id') },
    ]),
  );
});

test('X-10 under an Idempotency-Key outcomes without ids are the same ones when sent again', async () => {
  const outcomes = [
    { subject_id: 's', success: true },
    { subject_id: 's', success: true },
  ];
  expect(await send(outcomes, { 'idempotency-key': 'k' })).toEqual(taken(2, 0));
  await runtime.ctx.sql`delete from idempotency_keys`;
  expect(await send(outcomes, { 'idempotency-key': 'k' })).toEqual(taken(0, 2));
  expect(await send(outcomes)).toEqual(taken(2, 0));
  expect(await labels()).toHaveLength(4);
});

test('S-19 texts that PostgreSQL does not accept are cleaned, and a body that is not a list of outcomes is refused whole', async () => {
  expect(
    await send([{ id: 'a\u0000', subject_id: '\u0000', success: true, note: '\ud800' }]),
  ).toEqual(taken(1, 0));
  for (const body of ['{', '[]', '{}', '{"outcomes":{}}', 'null'])
    expect((await post('/v1/outcomes', body)).status).toBe(400);
});
