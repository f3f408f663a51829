import { beforeEach, expect } from 'vitest';
import { appOf } from '../../../testing/app';
import { createTestProject, drainWork } from '../../../testing/database';
import { test } from '../../../testing/fixture';
import { SOME_CONTEXT } from '../../../testing/some-context';
import { createKey, type ProjectCtx } from '../../access';
import { undoLabel } from '../../labels';
import type { Runtime } from '../../runtime';

let runtime: Runtime;
let project: ProjectCtx;
let key = '';
let verdict = '';

test.beforeAll(({ runtime: ownRuntime }) => {
  runtime = ownRuntime;
});

beforeEach(async () => {
  project = await createTestProject(runtime);
  ({ key } = await createKey(project, {
    name: 'k',
    scopes: ['ingest', 'read', 'write', 'impersonate'],
  }));
  verdict = await verified({ id: 't-1', context: SOME_CONTEXT, output: 'It is 42 %.' });
});

interface Reply {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const response = await appOf(runtime).request(path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The id of the verdict on a turn. */
async function verified(turn: Record<string, unknown>): Promise<string> {
  await call('POST', '/v1/turns', { turns: [turn] });
  await drainWork(runtime);
  const [row] = await runtime.ctx.sql<{ id: string }[]>`
    select id from verdicts where project_id = ${project.projectId} and turn_id = ${String(turn.id)}`;
  return row?.id ?? '';
}

const override = (body: unknown, headers: Record<string, string> = {}) =>
  call('POST', `/v1/verifications/${verdict}/overrides`, body, headers);
const read = async () => (await call('GET', `/v1/verifications/${verdict}`)).body;
const labels = async () =>
  (
    await runtime.ctx
      .sql`select kind, subject_id, verdict_id, verifier_slug, verdict, success, grade, rater, source, note, selection,
      probability, policy_version, created_by from labels where project_id = ${project.projectId} order by created_at`
  ).map((row) => ({ ...row }));

const ruling = { verdict: 'pass', reason: 'The 42 % stands in the ticket.', grade: 4 };

test('VS-45 an override is stored next to the verdict, with who, why, how chosen and under which version', async () => {
  const before = await read();
  expect(before).toMatchObject({
    verdict: 'unsourced',
    outcome: 'failed',
    effective_verdict: 'unsourced',
    overrides: [],
  });
  const { status, body } = await override(ruling);
  expect(status).toBe(201);
  expect(body).toEqual({
    id: expect.stringMatching(/^lbl_/),
    verification_id: verdict,
    verdict: 'sourced',
    machine_verdict: 'unsourced',
    reason: ruling.reason,
    grade: 4,
    action: null,
    rater: 'key "k"',
    selection: 'own_choice',
    probability: null,
    policy_version: 'integrity@1',
    policy: null,
    blind: false,
    created_at: expect.any(String),
  });
  const stored = {
    id: body.id,
    verdict: 'sourced',
    reason: ruling.reason,
    grade: 4,
    action: null,
    rater: 'key "k"',
    created_at: body.created_at,
    undone: false,
  };
  expect(await read()).toEqual({ ...before, effective_verdict: 'sourced', overrides: [stored] });
  const listed = (await call('GET', '/v1/verifications')).body.data as unknown[];
  expect(listed).toMatchObject([
    { verdict: 'unsourced', effective_verdict: 'sourced', overrides: [stored] },
  ]);
  expect(await labels()).toEqual([
    {
      kind: 'override',
      subject_id: 't-1',
      verdict_id: verdict,
      verifier_slug: 'integrity',
      verdict: 'sourced',
      success: true,
      grade: 4,
      rater: 'key "k"',
      source: 'api',
      note: ruling.reason,
      selection: 'own_choice',
      probability: null,
      policy_version: 'integrity@1',
      created_by: 'key "k"',
    },
  ]);
});

test('VS-45 the latest ruling counts; after an undo, the one before counts again; rollups keep the verdict of the verifier', async () => {
  const { sql } = runtime.ctx;
  const rollups = async () =>
    (await sql`select * from verdict_rollups where project_id = ${project.projectId}`).map(
      (row) => ({ ...row }),
    );
  const before = await rollups();
  const first = (await override({ id: 'o-1', ...ruling })).body;
  await override({ id: 'o-2', verdict: 'unsourced' });
  expect(await read()).toMatchObject({
    effective_verdict: 'unsourced',
    overrides: [{ id: 'o-1' }, { id: 'o-2' }],
  });
  await override({ id: 'o-3', verdict: 'sourced', reason: 'Looked again.' });
  expect(await read()).toMatchObject({ effective_verdict: 'sourced' });
  for (const [undone, effective] of [
    ['o-3', 'unsourced'],
    ['o-2', 'sourced'],
    ['o-1', 'unsourced'],
  ] as const) {
    const { id } = await undoLabel(project, undone);
    expect((await undoLabel(project, undone)).id).toBe(id);
    expect(await read(), undone).toMatchObject({
      effective_verdict: effective,
      verdict: 'unsourced',
      outcome: 'failed',
    });
  }
  expect((await read()).overrides).toMatchObject([
    { id: 'o-1', undone: true },
    { id: 'o-2', undone: true },
    { id: 'o-3', undone: true },
  ]);
  // Undone or not, the rows stay as written.
  expect((await override({ id: 'o-1', ...ruling })).body).toEqual(first);
  expect((await labels()).map(({ kind }) => kind)).toEqual([
    'override',
    'override',
    'override',
    'undo',
    'undo',
    'undo',
  ]);
  expect(await rollups()).toEqual(before);
});

test('VS-48 a grade is a whole number from 1 to 5, alone or with a ruling', async () => {
  for (const grade of [0, 6, 2.5, -1, '4', true])
    expect((await override({ grade })).status, String(grade)).toBe(400);
  for (const grade of [1, 2, 3, 4, 5])
    expect((await override({ grade })).body).toMatchObject({ grade, verdict: null, reason: null });
  expect(await read()).toMatchObject({
    effective_verdict: 'unsourced',
    overrides: [1, 2, 3, 4, 5].map((grade) => ({ grade, verdict: null })),
  });
  expect(new Set((await labels()).map(({ kind, success }) => `${kind} ${success}`))).toEqual(
    new Set(['grade null']),
  );
});

test.each([
  ['no verdict and no grade', {}, 400, 'verdict'],
  ['null for both', { verdict: null, grade: null }, 400, 'verdict'],
  ['a word that is no verdict of the kind', { verdict: 'partial', reason: 'r' }, 422, 'verdict'],
  ['overruling without a reason', { verdict: 'pass' }, 422, 'reason'],
  ['overruling with an empty reason', { verdict: 'sourced', reason: ' \n' }, 422, 'reason'],
  ['a probability that is none', { verdict: 'fail', probability: 0 }, 400, 'probability'],
])('VS-45 %s is refused, and the error names the field', async (_name, body, status, path) => {
  const reply = await override(body);
  expect(reply).toMatchObject({ status, body: { error: { details: [{ path }] } } });
  expect(await labels()).toEqual([]);
});

test('VS-45 agreeing needs no reason, and a drawn sample keeps its rater and its probability', async () => {
  expect((await override({ verdict: 'fail', rater: 'Ada', probability: 0.25 })).body).toMatchObject(
    {
      verdict: 'unsourced',
      rater: 'Ada',
      selection: 'sample',
      probability: 0.25,
    },
  );
  expect(await labels()).toMatchObject([
    { kind: 'override', success: false, rater: 'Ada', created_by: 'key "k"' },
  ]);
});

test('X-10 the same override again is the same answer, other content under its id is 409', async () => {
  const first = await override({ id: 'o-1', ...ruling });
  expect(await override({ id: 'o-1', ...ruling })).toEqual(first);
  expect(await override({ id: 'o-1', ...ruling, verdict: 'sourced' })).toEqual(first);
  for (const change of [
    { grade: 5 },
    { reason: 'Another.' },
    { verdict: 'fail' },
    { rater: 'Ada' },
  ])
    expect(await override({ id: 'o-1', ...ruling, ...change })).toMatchObject({
      status: 409,
      body: { error: { code: 'conflict' } },
    });
  // An outcome report already has the id.
  await call('POST', '/v1/outcomes', {
    outcomes: [{ id: 'o-2', subject_id: 't-1', success: true }],
  });
  expect((await override({ id: 'o-2', ...ruling })).status).toBe(409);
  const keyed = { 'idempotency-key': 'k-1' };
  const once = await override(ruling, keyed);
  await runtime.ctx.sql`delete from idempotency_keys`;
  expect(await override(ruling, keyed)).toEqual(once);
  expect((await override({ ...ruling, grade: 1 }, keyed)).status).toBe(409);
  expect((await labels()).map(({ kind }) => kind)).toEqual(['override', 'outcome', 'override']);
});

test('X-10 of equal overrides that arrive together one is stored', async () => {
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => override({ id: 'o-1', ...ruling })),
  );
  for (const reply of replies) expect(reply).toEqual(replies[0]);
  expect(replies[0]?.status).toBe(201);
  expect(await labels()).toHaveLength(1);
});

