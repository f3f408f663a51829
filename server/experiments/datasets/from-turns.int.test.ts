// Items made from stored turns: contents as stored, references of people, and deletion with the turn.
import { beforeEach, expect } from 'vitest';
import { createCaller, type Json } from '../../../testing/call';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { createKey, type ProjectCtx } from '../../access';
import type { Runtime } from '../../runtime';
import { findVerdictTurns } from '../../verdicts';
import { addItemsFromTurns } from './add-from-turns';
import { findTurnLinks } from './find-turn-links';

let runtime: Runtime;
let project: ProjectCtx;
let call: ReturnType<typeof createCaller>;

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

const tools = '[{"id":"c1","name":"disk","arguments":{"n":1.0},"result":{"pct":91.40}}]';
const turnText = (id: string, more = '') =>
  `{"id":"${id}","session_id":"s-${id}","model":"m-1","input":"How full?","tools":${tools},"output":"It is at ${id}5%."${more}}`;

beforeEach(async () => {
  project = await createTestProject(runtime);
  const { key } = await createKey(project, {
    name: 'k',
    scopes: ['ingest', 'verify', 'read', 'write'],
  });
  call = createCaller(runtime, key);
  await call('/v1/datasets/d', { name: 'D' }, {}, 'PUT');
  const turns = [turnText('1'), turnText('2'), turnText('3'), '{"id":"4","output":"No input."}'];
  expect((await call('/v1/turns', `{"turns":[${turns.join(',')}]}`)).status).toBe(202);
  await drainWork(runtime);
});

const from = (body: Json) => call('/v1/datasets/d/items/from', body);
const list = async (version: number) => call(`/v1/datasets/d/versions/${version}/items`);
const rule = (turn: string, verdict: string) =>
  call('/v1/labels', { turn_id: turn, verifier: 'integrity', verdict, reason: 'Seen.' });

test.for([
  ['filter.foo', { filter: { foo: 'bad' } }],
  ['filter.verifeir', { filter: { verifeir: 'integrity' } }],
  ['filter.limit', { filter: { limit: 1 } }],
] as const)('an unknown name in the filter is refused: %s', async ([path, body]) => {
  const reply = await from(body);
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining(path)]);
});

test('turns become items as stored, once; unknown ones are rejected', async () => {
  const body = { turns: ['1', 'nobodys', '4'], reference: 'output', split: 'dev', tags: ['a'] };
  const first = await from(body);
  expect(first).toMatchObject({
    status: 201,
    body: {
      version: 1,
      added: 1,
      rejected: [
        { index: 1, code: 'not_found' },
        { index: 2, code: 'no_input' },
      ],
    },
  });
  const { text, body: page } = await list(1);
  expect(text).toContain(`"tools":${tools}`);
  expect(page.data).toMatchObject([
    {
      input: 'How full?',
      reference: 'It is at 15%.',
      metadata: { turn_id: '1', session_id: 's-1', model: 'm-1' },
      split: 'dev',
      tags: ['a'],
      turn_id: '1',
    },
  ]);
  expect(await from({ turns: ['1'] })).toMatchObject({
    status: 200,
    body: { version: 1, added: 0, unchanged: 1 },
  });
});

test('human: the reference is the newest label that counts, with its selection', async () => {
  await rule('1', 'fail');
  await rule('1', 'pass');
  const undone = await rule('2', 'fail');
  await call(`/v1/labels/${String(undone.body.id)}`, undefined, {}, 'DELETE');
  await call('/v1/outcomes', { outcomes: [{ turn_id: '3', success: false, score: 0.25 }] });
  const reply = await from({ turns: ['1', '2', '3'], reference: 'human' });
  expect(reply.body).toMatchObject({ added: 2, rejected: [{ index: 1, code: 'no_label' }] });
  expect((await list(1)).body.data).toMatchObject([
    {
      turn_id: '1',
      reference: { verdict: 'sourced', verifier: 'integrity', success: true, reason: 'Seen.' },
      selection: 'own_choice',
      probability: null,
    },
    { turn_id: '3', reference: { success: false, score: 0.25 } },
  ]);
});

