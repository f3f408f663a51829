import { beforeEach, expect } from 'vitest';
import {
  createTestMember,
  createTestProject,
  drainWork,
  type TestPerson,
} from '../../testing/database';
import { test } from '../../testing/fixture';
import { SOME_CONTEXT } from '../../testing/some-context';
import { listAudit, type ProjectCtx } from '../access';
import type { Runtime } from '../runtime';
import { ingestTurns } from '../ingest';
import { createCallContext, createCaller } from '../api/trpc';
import { listLabelsOf } from './labels-of-verdict';
import { overrideVerdict } from './override';
import { takeOutcomes } from './take-outcomes';
import { undoLabel } from './undo';

let runtime: Runtime;
let project: ProjectCtx;
let verdictId = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  verdictId = await verified('t-1');
});

/** The id of the verdict on a turn whose one figure has no source. */
async function verified(id: string): Promise<string> {
  const body = Buffer.from(
    JSON.stringify({ turns: [{ id, context: SOME_CONTEXT, output: 'It is 42 %.' }] }),
  );
  await ingestTurns(project, runtime.writer, {
    body,
    validUtf8: true,
    idempotencyKey: null,
    planTurns: runtime.rules.planTurns,
  });
  await drainWork(runtime);
  const [row] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from verdicts where project_id = ${project.projectId} and turn_id = ${id}`;
  return row?.id ?? '';
}

const report = (outcomes: unknown[]) =>
  takeOutcomes(project, { body: Buffer.from(JSON.stringify({ outcomes })), idempotencyKey: null });
const caller = (person: TestPerson) =>
  createCaller(createCallContext(runtime, new Headers({ cookie: person.cookie })));

test('VS-45 the page has every ruling with its undo, the one that counts, and the reported outcomes', async () => {
  const reviewer = await createTestMember(runtime, project, 'reviewer');
  const call = caller(reviewer);
  const at = { project: project.projectSlug, id: verdictId };
  const empty = { ruled: null, grade: null, rulings: [], reports: [] };
  expect(await call.labels.ofVerdict(at)).toEqual(empty);
  const { id } = await call.labels.override({
    ...at,
    verdict: 'sourced',
    reason: 'It is in the ticket.',
    grade: 5,
  });
  await call.labels.grade({ ...at, grade: 2 });
  await report([{ id: 'o-1', subject_id: 't-1', success: false, source: 'ci', note: 'red' }]);
  const said = await call.labels.ofVerdict(at);
  expect(said).toMatchObject({
    ruled: { verdict: 'sourced', outcome: 'passed', rater: reviewer.email },
    grade: 2,
    rulings: [
      { verdict: null, grade: 2, reason: null },
      {
        id,
        verdict: 'sourced',
        grade: 5,
        reason: 'It is in the ticket.',
        rater: reviewer.email,
        undone: null,
      },
    ],
    reports: [{ id: 'o-1', kind: 'outcome', success: false, by: 'test', note: 'red' }],
  });
  expect((await call.verdicts.get(at)).people).toEqual(said);
  await call.labels.undo({ project: project.projectSlug, id: said.rulings[0]?.id ?? '' });
  await call.labels.undo({ project: project.projectSlug, id });
  const after = await call.labels.ofVerdict(at);
  expect(after).toMatchObject({
    ruled: null,
    grade: null,
    rulings: [{ undone: { by: reviewer.email } }, { undone: { by: reviewer.email } }],
  });
  const list = (await call.verdicts.list({ project: project.projectSlug })).items;
  expect(list).toMatchObject([
    { id: verdictId, verdict: 'unsourced', outcome: 'failed', ruled: null },
  ]);
});

test('VS-45 a list shows people’s rulings by verdict', async () => {
  const other = await verified('t-2');
  await overrideVerdict(project, { verdictId: other, verdict: 'sourced', reason: 'r' });
  await overrideVerdict(project, { verdictId, verdict: 'unsourced' });
  const owner = await createTestMember(runtime, project, 'owner');
  const { items } = await caller(owner).verdicts.list({ project: project.projectSlug });
  expect(new Map(items.map(({ turnId, ruled, outcome }) => [turnId, { ruled, outcome }]))).toEqual(
    new Map([
      ['t-2', { ruled: { verdict: 'sourced', outcome: 'passed' }, outcome: 'failed' }],
      ['t-1', { ruled: { verdict: 'unsourced', outcome: 'failed' }, outcome: 'failed' }],
    ]),
  );
});

test.each([
  ['sourced', true],
  ['unsourced', false],
])('X-1 ruled %s, the subject was good: %s', async (verdict, success) => {
  await overrideVerdict(project, { id: 'o', verdictId, verdict, reason: 'r' });
  const [row] = await runtime.ctx
    .sql`select success from labels where project_id = ${project.projectId} and id = 'o'`;
  expect(row?.success).toBe(success);
});

test('VS-45 only rulings and grades can be undone, once, and an undo never', async () => {
  await report([{ id: 'o-1', subject_id: 't-1', success: true }]);
  await overrideVerdict(project, { id: 'g-1', verdictId, grade: 3 });
  const { id } = await undoLabel(project, 'g-1');
  for (const each of ['o-1', id])
    await expect(undoLabel(project, each), each).rejects.toMatchObject({ code: 'refused' });
  await expect(undoLabel(project, 'nobodys')).rejects.toMatchObject({ code: 'not_found' });
  await Promise.all([undoLabel(project, 'g-1'), undoLabel(project, 'g-1')]);
  expect(
    await runtime.ctx
      .sql`select 1 from labels where project_id = ${project.projectId} and kind = 'undo'`,
  ).toHaveLength(1);
  const actions = (await listAudit(project, {})).items.map(
    ({ action, target }) => `${action} ${target}`,
  );
  expect(actions.filter((action) => action.startsWith('labels.'))).toEqual([
    `labels.undo ${verdictId}`,
    `labels.grade ${verdictId}`,
  ]);
});

test("S-3 a project's connection sees no label of another", async () => {
  await overrideVerdict(project, { id: 'o-1', verdictId, grade: 3 });
  const mine = project;
  project = await createTestProject(runtime);
  expect(await project.sql`select 1 from labels`).toEqual([]);
  await expect(listLabelsOf(project, verdictId)).rejects.toMatchObject({ code: 'not_found' });
  await expect(undoLabel(project, 'o-1')).rejects.toMatchObject({ code: 'not_found' });
  await expect(overrideVerdict(project, { verdictId, grade: 3 })).rejects.toMatchObject({
    code: 'not_found',
  });
  // Another project may use the same id.
  verdictId = await verified('t-1');
  await overrideVerdict(project, { id: 'o-1', verdictId, grade: 5 });
  expect((await listLabelsOf(project, verdictId)).grade).toBe(5);
  expect(await mine.sql`select grade from labels where id = 'o-1'`).toMatchObject([{ grade: 3 }]);
});

test('VS-45 the page of a turn shows the ruling that counts, and none after it is undone', async () => {
  const call = caller(await createTestMember(runtime, project, 'reviewer'));
  const slug = project.projectSlug;
  const ruledOn = async () => (await call.turns.get({ project: slug, id: 't-1' })).marks;
  expect(await ruledOn()).toMatchObject([{ state: 'failed', ruled: null }]);
  const { id } = await call.labels.override({
    project: slug,
    id: verdictId,
    verdict: 'sourced',
    reason: 'It is in the ticket.',
  });
  expect(await ruledOn()).toMatchObject([
    { state: 'failed', verdict: 'unsourced', ruled: { verdict: 'sourced', outcome: 'passed' } },
  ]);
  await call.labels.undo({ project: slug, id });
  expect(await ruledOn()).toMatchObject([{ state: 'failed', ruled: null }]);
});
