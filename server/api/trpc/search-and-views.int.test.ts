import { TRPCError } from '@trpc/server';
import { expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestMember, drainWork, type TestPerson } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import { createKey, type ProjectCtx, removeMember } from '../../access';
import type { Runtime } from '../../runtime';
import { createCallContext, createCaller } from './index';

let runtime: Runtime;
let project: ProjectCtx;
const people = new Map<string, TestPerson>();
const traceId = 'ab'.repeat(16);

type Caller = ReturnType<typeof createCaller>;

const as = (role: string): Caller =>
  createCaller(createCallContext(runtime, new Headers({ cookie: people.get(role)?.cookie ?? '' })));

test.beforeAll(async ({ runtime: ownRuntime, project: ownProject }) => {
  runtime = ownRuntime;
  project = ownProject;
  for (const role of ['owner', 'reviewer', 'viewer'] as const) {
    people.set(role, await createTestMember(runtime, project, role, `${role}@search.example`));
  }
  const { key } = await createKey(project, { name: 'k', scopes: ['ingest', 'verify'] });
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const send = (path: string, body: unknown) =>
    appOf(runtime).request(path, { method: 'POST', headers, body: JSON.stringify(body) });
  const turn = (id: string, output: string) => ({
    id,
    session_id: 'night-watch-7',
    model: 'gpt-find-me',
    context: SOME_CONTEXT,
    output,
  });
  await send('/v1/turns', {
    turns: [
      turn('job-41-a', 'Disk is at 91 %.'),
      turn('job-41-b', 'All 100 % quiet_here.'),
      turn('JOB-41-c', 'x'),
    ],
  });
  const span = {
    traceId,
    spanId: 'b'.repeat(16),
    name: 'nightly work',
    startTimeUnixNano: '1',
    endTimeUnixNano: '2',
  };
  await send('/v1/traces', { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  await drainWork(runtime);
  const { sql, projectId } = { sql: runtime.ctx.sql, projectId: project.projectId };
  await sql`
    insert into subjects (project_id, kind, id, content, content_hash, client_id) values (${projectId}, 'task', 'sub_1', '{}', 'h', 'order-77')`;
  await sql`insert into pipelines (project_id, id, query, origin) values (${projectId}, 'pipe-9', 'Plan the move', 'import')`;
});

const found = async (q: string): Promise<string[]> =>
  (await as('viewer').search.find({ project: project.projectSlug, q })).hits.map(
    ({ kind, id }) => `${kind} ${id}`,
  );

test.each([
  ['a turn by its id', 'job-41-a', ['turn job-41-a']],
  ['turns by the beginning of their ids', 'job-41', ['turn job-41-a', 'turn job-41-b']],
  ['a session', 'night-watch', ['session night-watch-7']],
  ['a trace', traceId.slice(0, 9), [`trace ${traceId}`]],
  ['a subject by its id', 'sub_1', ['subject sub_1']],
  ['a subject by the id of its client', 'order-7', ['subject sub_1']],
  ['a pipeline', 'pipe-9', ['pipeline pipe-9']],
  ['a model by a part of its name', 'FIND-me', ['model gpt-find-me']],
  ['a verifier', 'decompos', ['verifier decomposition']],
  ['a rule', 'integrit', ['rule integrity', 'verifier integrity']],
  ['a person by the address', 'owner@sear', ['person owner@search.example']],
  ['a prompt', 'task-rub', ['prompt task-rubric']],
  ['nothing', 'not-anywhere', []],
  // `%` and `_` are literal, in ids and in texts.
  ['no id by a pattern', 'job%', []],
  ['no id by another pattern', 'job_41', []],
])('the search finds %s', async (_what, q, hits) => {
  const all = await found(q);
  expect(all.filter((hit) => !hit.startsWith('prompt ') || hits.includes(hit))).toEqual(hits);
});

test('the search finds the text of recent verdicts with their marks, and reports where it searched', async () => {
  const answer = await as('viewer').search.find({ project: project.projectSlug, q: '91 %' });
  expect(answer).toMatchObject({
    searched: { newestVerdicts: 20_000, modelDays: 90 },
    unfinished: [],
  });
  expect(answer.hits).toEqual([
    {
      kind: 'verdict',
      id: expect.stringMatching(/^ver_/),
      name: 'Disk is at 91 %.',
      outcome: 'failed',
      at: expect.any(Date),
      opens: null,
    },
  ]);
  const [verdict] = answer.hits;
  // The exact id comes before ids that begin with it; and only once, although the text would match
  // again.
  expect(await found(verdict?.id ?? '')).toEqual([`verdict ${verdict?.id}`]);
  expect(await found('quiet_h')).toHaveLength(1);
  expect(await found('quietXh')).toEqual([]);
  const [turn] = (await as('viewer').search.find({ project: project.projectSlug, q: 'job-41-a' }))
    .hits;
  expect(turn).toMatchObject({ name: 'gpt-find-me', outcome: 'failed', opens: null });
});

test('the search uses indexes: no table is scanned from its beginning', async () => {
  const { sql } = runtime.ctx;
  const { projectId } = project;
  await sql`
    insert into verdicts (project_id, id, kind, verifier_slug, verifier_version, subject_kind, subject_id, revision, outcome, verdict, action,
      needs_human_review, decision_state, issues, detail, excerpt, created_at)
    select ${projectId}, 'many_' || n, 'task', 'task', 1, 'task', 'many_' || n, 1, 'passed', 'pass', 'accept', false, 'run', '[]', '{}',
      'filler ' || n, now() - interval '1 day' from generate_series(1, 5000) n`;
  await sql`analyze verdicts`;
  const plan = async (query: string): Promise<string> =>
    (await project.sql.unsafe(`explain ${query}`))
      .map((row) => String(row['QUERY PLAN']))
      .join('\n');
  for (const query of [
    `select id from verdicts where project_id = '${projectId}' and id >= 'many_4' order by id limit 64`,
    `select id, outcome from verdicts where project_id = '${projectId}' and subject_kind = 'task' and subject_id = 'many_4'
      order by revision desc, verifier_slug desc, verifier_version desc limit 1`,
  ]) {
    expect(await plan(query)).toMatch(/Index (Only )?Scan/);
    expect(await plan(query)).not.toMatch(/Seq Scan|Sort/);
  }
  expect(await found('many_4')).toHaveLength(5);
});

const failing = { page: 'verdicts', query: '?outcome=failed' } as const;
const codeOf = async (call: Promise<unknown>): Promise<string> => {
  try {
    await call;
    return 'done';
  } catch (error) {
    return error instanceof TRPCError ? error.code : String(error);
  }
};

test('a view is stored under its name once, every reader has private ones, and sees those of no one else', async () => {
  const { projectSlug: slug } = project;
  const viewer = as('viewer');
  const own = { project: slug, ...failing, name: ' Failing ', shared: false };
  const { id } = await viewer.views.save(own);
  expect(await viewer.views.save(own)).toEqual({ id });
  // The same name with other filters replaces it.
  expect(await viewer.views.save({ ...own, query: '?model=m' })).toEqual({ id });
  const { views, mayShare } = await viewer.views.list({ project: slug });
  expect(mayShare).toBe(false);
  expect(views).toEqual([
    {
      id,
      page: 'verdicts',
      name: 'Failing',
      query: '?model=m',
      shared: false,
      isMine: true,
      mayChange: true,
      by: 'viewer',
    },
  ]);
  expect((await as('owner').views.list({ project: slug })).views).toEqual([]);
  expect(await codeOf(viewer.views.save({ ...own, shared: true }))).toBe('FORBIDDEN');
  expect(await codeOf(as('owner').views.remove({ project: slug, id }))).toBe('NOT_FOUND');
  expect(await codeOf(as('owner').views.rename({ project: slug, id, name: 'x' }))).toBe(
    'NOT_FOUND',
  );
  for (const query of ['', 'outcome=failed', '?a b', '?a#b', '?\u0000', `?${'x'.repeat(2000)}`]) {
    expect(await codeOf(viewer.views.save({ ...own, query })), query).toBe('BAD_REQUEST');
  }
  await viewer.views.remove({ project: slug, id });
  expect(await codeOf(viewer.views.remove({ project: slug, id }))).toBe('NOT_FOUND');
});

test('a shared view is visible to all, its author and project managers may change it, and every change leaves an audit row', async () => {
  const { projectSlug: slug } = project;
  const reviewer = as('reviewer');
  const { id } = await reviewer.views.save({
    project: slug,
    ...failing,
    name: 'Ours',
    shared: true,
  });
  await reviewer.views.save({ project: slug, ...failing, name: 'Mine', shared: false });
  const seen = async (role: string) =>
    (await as(role).views.list({ project: slug })).views.map(({ name, isMine, mayChange, by }) => ({
      name,
      isMine,
      mayChange,
      by,
    }));
  expect(await seen('viewer')).toEqual([
    { name: 'Ours', isMine: false, mayChange: false, by: 'reviewer' },
  ]);
  expect(await seen('owner')).toEqual([
    { name: 'Ours', isMine: false, mayChange: true, by: 'reviewer' },
  ]);
  expect(await codeOf(as('viewer').views.remove({ project: slug, id }))).toBe('FORBIDDEN');
  expect(await codeOf(reviewer.views.rename({ project: slug, id, name: 'Mine' }))).toBe('CONFLICT');
  await as('owner').views.rename({ project: slug, id, name: 'Everybody’s' });
  await as('owner').views.rename({ project: slug, id, name: 'Everybody’s' });
  // The view is no longer shared, and the others are notified of that too.
  await reviewer.views.save({ project: slug, ...failing, name: 'Everybody’s', shared: false });
  expect(await seen('viewer')).toEqual([]);
  const { items } = await as('owner').audit.list({ project: slug });
  expect(
    items
      .filter(({ action }) => action.startsWith('views.'))
      .map(({ action, actor, target }) => [action, actor, target]),
  ).toEqual([
    ['views.save', 'reviewer@search.example', id],
    ['views.rename', 'owner@search.example', id],
    ['views.save', 'reviewer@search.example', id],
  ]);
});

test('two saves of one name at once make one view', async () => {
  const save = () =>
    as('reviewer').views.save({
      project: project.projectSlug,
      ...failing,
      name: 'At once',
      shared: true,
    });
  const ids = (await Promise.all([save(), save(), save()])).map(({ id }) => id);
  expect(new Set(ids).size).toBe(1);
});

test('a shared view stays when its author leaves, and an owner may remove it', async () => {
  const { projectSlug: slug } = project;
  await removeMember(project, people.get('reviewer')?.id ?? '');
  const left = (await as('owner').views.list({ project: slug })).views.find(
    ({ name }) => name === 'At once',
  );
  expect(left).toMatchObject({ isMine: false, mayChange: true, by: 'reviewer' });
  await as('owner').views.remove({ project: slug, id: left?.id ?? '' });
  expect((await as('owner').views.list({ project: slug })).views).toEqual([]);
});