test.each([
  [{ session_id: 's-2' }, ['2']],
  [{ verifier: 'integrity', outcome: 'failed' }, ['1', '2', '3']],
  [{ verifier: 'integrity@9' }, []],
  [{ outcome: ['passed', 'inconclusive'] }, []],
  [{ model: 'm-1', to: '2020-01-01T00:00:00Z' }, []],
])('a filter %j selects %j', async (filter, expected) => {
  expect((await from({ filter })).status).toBeLessThan(300);
  const rows = await runtime.ctx.sql<{ turn_id: string }[]>`
    select turn_id from dataset_items where project_id = ${project.projectId} order by 1`;
  expect(rows.map(({ turn_id: id }) => id)).toEqual(expected);
});

test.each([
  [{ session: 's-2' }, ['2']],
  [{ verifier: 'integrity', outcome: ['failed' as const] }, ['1', '2', '3']],
  [{ verifier: 'integrity@9' }, []],
  [{ text: 'at 35' }, ['3']],
  [{ from: new Date('2100-01-01') }, []],
])('the filters %j of the verdict list select the turns %j', async (verdicts, expected) => {
  const source = { verdicts, limit: 10, reference: 'none' as const };
  const { added, rejected } = await addItemsFromTurns(project, 'd', source);
  expect([added, rejected]).toEqual([expected.length, []]);
  const rows = await runtime.ctx.sql<{ turn_id: string }[]>`
    select turn_id from dataset_items where project_id = ${project.projectId} order by 1`;
  expect(rows.map(({ turn_id: id }) => id)).toEqual(expected);
});

test('of the verdict list, the newest turns up to the limit; with rulings as references, only ruled ones', async () => {
  await rule('2', 'pass');
  const verdicts = { verifier: 'integrity@1' };
  const human = { verdicts, limit: 1, reference: 'human' as const };
  expect(await addItemsFromTurns(project, 'd', human)).toMatchObject({ added: 1, rejected: [] });
  expect((await list(1)).body.data).toMatchObject([
    { turn_id: '2', reference: { verifier: 'integrity' } },
  ]);
  const all = { limit: 10, labelledOnly: false };
  const newest = await findVerdictTurns(project, verdicts, all);
  expect([...newest].sort()).toEqual(['1', '2', '3']);
  expect(await findVerdictTurns(project, verdicts, { ...all, limit: 2 })).toEqual(
    newest.slice(0, 2),
  );
  const other = await createTestProject(runtime);
  expect(await findVerdictTurns(other, verdicts, all)).toEqual([]);
});

test('verdicts of experiments add no turn, also when the turn is named', async () => {
  await project.sql`update verdicts set experiment_id = 'exp' where project_id = ${project.projectId} and subject_id = '2'`;
  for (const filters of [{}, { turn: '2' }, { experiment: 'exp' }])
    expect(
      await findVerdictTurns(project, filters, { limit: 10, labelledOnly: false }),
    ).not.toContain('2');
});

test('review: the turns of review items with a ruling that was not undone', async () => {
  for (const id of ['1', '2', '3'])
    await runtime.ctx.sql`
      insert into review_items (project_id, id, verdict_id, kind, verifier_slug, verifier_version, subject_id, queues,
        priority, raters, blind, verdict_at)
      select project_id, ${`rev_${id}`}, id, 'integrity', 'integrity', 1, subject_id, '{audit}', 1, 1, false, now()
      from verdicts where project_id = ${project.projectId} and subject_id = ${id}`;
  await rule('1', 'pass');
  const undone = await rule('2', 'pass');
  await call(`/v1/labels/${String(undone.body.id)}`, undefined, {}, 'DELETE');
  const reply = await from({ review: 'integrity', reference: 'human' });
  expect(reply.body).toMatchObject({ added: 1, rejected: [] });
  expect((await list(1)).body.data).toMatchObject([
    { turn_id: '1', reference: { verdict: 'sourced' } },
  ]);
});

test.each([{}, { turns: ['1'], filter: {} }, { turns: ['1'], review: 'integrity' }])(
  'sources %j are refused',
  async (body) => {
    const { status, text } = await from(body);
    expect(status).toBe(400);
    expect(text).toContain('exactly one of');
  },
);