test('VS-45 votes: without a reason, the majority of raters counts, a tie counts for neither side until a ruling with the verdict visible settles it', async () => {
  const voted = await override({ verdict: 'pass', blind: true, rater: 'Ada' });
  expect(voted).toMatchObject({
    status: 201,
    body: { verdict: 'sourced', blind: true, policy: null },
  });
  expect(await read()).toMatchObject({ effective_verdict: 'sourced' });
  await override({ id: 'b', verdict: 'fail', blind: true, rater: 'Ben' });
  expect(await read()).toMatchObject({ effective_verdict: 'unsourced', verdict: 'unsourced' });
  await override({ verdict: 'pass', blind: true, rater: 'Cid' });
  expect(await read()).toMatchObject({ effective_verdict: 'sourced' });
  await override({ verdict: 'fail' });
  expect(await read()).toMatchObject({ effective_verdict: 'unsourced' });
  expect(await override({ grade: 3, blind: true })).toMatchObject({
    status: 422,
    body: { error: { details: [{ path: 'blind' }] } },
  });
  expect((await override({ id: 'b', verdict: 'fail', rater: 'Ben' })).status).toBe(409);
});

test('VS-45 a pending verification is 409, an unknown one 404', async () => {
  await call('POST', '/v1/turns', {
    turns: [{ id: 't-2', context: SOME_CONTEXT, output: 'It is 43 %.' }],
  });
  const [work] = await runtime.ctx.sql<
    { id: string }[]
  >`select id from work where project_id = ${project.projectId}`;
  const pending = work?.id ?? '';
  expect(await call('POST', `/v1/verifications/${pending}/overrides`, ruling)).toMatchObject({
    status: 409,
    body: {
      error: {
        message: 'This verification has no verdict yet; try again when its state is settled.',
      },
    },
  });
  await runtime.ctx.sql`update work set state = 'quarantined' where id = ${pending}`;
  expect((await call('POST', `/v1/verifications/${pending}/overrides`, ruling)).status).toBe(409);
  expect((await call('POST', '/v1/verifications/ver_nobodys/overrides', ruling)).status).toBe(404);
  expect(await labels()).toEqual([]);
});

test('S-19 texts that PostgreSQL does not accept are cleaned', async () => {
  expect(
    (await override({ id: 'a\u0000', verdict: 'pass', reason: 'NUL \u0000 and \ud800' })).body,
  ).toMatchObject({
    id: 'a␀',
    reason: 'NUL ␀ and \ufffd',
  });
});

test('VS-45 every override, undo and outcome report is announced to open pages', async () => {
  const stop = new AbortController();
  const news = runtime.live.follow(project.projectId, stop.signal);
  const labelled = async (): Promise<number> => {
    for (;;) {
      const { value } = await news.next();
      if (value === undefined || value.labelled > 0) return value?.labelled ?? 0;
    }
  };
  // The first notice may come before the listener is ready: it is repeated until received.
  let wasNotified = false;
  const first = labelled().finally(() => (wasNotified = true));
  await expect
    .poll(async () => (await override({ grade: 3 })).status === 201 && wasNotified)
    .toBe(true);
  expect(await first).toBeGreaterThan(0);
  const { body } = await override(ruling);
  expect(await labelled()).toBeGreaterThan(0);
  await undoLabel(project, String(body.id));
  expect(await labelled()).toBeGreaterThan(0);
  await call('POST', '/v1/outcomes', { outcomes: [{ subject_id: 't-1', success: true }] });
  expect(await labelled()).toBeGreaterThan(0);
  stop.abort();
  const [outcome] = await runtime.ctx
    .sql`select selection from labels where project_id = ${project.projectId} and kind = 'outcome'`;
  expect(outcome?.selection).toBe('reported');
});