test('a turn names its items and its experiment; held-out items only for those who may read them', async () => {
  const { sql, projectId } = project;
  await from({ turns: ['1'], split: 'dev' });
  await call('/v1/datasets/e', { name: 'E' }, {}, 'PUT');
  await call('/v1/datasets/e/items/from', { turns: ['1'], split: 'held_out' });
  const [open, hidden] = await sql<{ id: string; dataset_id: string }[]>`
    select i.id, i.dataset_id from dataset_items i join datasets d on d.project_id = i.project_id and d.id = i.dataset_id
    where i.project_id = ${projectId} order by d.slug`;
  await sql`
    insert into experiments (project_id, id, name, dataset_id, dataset_slug, dataset_version, repetitions, target, verifiers, concurrency, job_id, state, created_by)
    select ${projectId}, 'exp_' || slug, 'Run ' || slug, id, slug, 1, 1, '{"type":"outputs"}', '{integrity}', 1, 'job', 'done', 'test'
    from datasets where project_id = ${projectId}`;
  await sql`
    insert into experiment_rows (project_id, experiment_id, ordinal, item_id, repetition, state, turn_id)
    values (${projectId}, 'exp_d', 1, ${open?.id ?? ''}, 1, 'answered', 'exp_d-1'),
      (${projectId}, 'exp_e', 1, ${hidden?.id ?? ''}, 1, 'answered', 'exp_e-1'),
      (${projectId}, 'exp_e', 2, 'removed', 1, 'answered', 'exp_e-2')`;
  const ofD = { id: open?.id, datasetSlug: 'd' };
  const ofE = { id: hidden?.id, datasetSlug: 'e' };
  const admin: ProjectCtx = {
    ...project,
    actor: { kind: 'user', id: 'u', label: 'a@example.org', role: 'admin', operator: false },
  };
  expect(await findTurnLinks(project, '1')).toEqual({
    items: [
      { ...ofD, datasetName: 'D' },
      { ...ofE, datasetName: 'E' },
    ],
    experiment: null,
  });
  expect((await findTurnLinks(admin, '1')).items).toEqual([{ ...ofD, datasetName: 'D' }]);
  const made = async (by: ProjectCtx, turn: string) => (await findTurnLinks(by, turn)).experiment;
  expect(await made(admin, 'exp_d-1')).toEqual({ id: 'exp_d', name: 'Run d', item: ofD });
  expect(await made(project, 'exp_e-1')).toEqual({ id: 'exp_e', name: 'Run e', item: ofE });
  expect(await made(admin, 'exp_e-1')).toEqual({ id: 'exp_e', name: 'Run e', item: null });
  expect(await made(project, 'exp_e-2')).toEqual({ id: 'exp_e', name: 'Run e', item: null });
  const other = await createTestProject(runtime);
  const nothing = { items: [], experiment: null };
  expect(await findTurnLinks(other, '1')).toEqual(nothing);
  expect(await findTurnLinks(other, 'exp_d-1')).toEqual(nothing);
  await call('/v1/datasets/d/items', { items: [{ id: 'other', input: 'o' }], mode: 'replace' });
  expect((await findTurnLinks(project, '1')).items).toEqual([{ ...ofE, datasetName: 'E' }]);
});

test('a deletion of the turn deletes its item in every version, also after an edit', async () => {
  await from({ turns: ['1', '2'], reference: 'output' });
  const [item] = (await list(1)).body.data as Json[];
  await call('/v1/datasets/d/items', { items: [{ id: item?.id, input: 'edited' }] });
  expect((await call('/v1/turns/1', undefined, {}, 'DELETE')).status).toBe(200);
  await drainWork(runtime);
  for (const version of [1, 2])
    expect((await list(version)).body.data).toMatchObject([{ turn_id: '2' }]);
  expect((await call('/v1/datasets/d')).body.items).toBe(1);
  expect((await from({ turns: ['1'] })).body).toMatchObject({ added: 0, rejected: [{ index: 0 }] });
});
